"""The few draws that every strategy is made of, and the pool they draw from.

A draw is an index into a table: cheap, shrinking to the table's first row, and the same
whatever else is imported. Hypothesis mixes literals of the modules it finds in `sys.modules`
into its draws, so that the code under test would change the examples; `fix_pool` ends that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def fix_pool() -> None:
    """Keep literals harvested from imported modules out of every draw, in this process."""
    empty = Constants()
    no_literals = property(lambda _: empty)
    setattr(providers.HypothesisProvider, "_local_constants", no_literals)  # noqa: B010 - not public


def pick(table: Sequence[T]) -> SearchStrategy[T]:
    """One row of a table. Shrinks to its first row."""
    return st.sampled_from(table)


def below(count: int) -> SearchStrategy[int]:
    """A whole number from 0 to `count` - 1. Shrinks to 0."""
    return st.integers(0, count - 1)


def weighted(*rows: tuple[int, T]) -> tuple[T, ...]:
    """A table in which each (weight, row) stands `weight` times, for `pick`."""
    return tuple(row for weight, row in rows for _ in range(weight))


def diagonal(*tables: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """Rows that take one entry of each table, for one draw where several would be dear.

    First the first entries; then every entry of every table with the others at their first;
    then mixtures, each entry at least once more. For `pick`.
    """
    first = tuple(table[0] for table in tables)
    alone = [
        (*first[:i], entry, *first[i + 1 :]) for i, table in enumerate(tables) for entry in table[1:]
    ]
    most = max(map(len, tables))
    mixed = [
        tuple(table[(n * (2 * i + 1) + i) % len(table)] for i, table in enumerate(tables))
        for n in range(1, 2 * most)
    ]
    return (first, *alone, *mixed)


fix_pool()
