"""The few draws that every strategy is made of, and the pool they draw from.

A draw is an index into a table: cheap, shrinking to the table's first row, and the same
whatever else is imported. Hypothesis mixes literals of the modules it finds in `sys.modules`
into its draws, so that the code under test would change the examples; `fix_pool` ends that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def fix_pool() -> None:
    """Keep literals harvested from imported modules out of every draw, in this process."""
    empty = providers.Constants()
    providers.HypothesisProvider._local_constants = property(lambda self: empty)  # type: ignore[assignment]


def pick(table: Sequence[T]) -> SearchStrategy[T]:
    """One row of a table. Shrinks to its first row."""
    return st.sampled_from(table)


def below(count: int) -> SearchStrategy[int]:
    """A whole number from 0 to `count` - 1. Shrinks to 0."""
    return st.integers(0, count - 1)


def weighted(*rows: tuple[int, T]) -> tuple[T, ...]:
    """A table in which each (weight, row) stands `weight` times, for `pick`."""
    return tuple(row for weight, row in rows for _ in range(weight))


fix_pool()
