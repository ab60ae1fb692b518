"""Budgets, offsets and limits, drawn as recipes and worked out on a text's own lines.

So most of them fall on an edge: just what fits, one line or byte more, one less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.draws import pick, weighted

FREE = 1_000_000  # a budget that nothing drawn here reaches


class Budget(NamedTuple):
    """A recipe for both budgets: an anchor in the text and a step beside it, for each.

    Anchors: "fit" (just `k` lines fit), "next" (one more), "all" (the whole text), "line" (line
    `k` alone), "one" (1) and "free" (no bound).
    """

    lines: str
    lines_step: int
    bytes: str
    bytes_step: int = 0

    def of(self, sizes: Sequence[int], k: int) -> tuple[int, int]:
        """The budgets for a text whose lines have these sizes; both are at least 1."""
        fit, total = sum(sizes[:k]), sum(sizes)
        bytes_ = {
            "fit": fit, "next": fit + (sizes[k] if k < len(sizes) else 1), "all": total,
            "line": sizes[k - 1] if sizes else 1, "one": 1, "free": FREE,
        }[self.bytes]  # fmt: skip
        lines_ = {"fit": k, "all": len(sizes), "one": 1, "free": FREE}[self.lines]
        return max(1, lines_ + self.lines_step), max(1, bytes_ + self.bytes_step)


_BUDGETS = weighted(
    (4, Budget("free", 0, "fit", -1)), (4, Budget("fit", 0, "free")), (4, Budget("free", 0, "fit")),
    (1, Budget("free", 0, "fit", 1)), (3, Budget("free", 0, "next", -1)),
    (7, Budget("fit", 0, "fit")), (1, Budget("fit", 0, "fit", -1)), (1, Budget("fit", 0, "next")),
    (1, Budget("fit", 1, "fit")), (1, Budget("fit", 0, "next", -1)), (1, Budget("fit", -1, "fit")),
    (1, Budget("free", 0, "line")), (1, Budget("free", 0, "line", 1)), (1, Budget("all", -1, "free")),
    (1, Budget("free", 0, "all", -1)), (1, Budget("one", 0, "free")),
    (3, Budget("all", 0, "all")), (4, Budget("free", 0, "free")),
)  # fmt: skip
_ROOMY = weighted(
    (3, Budget("all", 0, "all")), (2, Budget("all", 0, "free")), (2, Budget("free", 0, "all")),
    (1, Budget("all", 1, "all", 1)), (1, Budget("free", 0, "free")),
)  # fmt: skip
_TIGHT = weighted(
    (4, Budget("free", 0, "line", -1)), (1, Budget("free", 0, "line", -2)), (1, Budget("one", 0, "line", -1)),
    (1, Budget("fit", 1, "line", -1)), (1, Budget("free", 0, "one")), (1, Budget("free", 0, "line", -7)),
)  # fmt: skip
_WHOLE = (Budget("free", 0, "free"),)
_BRIM = (*_TIGHT, *weighted((2, Budget("free", 0, "line")), (1, Budget("fit", 0, "line"))))
BUDGETS = {
    "edge": _BUDGETS, "fits": _ROOMY, "giant": _TIGHT, "brim": _BRIM, "free": _WHOLE,
    "mixed": _BUDGETS + len(_BUDGETS) // 2 * _WHOLE,
}  # fmt: skip
SPOTS = tuple(range(12))


def budgets(*, kind: str = "edge") -> SearchStrategy[tuple[Budget, int]]:
    """Recipes for budgets, and the place in the text that they are about.

    `kind`: "edge" (round what fits), "fits" (the whole text fits, often just), "giant" (a line
    does not fit), "brim" (a line does not fit, or just so), "free" and "mixed" (edges and free).
    Shrinks to the kind's first recipe, about the first line.
    """
    return st.tuples(pick(BUDGETS[kind]), pick(SPOTS))


def spot(at: int, lines: int) -> int:
    """A line number: the `at`-th of a short text, in a long one that share of the way down."""
    if lines <= len(SPOTS):
        return 1 + at % max(lines, 1)
    return 1 + at * (lines - 1) // (len(SPOTS) - 1)


STARTS = (*(0,) * 6, *SPOTS[1:], -1, -1, -2, -2, -2)
_SOME = weighted(
    (2, (1,)), (2, (2,)), (1, (1, 2)), (1, (3, None)), (1, (None, 1)), (1, ("rest",)), (2, (3,)),
    (1, ("rest-1",)), (1, ("rest-1", 1)), (1, ("rest+1",)), (1, (5, 1)), (1, (1000,)), (1, (2, 1, None)),
)  # fmt: skip
LIMITS = {
    "none": ((None,),), "some": _SOME, "any": 6 * ((None,),) + _SOME,
    "large": (("rest",), (1000,), ("rest+1",), ("rest-1",), (5,), (100_000,)),
}  # fmt: skip


def offsets_and_limits(*, starts: Sequence[int] = STARTS, limits: str = "any") -> SearchStrategy[Any]:
    """Where reading starts and how many lines each page asks for, as a recipe for `paged`.

    A start of 0 is the first line, other numbers from 0 are spots, -1 is the last line. `limits`
    is "none", "some", "large" or "any". Shrinks to reading from the first line.
    """
    return st.tuples(pick(starts), pick(LIMITS[limits]))


def start_of(start: int, lines: int) -> int:
    """The line that a drawn start means in a file of so many lines."""
    return max(1, lines + 1 + start) if start < 0 else spot(start, lines)


def limit_of(limit: Any, rest: int) -> int | None:
    """A limit in lines. In a long file a small one is raised, so that pages stay few."""
    if limit is None:
        return None
    lines: int = {"rest": rest, "rest-1": max(1, rest - 1), "rest+1": rest + 1}.get(limit, limit)
    return lines if rest <= 60 or lines > rest // 6 else rest // 6 + lines
