"""The pool: lists of messages arrive as they were, and each message travels once."""

from __future__ import annotations

import collections
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.child import pool as pools
from adapters.child.codec import CodecError, Foreign
from adapters.child.pool import Pool, Unpool, fingerprint
from tests.values import EXACT, explode, same, values


@EXACT
@given(values, values)
def test_equal_fingerprints_mean_equal_values(a: Any, b: Any) -> None:
    """Two values with one fingerprint are the same to the last type and sign."""
    mark = fingerprint(a)
    if mark is not None and mark == fingerprint(b):
        assert same(a, b)


def test_fingerprints_are_for_plain_values_only() -> None:
    """Subclasses, functions and cycles have none; 1, 1.0 and True have three."""
    cycle: list[Any] = []
    cycle.append(cycle)
    assert [fingerprint(v) for v in (collections.OrderedDict(), explode, cycle)] == [None] * 3
    assert len({fingerprint(v) for v in (1, 1.0, True)}) == 3


@EXACT
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["request", "record"]),
            st.lists(st.integers(0, 200), max_size=200).map(sorted) | st.lists(values, max_size=3),
        ),
        max_size=8,
    ),
    st.sampled_from([list, tuple, collections.deque, collections.UserList]),
)
def test_pooled_lists_come_back(snapshots: list[tuple[str, list[Any]]], kind: Any) -> None:
    """Lists under either name arrive as they were, however they grow, shrink and change."""
    pool, unpool = Pool(), Unpool()
    for name, members in snapshots:
        sent = json.loads(json.dumps(pool.snapshot(name, kind(members))))
        assert same(unpool.lists(name, sent), list(members))


def test_a_message_travels_once() -> None:
    """A second list under any name costs only what is new, and equal messages are one object."""
    pool, unpool = Pool(), Unpool()
    first, second = {"role": "user", "content": "a"}, {"role": "user", "content": "b"}
    unpool.lists("request", pool.snapshot("request", [first]))
    sent = pool.snapshot("request", [dict(first), second])
    assert sent == {"keep": 1, "add": [1], "new": [[1, second]]}
    one = unpool.lists("request", sent)
    assert pool.snapshot("request", [first]) == {"keep": 1, "add": [], "new": []}
    other = unpool.lists("record", pool.snapshot("record", [first, second]))
    assert all(a is b for a, b in zip(one, other, strict=True))


def test_a_change_of_an_old_message_is_seen() -> None:
    """Messages are compared as they are now, deep inside and early in a long list, too."""
    pool, unpool = Pool(), Unpool()
    messages: list[Any] = [{"role": "user", "content": [n]} for n in range(150)]
    unpool.lists("request", pool.snapshot("request", messages))
    messages[3]["content"][0] = True
    sent = pool.snapshot("request", messages)
    assert (sent["keep"], len(sent["add"]), sent["new"]) == (3, 147, [[150, messages[3]]])
    assert unpool.lists("request", sent)[3] == {"role": "user", "content": [True]}


@pytest.mark.parametrize(("first", "second"), [(bytearray(b"x"), b"x"), (b"x", bytearray(b"x"))])
def test_bytes_are_no_other_buffer(first: Any, second: Any) -> None:
    """Either may come first: what differs arrives as what it is."""
    pool, unpool = Pool(), Unpool()
    for value in (first, second):
        [back] = unpool.lists("request", pool.snapshot("request", [{"content": value}]))
        assert type(back["content"]) is (bytes if isinstance(value, bytes) else Foreign)


def test_what_was_encoded_is_not_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that grows costs only what is new, under a second name nothing."""
    encoded: list[Any] = []
    monkeypatch.setattr(pools, "encode", lambda value: encoded.append(value) or {"n": len(encoded)})
    pool = Pool()
    messages: list[Any] = [{"content": n} for n in range(5)]
    pool.snapshot("request", messages[:3])
    pool.snapshot("request", messages)
    pool.snapshot("record", [dict(message) for message in messages])
    assert encoded == messages


def test_within_a_moment_each_message_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From `begin` on the same object is the same message, and the next `begin` looks again."""
    looked: list[Any] = []
    look = fingerprint
    monkeypatch.setattr(pools, "fingerprint", lambda value: looked.append(value) or look(value))
    pool, unpool = Pool(), Unpool()
    message, other = {"content": "a"}, {"content": "b"}
    for _ in range(2):
        pool.begin()
        looked.clear()
        assert unpool.lists("request", pool.snapshot("request", [message])) == [message]
        assert unpool.lists("record", pool.snapshot("record", [message, other, message])) == [message, other, message]
        assert looked == [message, other]
        message["content"] = "c"


def test_messages_that_are_made_anew_are_not_mixed_up() -> None:
    """A list that makes its messages each time it is read is reported like one that keeps them."""

    class View:
        def __init__(self, text: str) -> None:
            self.text = text

        def __iter__(self) -> Any:
            return iter([{"content": f"{self.text} {n}"} for n in range(20)])

    pool, unpool = Pool(), Unpool()
    pool.begin()
    for text in "abcdef":
        assert unpool.lists("request", pool.snapshot("request", View(text))) == list(View(text))


@pytest.mark.parametrize("odd", [None, "text", 3, {"a": 1}, {1, 2}, b"x"])
def test_what_is_no_list_is_sent_as_it_is(odd: Any) -> None:
    """Values that nobody would take for a list of messages arrive as themselves."""
    assert same(Unpool().lists("request", Pool().snapshot("request", odd)), odd)


def test_lists_that_cannot_be_read_are_odd() -> None:
    """A generator is not used up, and an iterator that raises does no harm."""

    class Torn:
        def __iter__(self) -> Any:
            raise SystemExit

    numbers = (n for n in range(3))
    assert isinstance(Unpool().lists("request", Pool().snapshot("request", numbers)), Foreign)
    assert list(numbers) == [0, 1, 2]
    assert isinstance(Unpool().lists("request", Pool().snapshot("request", Torn())), Foreign)


def test_a_list_stays_as_it_was_sent() -> None:
    """Each list is a new one: what is done to it changes no later one."""
    pool, unpool = Pool(), Unpool()
    unpool.lists("request", pool.snapshot("request", [1, 2])).clear()
    assert unpool.lists("request", pool.snapshot("request", [1, 2, 3])) == [1, 2, 3]


@pytest.mark.parametrize(("snapshot", "wrong"), [
    ([], "a snapshot that is not an object"),
    ({}, "a snapshot that keeps more than there was"),
    ({"keep": True, "add": [], "new": []}, "a snapshot that keeps more than there was"),
    ({"keep": 2, "add": [], "new": []}, "a snapshot that keeps more than there was"),
    ({"keep": -1, "add": [], "new": []}, "a snapshot that keeps more than there was"),
    ({"keep": 0, "add": None, "new": []}, 'a snapshot without "add" and "new"'),
    ({"keep": 0, "add": [], "new": {}}, 'a snapshot without "add" and "new"'),
    ({"keep": 0, "add": [7], "new": []}, "a snapshot that adds an unknown message"),
    ({"keep": 0, "add": [[]], "new": []}, "a snapshot that adds an unknown message"),
    ({"keep": 0, "add": [], "new": [[1]]}, "an entry of a dict that is not a pair"),
    ({"keep": 0, "add": [], "new": [["a", 1]]}, "a new message without a new id"),
    ({"keep": 0, "add": [], "new": [[0, 1]]}, "a new message without a new id"),
    ({"keep": 0, "add": [], "new": [[3, object()]]}, "object is not JSON data"),
])  # fmt: skip
def test_snapshots_that_do_not_follow_are_refused(snapshot: Any, wrong: str) -> None:
    """The receiving end believes nothing that its own other end cannot have sent, and says why."""
    unpool = Unpool()
    unpool.lists("request", Pool().snapshot("request", ["a"]))
    with pytest.raises(CodecError, match=f"^{wrong}$"):
        unpool.lists("request", snapshot)
    assert unpool.lists("request", {"keep": 1, "add": [0], "new": []}) == ["a", "a"]


def test_what_a_name_never_had_cannot_be_kept() -> None:
    """Each name has a list of its own, and begins with nothing."""
    unpool = Unpool()
    unpool.lists("request", Pool().snapshot("request", ["a"]))
    with pytest.raises(CodecError, match="^a snapshot that keeps more than there was$"):
        unpool.lists("record", {"keep": 1, "add": [], "new": []})
