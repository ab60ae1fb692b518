"""Values that are too deep, too large or go in circles: written as graphs, and read back whole."""

from __future__ import annotations

import json
from typing import Any

from adapters.child.codec import encode
from tests.values import through


def test_twenty_thousand_levels() -> None:
    """No recursion anywhere: neither in encoding, nor in JSON, nor in decoding."""
    value: Any = []
    for _ in range(20_000):
        value = [value]
    back = through(value)
    levels = 0
    while back:
        back, levels = back[0], levels + 1
    assert levels == 20_000


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
