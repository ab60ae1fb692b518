"""What strategies give: the same draws every time, and the smallest value."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, find, given, seed, settings


def drawn(strategy: Any, count: int = 400, *, number: int = 1) -> list[Any]:
    """That many draws of a strategy, in order; `number` is the seed."""
    found: list[Any] = []

    @seed(number)
    @settings(max_examples=count, deadline=None, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def minimal(strategy: Any, condition: Callable[[Any], bool] = lambda _: True) -> Any:
    """The smallest value that meets the condition."""
    quiet = settings(max_examples=2000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    return find(strategy, condition, settings=quiet, random=Random(0))
