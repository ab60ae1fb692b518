"""The codec: lossless through JSON, blind to hostile types, strict about what it reads."""

from __future__ import annotations

import collections
import enum
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.child.codec import CodecError, Foreign, decode, encode
from adapters.child.pool import Pool, Unpool, fingerprint

EXACT = settings(deadline=None)

texts = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(["$", "\ud83d\ude00", "a\ud800"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-50, 50).map(lambda n: n * 10**5000)
    | st.floats()
    | texts
    | st.binary(max_size=8)
    | st.builds(Foreign, texts, texts)
)
keys = st.recursive(
    scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=4
)
values = st.recursive(
    scalars | st.sets(keys, max_size=3) | keys,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(texts, inner, max_size=4)
        | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=20,
)


def through(value: Any) -> Any:
    """To the other end and back: encoded, as a line of JSON, decoded."""
    return decode(json.loads(json.dumps(encode(value))))


def form(value: Any) -> str:
    """A text that is equal for values of equal types, signs and order; sets have no order."""
    if isinstance(value, int):
        return f"{type(value).__name__} {hex(value)}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} [{', '.join(map(form, value))}]"
    if isinstance(value, dict):
        return f"dict [{', '.join(map(form, value.items()))}]"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__} [{', '.join(sorted(map(form, value)))}]"
    return f"{type(value).__name__} {value!r}"


def same(a: Any, b: Any) -> bool:
    """Whether nothing at all tells `a` from `b`, NaN included."""
    return form(a) == form(b)


@EXACT
@given(values)
def test_every_plain_value_comes_back_as_it_was(value: Any) -> None:
    """Types, signs, order and every code point survive encoding, JSON and decoding."""
    assert same(through(value), value)


@EXACT
@given(st.recursive(st.none() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(texts, s)))
def test_encoding_is_a_fresh_plain_copy(value: Any) -> None:
    """JSON values stand for themselves unless a text forbids it, and no container is shared."""
    encoded = encode(value)
    assert json.loads(json.dumps(encoded)) == encoded
    if '"$"' not in json.dumps(encoded):
        assert encoded == value
    if isinstance(value, list | dict) and value:
        assert encoded is not value


@EXACT
@given(st.integers(41, 3000), st.sampled_from(["list", "tuple", "dict", "mixed"]))
def test_deep_values_come_back(depth: int, kind: str) -> None:
    """Nesting beyond any recursion limit survives, whatever it is made of."""
    value: Any = "core"
    for level in range(depth):
        shape = ("list", "tuple", "dict")[level % 3] if kind == "mixed" else kind
        value = {"list": [value, level], "tuple": (value, level), "dict": {"in": value, 1: level}}[shape]
    back = through(value)
    for _ in range(depth):
        assert type(back) is type(value)
        if isinstance(value, dict):
            assert list(back)[1] == 1
            back, value = back["in"], value["in"]
        else:
            assert back[1] == value[1]
            back, value = back[0], value[0]
    assert back == "core"


def test_a_hundred_thousand_levels() -> None:
    """No recursion anywhere: neither in encoding, nor in JSON, nor in decoding."""
    value: Any = []
    for _ in range(100_000):
        value = [value]
    back = through(value)
    levels = 0
    while back:
        back, levels = back[0], levels + 1
    assert levels == 100_000


def test_cycles_and_what_they_share() -> None:
    """A cycle closes at the other end, and an object that a cyclic value holds twice stays one."""
    shared: list[Any] = [1]
    loop: dict[str, Any] = {"a": shared, "b": (shared, {2})}
    loop["self"] = [loop]
    back = through(loop)
    assert back["self"][0] is back
    assert back["a"] is back["b"][0]
    assert back["b"][1] == {2}


def test_shared_parts_do_not_multiply() -> None:
    """Forty doublings are written in a few lines, not in 2**40."""
    value: Any = ["x"]
    for _ in range(39):
        value = [value, value]
    assert len(json.dumps(encode(value))) < 10_000


def explode(*_: Any, **__: Any) -> Any:
    raise SystemExit("code of the value ran")


HOSTILE = dict.fromkeys(("__iter__", "__getitem__", "__len__", "__eq__", "__str__", "__repr__", "__bool__", "__int__", "__float__", "items", "keys", "copy", "isascii", "encode", "hex", "__contains__", "__index__", "__getattribute__", "__format__", "__reduce_ex__"), explode) | {"__hash__": lambda _: 1, "__class__": property(explode)}  # fmt: skip
HOSTILE_META = type("Meta", (type,), {"__eq__": explode, "__hash__": explode, "__name__": property(explode)})


@pytest.mark.parametrize("value", [{"a": 1}, [1, "b"], (1, 2), "text\ud800", "plain", 7, 1.5, b"x", {1}, frozenset("a")])
def test_hostile_subclasses_are_read_as_their_base(value: Any) -> None:
    """No method of a subclass runs, whatever it overrides, not even one of its metaclass."""
    hostile = HOSTILE_META("Hostile", (type(value),), HOSTILE)
    assert same(through([hostile(value)]), [value])
    assert same(through({"k": hostile(value)}), {"k": value})


def test_harmless_subclasses_are_their_base() -> None:
    """Named tuples, ordered dicts and text enums are what they are at heart."""
    colour = enum.StrEnum("colour", {"RED": "red"})
    point = collections.namedtuple("point", "x y")
    assert through([point(1, 2), collections.Counter("aa"), colour.RED]) == [(1, 2), {"a": 2}, "red"]


def test_foreign_objects_have_no_address() -> None:
    """Functions, classes, exceptions and instances arrive by type and repr, the same every time."""

    class Thing:
        pass

    assert through(Thing()).text == through(Thing()).text
    assert through(Thing()).type_name == "Thing"
    assert through(ValueError("no")) == Foreign("ValueError", "ValueError('no')")
    assert through(int) == Foreign("type", "<class 'int'>")
    assert "0x" not in through(explode).text


def test_a_repr_may_do_anything() -> None:
    """One that raises is `<no repr>`, a long one is cut, one that edits the list does no harm."""
    items: list[Any] = []

    class Bad:
        def __repr__(self) -> str:
            items.clear()
            raise KeyboardInterrupt

    class Long:
        def __repr__(self) -> str:
            return "x" * 10_000_000

    items += [Bad(), 1]
    assert through(items) == [Foreign("Bad", "<no repr>"), 1]
    assert through(Long()).text == "x" * 200


@pytest.mark.parametrize(
    "data",
    [
        {"$": 1}, {"$": []}, {"$": ["tuple"]}, {"$": ["tuple", 3]}, {"$": ["tuple", []], "a": 1},
        {"$": ["pickle", "x"]}, {"$": ["int", "zz"]}, {"$": ["int", 3]}, {"$": ["float", "1"]},
        {"$": ["text", "ff"]}, {"$": ["bytes", "x"]}, {"$": ["set", [[1]]]}, {"$": ["frozenset", [{}]]},
        {"$": ["dict", [[1]]]}, {"$": ["dict", [[[], 1]]]}, {"$": ["foreign", [1, 2]]}, {"$": ["graph", []]},
        {"$": ["graph", [["list", [1]]]]}, {"$": ["graph", [["tuple", [0]]]]}, {"$": ["graph", [["list", [True]]]]},
        {"$": ["graph", [["tuple", [1]], ["tuple", [2, 0]], 5]]}, {"$": ["graph", [["set", []]]]},
        {"$": ["graph", [["dict", [[[], 0]]]]]}, {"$": [["tuple"], []]}, object(),
    ],
)  # fmt: skip
def test_malformed_data_is_refused(data: Any) -> None:
    """Whatever `encode` cannot have written raises `CodecError`, which says what is wrong."""
    with pytest.raises(CodecError, match=".+"):
        decode(data)


json_values = st.recursive(
    st.none() | st.integers(-2, 5) | st.sampled_from(["tuple", "set", "dict", "graph", "list", "int", "text", "nan"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["$", "a"]), inner, max_size=2),
)


@EXACT
@given(json_values | st.lists(json_values).map(lambda nodes: {"$": ["graph", nodes]}))
def test_any_json_is_decoded_or_refused(data: Any) -> None:
    """Nothing but `CodecError` ever comes out of decoding JSON."""
    try:
        decode(data)
    except CodecError:
        pass


def test_nested_data_that_is_too_deep_is_refused() -> None:
    """A line nested deeper than any encoding is refused before Python's own limit is met."""
    data: Any = []
    for _ in range(400):
        data = [data]
    with pytest.raises(CodecError, match="deeper"):
        decode(data)


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
    """Messages are compared as they are now, deep inside and in full chunks, too."""
    pool, unpool = Pool(), Unpool()
    messages: list[Any] = [{"role": "user", "content": [n]} for n in range(150)]
    unpool.lists("request", pool.snapshot("request", messages))
    messages[3]["content"][0] = True
    assert unpool.lists("request", pool.snapshot("request", messages))[3] == {"role": "user", "content": [True]}
    messages[3]["content"][0] = bytearray(b"x")
    pool.snapshot("request", messages)
    messages[3]["content"][0] = b"x"
    assert pool.snapshot("request", messages)["new"][0][1]["content"] == [{"$": ["bytes", "78"]}]


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


@pytest.mark.parametrize(
    "snapshot",
    [
        [], {}, {"keep": 1, "add": [], "new": []}, {"keep": 0, "add": [7], "new": []}, {"keep": -1, "add": [], "new": []},
        {"keep": 0, "add": [[]], "new": []}, {"keep": 0, "add": [], "new": [[1]]}, {"keep": 0, "add": None, "new": []},
        {"keep": 0, "add": [], "new": [["a", 1]]}, {"keep": 0, "add": [], "new": [[0, 1], [0, 1]]},
    ],
)  # fmt: skip
def test_snapshots_that_do_not_follow_are_refused(snapshot: Any) -> None:
    """The receiving end believes nothing that its own other end cannot have sent."""
    with pytest.raises(CodecError):
        Unpool().lists("request", snapshot)
