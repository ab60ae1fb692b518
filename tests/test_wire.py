"""The codec to the letter: how each kind of value is written, and where nesting ends."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

from adapters.child import codec
from adapters.child.codec import DEPTH, HUGE, Foreign, decode, encode
from tests.values import same, tagged, through


class Text(str):
    """A text that is equal to nothing but itself, so that a dict can hold it twice."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Hashable(list):  # type: ignore[type-arg]
    """A list that may be the key of a dict."""

    def __hash__(self) -> int:  # type: ignore[override]
        return 1


class Shown:
    """Something with this repr."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@pytest.mark.parametrize("value", [
    None, True, False, 0, -7, 2**HUGE - 1, 1.5, -0.0, 1e308, "", "a", "$", "\u00e9", "\U0001f600", [], {},
    [1, ["a"]], {"a": {"\u00e9": [1]}},
])  # fmt: skip
def test_what_json_can_hold_stands_for_itself(value: Any) -> None:
    """The longest int that JSON text is trusted with among it."""
    assert same(encode(value), value)
    assert same(decode(value), value)


@pytest.mark.parametrize(("value", "written"), [
    ("a\ud800", tagged("text", "61eda080")), (2**HUGE, tagged("int", hex(2**HUGE))), (-(2**HUGE), tagged("int", hex(-(2**HUGE)))),
    (math.nan, tagged("float", "nan")), (math.inf, tagged("float", "inf")), (-math.inf, tagged("float", "-inf")),
    (b"a\xff", tagged("bytes", "61ff")), ((1, (b"",)), tagged("tuple", [1, tagged("tuple", [tagged("bytes", "")])])),
    ({"a"}, tagged("set", ["a"])), (frozenset([(1,)]), tagged("frozenset", [tagged("tuple", [1])])),
    ({"$": 1}, tagged("dict", [["$", 1]])), ({"\ud800": 1}, tagged("dict", [[tagged("text", "eda080"), 1]])),
    ({1: "a", None: []}, tagged("dict", [[1, "a"], [None, []]])),
    ({"a": (1,), "b": "c", (2,): (3,), "d": b""},
     tagged("dict", [["a", tagged("tuple", [1])], ["b", "c"], [tagged("tuple", [2]), tagged("tuple", [3])], ["d", tagged("bytes", "")]])),
    (Foreign("f\ud800", "t"), tagged("foreign", [tagged("text", "66eda080"), "t"])),
])  # fmt: skip
def test_everything_else_is_a_tag_and_a_payload(value: Any, written: Any) -> None:
    """What is told of the form in `codec.py`, tag by tag, and back again."""
    assert same(encode(value), written)
    assert same(decode(written), value)


def test_keys_that_read_alike_are_both_written() -> None:
    """Texts with an equality of their own are texts, and a dict of them loses no entry on the way."""
    assert encode({Text("a"): 1, Text("b"): 2}) == {"a": 1, "b": 2}
    twice = {Text("a"): (1,), Text("b"): 2, Text("a"): 3}
    assert encode(twice) == tagged("dict", [["a", tagged("tuple", [1])], ["b", 2], ["a", 3]])


@pytest.mark.parametrize(("text", "shown"), [
    ("<f at 0x7f0AbC12>", "<f>"), ("<f at 0x1f> and <g at 0xA0>", "<f> and <g>"), ("<f at 0x1fX>", "<fX>"),
    ("at 0x1", "at 0x1"), ("y" * 201, "y" * 200), ("z" * 195 + " at 0x12345" + "z" * 10, "z" * 200),
    ("<f at 0x12\ud800>", "<f\ud800>"),
])  # fmt: skip
def test_addresses_are_left_out_and_long_reprs_cut(text: str, shown: str) -> None:
    """Every address, in either case of its digits, and nothing else; then two hundred characters count."""
    assert through(Shown(text)) == Foreign("Shown", shown)


def test_hashable_lists_are_foreign_as_keys() -> None:
    """What could not be a key at the other end is told by its repr."""
    assert through({Hashable([1]): 1}) == {Foreign("Hashable", "[1]"): 1}
    assert through([Hashable([1])]) == [[1]]


def test_foreign_objects_are_values() -> None:
    """Equal by both fields and only to their like, hashable, told by their repr, and never changed."""
    one = Foreign("type", "text")
    assert one == Foreign("type", "text")
    assert hash(one) == hash(Foreign("type", "text"))
    assert one not in (Foreign("other", "text"), Foreign("type", "other"), "text", ("type", "text"))
    assert len({one, Foreign("type", "a"), Foreign("a", "text")}) == 3
    assert repr(one) == "Foreign(type_name='type', text='text')"
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError, match="^cannot assign to field 'text' of a Foreign$"):
        one.text = "a"
    with pytest.raises(AttributeError, match="^cannot delete field 'text' of a Foreign$"):
        del one.text
    assert one.text == "text"


SHAPES = {
    "list": lambda inner: [inner], "tuple": lambda inner: (inner,), "dict": lambda inner: {"k": inner},
    "pairs": lambda inner: {1: inner}, "after": lambda inner: {"k": 1, 1: inner},
}  # fmt: skip


def levels(shape: str, depth: int, core: Any = "core") -> Any:
    """A value of this many levels around `core`."""
    for _ in range(depth):
        core = SHAPES[shape](core)
    return core


def is_graph(written: Any) -> bool:
    return isinstance(written, dict) and "$" in written and written["$"][0] == "graph"


@pytest.mark.parametrize("shape", SHAPES)
def test_forty_levels_are_nested_and_more_are_a_graph(shape: str) -> None:
    """Each container is one level, a set at the bottom too, whatever the levels are made of."""
    assert not is_graph(encode(levels(shape, DEPTH)))
    assert is_graph(encode(levels(shape, DEPTH + 1)))
    assert not is_graph(encode(levels(shape, DEPTH - 1, {1})))
    assert is_graph(encode(levels(shape, DEPTH, {1})))


@pytest.mark.parametrize("wrap", [lambda key: {key: 1}, lambda key: {key}, lambda key: {"a": 1, key: 1}])
@pytest.mark.parametrize("kind", [tuple, frozenset])
def test_keys_that_are_too_deep_are_foreign(wrap: Any, kind: Any) -> None:
    """A key cannot be part of a graph: what is beyond the levels is left out, and it says so."""
    key: Any = kind(["core"])
    for _ in range(DEPTH - 2):
        key = kind([key])
    assert same(through(wrap(key)), wrap(key))
    assert f"'{kind.__name__}', '<too deep>'" in str(encode(wrap(kind([key]))))


@pytest.fixture
def budget(monkeypatch: pytest.MonkeyPatch) -> int:
    """A small number of items that may be written as nested data."""
    monkeypatch.setattr(codec, "BUDGET", 100)
    return 100


PARTS = {
    "list": lambda size: [0] * size, "tuple": lambda size: (0,) * size, "set": lambda size: set(range(size)),
    "dict": lambda size: {str(n): 0 for n in range(size)}, "pairs": lambda size: dict.fromkeys(range(size)),
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_items_are_counted_over_the_whole_value(part: str, budget: int) -> None:
    """Up to the budget all is nested, of whatever it is made; one item more makes a graph."""
    rest = [0] * (budget - 42)
    assert not is_graph(encode([PARTS[part](40), rest]))
    assert is_graph(encode([PARTS[part](40), [*rest, 0]]))
    assert is_graph(encode([[*rest, 0], PARTS[part](40)]))


def test_items_of_keys_are_counted(budget: int) -> None:
    """What is beyond the budget in a key is left out."""
    wide = tuple(range(budget - 1))
    assert through({wide}) == {wide}
    assert through({(*wide, 0)}) == {Foreign("tuple", "<too deep>")}
    assert through({"a": 1, wide: 2}) == {"a": 1, Foreign("tuple", "<too deep>"): 2}
    assert through({(frozenset(wide),)}) == {(Foreign("frozenset", "<too deep>"),)}


def test_sets_of_a_graph_are_as_wide_as_they_like(budget: int) -> None:
    """The budget never makes a set or the keys of a dict lossy where they are parts of a graph."""
    wide = set(range(budget + 1))
    assert through([wide, frozenset(wide)]) == [wide, frozenset(wide)]
    assert through(wide) == wide
    whole = tuple(range(budget))
    assert through([[0] * budget, {whole: [{whole}]}]) == [[0] * budget, {whole: [{whole}]}]


def test_a_graph_names_its_parts_by_number() -> None:
    """Node 0 is the value itself; what is held twice is one node; leaves are written as anywhere."""
    loop: dict[Any, Any] = {"t": (b"x", 1)}
    loop[1] = [loop, loop["t"]]
    assert encode(loop) == tagged("graph", [
        ["dict", [["t", 1], [1, 2]]], ["tuple", [3, 4]], ["list", [0, 1]], tagged("bytes", "78"), 1,
    ])  # fmt: skip
