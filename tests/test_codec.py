"""The codec: lossless through JSON, blind to hostile types, strict about what it reads."""

from __future__ import annotations

import collections
import enum
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.child.codec import CodecError, Foreign, decode, encode
from tests.values import EXACT, explode, same, texts, through, values


@EXACT
@given(values)
def test_every_plain_value_comes_back_as_it_was(value: Any) -> None:
    """Types, signs, order and every code point survive encoding, JSON and decoding."""
    assert same(through(value), value)


@EXACT
@given(
    st.recursive(
        st.none() | st.integers() | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=20,
    )
)  # fmt: skip
def test_encoding_is_a_fresh_plain_copy(value: Any) -> None:
    """JSON values stand for themselves unless a text forbids it, and no container is shared."""
    encoded = encode(value)
    assert json.loads(json.dumps(encoded)) == encoded
    if '"$"' not in json.dumps(encoded):
        assert encoded == value
    if isinstance(value, list | dict) and value:
        assert encoded is not value


@EXACT
@given(st.integers(41, 1500), st.sampled_from(["list", "tuple", "dict", "mixed"]))
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
