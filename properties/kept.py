"""What a cut kept: one call of a cut, beside what a recount says it should be.

The recount follows the harness's own line model. Budgets that were left out are the course's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from adapters.contract import Harness
from properties.checks import check, fail, shown
from strategies import lines
from strategies.script import Cut

DEFAULT_LINES, DEFAULT_BYTES = 2000, 50_000


class Kept(NamedTuple):
    """What one cut kept, beside what a recount says it should be."""

    end: str
    call: str  # how it was called, in the words of a message
    text: str
    counted: int
    lines: list[str]  # of the whole text, in the harness's own line model
    fits: int  # how many lines fit both budgets
    model: str
    spared: int = 0  # bytes of the last ending, which is not shown where endings stand between lines

    @property
    def whole(self) -> str:
        """What should have been kept."""
        return "".join(
            self.lines[: self.fits] if self.end == "head" else self.lines[len(self.lines) - self.fits :]
        )


def pair_of(back: Any, call: str) -> tuple[str, int]:
    """The (text, number of lines) that a cut gave back; anything else is a violation."""
    if not isinstance(back, (tuple, list)) or len(back) != 2:
        fail(f"{call} gave back {shown(back)} instead of a pair (text, number of lines)")
    text, count = back
    check(isinstance(text, str), f"{call} kept {shown(text)}, which is not a text")
    check(isinstance(count, int), f"{call} counted {shown(count)}, which is not a whole number")
    return text, count


def cut_at(end: str, script: Cut, harness: Harness) -> Kept:
    """Cut the text at one end."""
    model = harness.policies["lines"]
    max_lines = DEFAULT_LINES if script.max_lines is None else script.max_lines
    max_bytes = DEFAULT_BYTES if script.max_bytes is None else script.max_bytes
    given = {"max_lines": script.max_lines, "max_bytes": script.max_bytes}
    named = "".join(f", {k}={v}" for k, v in given.items() if v is not None)
    call = f"truncate_{end}({shown(script.text, 40)}{named})"
    text, count = pair_of(harness.cut(end, script.text, script.max_lines, script.max_bytes), call)
    split = lines.split(script.text, model)
    between = harness.policies.get("line-ends") == "between"
    free = ("last" if end == "head" else "first") if between else ""
    fits = lines.fitting(split if end == "head" else split[::-1], max_lines, max_bytes, free)
    spared = 0
    if between and text != script.text and count:  # the ending of the last line is not shown
        closed = f"{text}\n"
        spared = int(script.text.startswith(closed) if end == "head" else script.text.endswith(closed))
        text = closed if spared else text
    return Kept(end, call, text, count, split, fits, model, spared)


def both_ends(script: Cut, harness: Harness) -> Iterator[Kept]:
    """The text cut at its head, then at its tail."""
    yield cut_at("head", script, harness)
    yield cut_at("tail", script, harness)


def some_kept(script: Cut, harness: Harness) -> Iterator[Kept]:
    """Both cuts, but for those that a line over the budget leaves with nothing (CUT-07)."""
    return (kept for kept in both_ends(script, harness) if kept.fits or not kept.lines)


def first_difference(found: str, wanted: str) -> str:
    """Where two texts part, in words."""
    at = next(
        (i for i, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b),
        min(len(found), len(wanted)),
    )
    line = wanted.count("\n", 0, at) + 1
    return (
        f"from character {at + 1} (line {line}) on it reads {shown(found[at : at + 30], 40)}, "
        f"the text {shown(wanted[at : at + 30], 40)}"
    )


def fixed_budgets(policies: Any) -> str | None:
    """Why the course's defaults and descriptions of budgets are not asked for, or None."""
    return "its tools have budgets of their own" if policies.get("budgets") == "fixed" else None
