"""The engine on harnesses whose runs are dear: scripts made to fit, and a bounded number of smaller ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

from grading.engine import examine
from grading.verdicts import FAILS, HOLDS, Options
from properties.checks import fail
from properties.registry import FIELD, Property, Stage


class Slow:
    """Counts what is played on it."""

    def __init__(self, **more: Any) -> None:
        self.about, self.capabilities, self.policies = SimpleNamespace(name="slow", version=""), frozenset(), {}
        self.played: list[Any] = []
        vars(self).update(more)

    def restart(self) -> None:
        """Nothing is kept."""


def prop(limit: int, *examples: int) -> Property:
    """Numbers are to be smaller than this."""

    def judge(script: int, harness: Any) -> None:
        harness.played.append(script)
        if script >= limit:
            fail(f"{script} is too large")

    made = Property("X-01", "a test", frozenset(), (), "")
    made.stages.append(Stage(FIELD, "It holds.", judge, st.integers(0, 10**6), examples))
    return made


def test_scripts_are_made_to_fit_before_they_are_judged() -> None:
    """Drawn ones and explicit ones; equal ones are judged once, and what is shown is what was judged."""
    harness = Slow(fit=lambda script: script % 10)
    verdict = examine(prop(10, 11, 21, 31), harness, Options(int(FIELD), examples=30))
    assert verdict.verdict == HOLDS
    assert set(harness.played) <= set(range(10))
    assert harness.played[0] == 1
    shown = examine(prop(7), Slow(fit=lambda script: script % 10), Options(int(FIELD), examples=30))
    assert shown.counterexample is not None
    assert shown.counterexample.script == 7


@pytest.mark.parametrize("most", [1, 5, 20])
def test_few_smaller_scripts_are_tried(most: int) -> None:
    """As many as the harness allows after the first that fails, and one more for the second opinion."""
    harness = Slow(shrinks=most)
    verdict = examine(prop(100), harness, Options(int(FIELD), examples=5))
    first = next(i for i, script in enumerate(harness.played) if script >= 100)
    assert verdict.verdict == FAILS
    assert len(harness.played) - first - 1 <= most + 1
    assert verdict.blame == ""
    assert verdict.counterexample is not None
    assert verdict.counterexample.script in harness.played[first:]


def test_the_same_seed_gives_the_same_smallest_script() -> None:
    """The bound is counted, so nothing depends on how quick the machine is."""
    told = [examine(prop(100), Slow(shrinks=6), Options(int(FIELD), examples=5)).counterexample for _ in range(2)]
    assert told[0] == told[1]
