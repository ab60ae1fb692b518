"""Cutting text to a budget: whole lines, at most so many of them, at most so many bytes.

A line is what ``str.splitlines`` says it is, its ending included. Sizes are UTF-8 bytes.
"""

from collections.abc import Iterable
from itertools import accumulate, islice

from .text import byte_size


def truncate_head(text: str, max_lines: int = 2000, max_bytes: int = 50_000) -> tuple[str, int]:
    """Return the longest start of `text` within both budgets, and how many lines that is.

    It is ("", 0) if even the first line takes more than `max_bytes`.
    """
    lines = text.splitlines(keepends=True)
    kept = lines[: _how_many_fit(lines, max_lines, max_bytes)]
    return "".join(kept), len(kept)


def truncate_tail(text: str, max_lines: int = 2000, max_bytes: int = 50_000) -> tuple[str, int]:
    """Return the longest end of `text` within both budgets, and how many lines that is.

    It is ("", 0) if even the last line takes more than `max_bytes`.
    """
    lines = text.splitlines(keepends=True)[::-1]
    kept = lines[: _how_many_fit(lines, max_lines, max_bytes)]
    return "".join(kept[::-1]), len(kept)


def _how_many_fit(lines: Iterable[str], max_lines: int, max_bytes: int) -> int:
    """Return how many of the first `lines` can be taken together within both budgets."""
    totals = accumulate(byte_size(line) for line in lines)
    return sum(total <= max_bytes for total in islice(totals, max_lines))
