"""The badge of a harness: a small picture that shows without asking anybody for anything."""

from __future__ import annotations

from grading.across.saved import Run
from grading.html.clean import NAME, one_line
from grading.html.page import rendered
from grading.verdicts import ERROR, FAILS, HOLDS

WIDE = 6.2  # of a character, in the picture's own units
COLOURS = {"good": "#1d6b35", "bad": "#b3261e", "odd": "#6b2fa0", "none": "#555d66"}


def badge(run: Run) -> str:
    """The badge as SVG: how many properties hold and how many fail, or that nothing was judged."""
    told, look = verdict(run)
    left, right = _width("harness-props"), _width(told)
    return rendered("badge.svg", {"left": left, "right": right, "told": told, "colour": COLOURS[look],
                                  "label": one_line(run.label, NAME)}).strip()  # fmt: skip


def verdict(run: Run) -> tuple[str, str]:
    """What the badge says, and its look: an error outweighs failures, both outweigh what holds."""
    holds, fails, broke = (run.count(kind) for kind in (HOLDS, FAILS, ERROR))
    said = [f"{n} {word}" for n, word in ((holds, "hold"), (fails, "fail"), (broke, "error")) if n]
    if run.problem or not said:
        return "not judged" if not said else f"{', '.join(said)}, unfinished", "none"
    return ", ".join(said), "odd" if broke else "bad" if fails else "good"


def _width(text: str) -> int:
    return round(WIDE * len(text)) + 12
