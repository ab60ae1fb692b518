"""Decoding to the letter: what is refused and in which words, how deep it goes, how graphs are built."""

from __future__ import annotations

import re
from typing import Any

import pytest

from adapters.child.codec import CodecError, decode
from adapters.child.decoding import DECODE_DEPTH
from tests.values import tagged

REFUSED: list[tuple[Any, str]] = [
    (object(), "object is not JSON data"), (b"x", "bytes is not JSON data"), ([()], "tuple is not JSON data"),
    *[(data, 'a "$" entry that is not {"$": [tag, payload]}') for data in (
        {"$": 1}, {"$": []}, {"$": ["tuple"]}, {"$": ["tuple", [], 1]}, {"$": [["tuple"], []]},
        {"$": ["tuple", []], "a": 1}, {"$": ("tuple", [])})],
    (tagged("tuple", 3), "the payload of 'tuple' is int, not a list"),
    (tagged("graph", {}), "the payload of 'graph' is dict, not a list"),
    (tagged("text", []), "the payload of 'text' is list, not text"),
    (tagged("int", 3), "the payload of 'int' is int, not text"),
    (tagged("pickle", "x"), "unknown tag 'pickle'"), (tagged("p" * 50, "x"), f"unknown tag '{'p' * 40}'"),
    (tagged("int", "zz"), "the payload of 'int' cannot be read: 'zz'"),
    (tagged("float", "1" * 50), f"the payload of 'float' cannot be read: '{'1' * 40}'"),
    (tagged("bytes", "x"), "the payload of 'bytes' cannot be read: 'x'"),
    (tagged("text", "ff"), "the payload of 'text' cannot be read: 'ff'"),
    (tagged("set", [[1]]), "set element: unhashable type: 'list'"),
    (tagged("frozenset", [{}]), "frozenset element: unhashable type: 'dict'"),
    *[(tagged("dict", [entry]), "an entry of a dict that is not a pair") for entry in ([1], [1, 2, 3], (1, 2), "ab")],
    (tagged("dict", [[[], 1]]), "dict key: unhashable type: 'list'"),
    *[(tagged("foreign", payload), "a foreign object is a type's name and a text")
      for payload in ([], ["a"], ["a", 1], [1, "a"], ["a", "b", "c"])],
    (tagged("graph", []), "a graph without nodes"),
    *[(tagged("graph", [1, node]), "graph node 1 is not [list, tuple or dict, payload]")
      for node in ([], ["list"], ["set", []], ["list", [], 1], ["list", 1], [["list"], []])],
    *[(tagged("graph", [["list", [ref]], 1]), "graph node 0 refers to a node that does not exist")
      for ref in (2, -1, True, "0", None, [0])],
    (tagged("graph", [["dict", [[1, 1]]]]), "graph node 0 refers to a node that does not exist"),
    (tagged("graph", [["dict", [[1]]]]), "an entry of a dict that is not a pair"),
    (tagged("graph", [["dict", [[[], 0]]]]), "dict key: unhashable type: 'list'"),
    *[(tagged("graph", nodes), "a tuple that holds itself") for nodes in (
        [["tuple", [0]]], [["tuple", [1]], ["tuple", [0]]], [1, ["tuple", [2, 3]], ["tuple", []], ["tuple", [1]]])],
]  # fmt: skip


@pytest.mark.parametrize(("data", "wrong"), REFUSED)
def test_what_was_never_written_is_refused(data: Any, wrong: str) -> None:
    """The message says what is wrong with it."""
    with pytest.raises(CodecError, match=f"^{re.escape(wrong)}$"):
        decode(data)


DEEP = {
    "list": lambda inner: [inner], "dict": lambda inner: {"k": inner}, "tuple": lambda inner: tagged("tuple", [inner]),
    "pairs": lambda inner: tagged("dict", [["k", inner]]), "keys": lambda inner: tagged("dict", [[inner, 1]]),
    "set": lambda inner: tagged("set", [inner]), "graph": lambda inner: tagged("graph", [inner]),
    "graph keys": lambda inner: tagged("graph", [["dict", [[inner, 1]]], 1]),
}  # fmt: skip


@pytest.mark.parametrize("shape", DEEP)
def test_two_hundred_levels_are_read_and_not_one_more(shape: str) -> None:
    """Python's own limit on nested calls is never met, on whatever path the levels are."""
    data: Any = 1
    for _ in range(DECODE_DEPTH - 1):
        data = tagged("tuple", [data])
    decode(DEEP[shape](data))
    for more in ([data], {"k": data}, tagged("tuple", [data])):
        with pytest.raises(CodecError, match=f"^data nested deeper than {DECODE_DEPTH} levels$"):
            decode(DEEP[shape](tagged("tuple", [data]) if shape == "graph" else more))


def test_tuples_of_a_graph_are_made_from_within() -> None:
    """Wherever they stand, a tuple that is held twice is one, and lists and dicts in them may go round."""
    nodes = [
        ["tuple", [2, 1, 4]], ["tuple", [2, 3]], ["tuple", [5, 5]], ["list", [0]], ["dict", [["k", 1], ["l", 2]]], 7,
    ]  # fmt: skip
    root = decode(tagged("graph", nodes))
    pair, inner, table = root
    assert pair == (7, 7)
    assert inner[0] is pair
    assert inner[1][0] is root
    assert list(table) == ["k", "l"]
    assert table["k"] is inner
    assert table["l"] is pair
