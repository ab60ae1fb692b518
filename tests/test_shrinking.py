"""What a failure shrinks to depends on the seed alone, never on how fast the machine is."""

import itertools
import time
from types import SimpleNamespace

import pytest
from hypothesis import strategies as st
from hypothesis.internal.conjecture import engine as conjecture

from grading.engine import Found, draw


def test_shrinking_goes_on_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that leaps ahead an hour with every look, the smallest failure is still found."""
    leaping = itertools.count(0, 3600)
    clock = SimpleNamespace(**{**vars(time), "perf_counter": lambda: float(next(leaping))})
    monkeypatch.setattr(conjecture, "time", clock)
    found: list[int] = []

    def body(number: int) -> None:
        if number >= 1234:
            found.append(number)
            raise Found

    with pytest.raises(Found):
        draw(body, st.integers(0, 10**9), 100, "a name")
    assert found[-1] == 1234
