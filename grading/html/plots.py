"""The numbers behind the plots: how points are distributed, which property fails most."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grading.batch.record import ERROR, Judged, Result
from grading.html.clean import number
from grading.verdicts import FAILS, NOT_REACHED

BINS, WIDE, HIGH, LEFT, TOP, BOTTOM = 10, 560, 300, 36, 20, 58  # of the plot, in its own units


@dataclass(frozen=True)
class Bar:
    """One column of the histogram: its range in words, how many, and where it is drawn."""

    label: str
    count: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Histogram:
    """All that the plot needs. `unit` is "points", or "%" where the most differs by submission."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    levels: tuple[tuple[float, str], ...]
    median: tuple[float, str]
    unit: str
    width: int = WIDE
    height: int = HIGH


@dataclass(frozen=True)
class Often:
    """A property with the number of students whom it fails, and who never reached it."""

    judged: Judged
    fails: int
    waits: int
    share: float  # width of its bar, 0 to 100
    waiting_share: float


def counted(results: Sequence[Result]) -> list[Result]:
    """The results that have a score: all but those that we could not grade."""
    return [result for result in results if result.status != ERROR]


def histogram(results: Sequence[Result]) -> Histogram | None:
    """Ten columns from nothing to all points; None if nobody has a score."""
    having = [r for r in counted(results) if r.max_score > 0]
    if not having:
        return None
    same = len({r.max_score for r in having}) == 1
    most = having[0].max_score if same else 100.0
    values = [r.score if same else 100 * r.score / r.max_score for r in having]
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, max(0, math.floor(value / most * BINS + 1e-9)))] += 1
    inner, floor = (WIDE - LEFT - 12) / BINS, HIGH - BOTTOM
    top = _round_up(max(counts))
    bars = []
    for place, count in enumerate(counts):
        high = (floor - TOP) * count / top
        under = "" if place == BINS - 1 else "under "
        ends = f"{number(most * place / BINS)} to {under}{number(most * (place + 1) / BINS)}"
        bars.append(Bar(ends, count, LEFT + place * inner + 2, floor - high, inner - 4, high))
    middle = statistics.median(values)
    return Histogram(
        tuple(bars),
        tuple((LEFT + inner * BINS * k / 5, number(most * k / 5)) for k in range(6)),
        tuple((floor - (floor - TOP) * k / top, str(k)) for k in dict.fromkeys((0, top // 2, top))),
        (LEFT + inner * BINS * middle / most, number(middle)),
        "points" if same else "%",
    )


def _round_up(count: int) -> int:
    """The top of the scale: an even number that is not much above the highest column."""
    step = 2 if count <= 20 else 10 if count <= 100 else 50
    return max(2, math.ceil(count / step) * step)


def failures(results: Sequence[Result]) -> Counter[str]:
    """How many students each property fails."""
    return Counter(v.id for result in results for v in result.verdicts if v.verdict == FAILS)


def failing_most(results: Sequence[Result], columns: Sequence[Judged]) -> list[Often]:
    """The properties that fail for anybody, most failures first."""
    fails = failures(results)
    waits = Counter(v.id for result in results for v in result.verdicts if v.verdict == NOT_REACHED)
    having = max(1, sum(bool(r.verdicts) for r in results))
    found = [
        Often(c, fails[c.id], waits[c.id], 100 * fails[c.id] / having, 100 * waits[c.id] / having)
        for c in columns if fails[c.id]
    ]  # fmt: skip
    return sorted(found, key=lambda often: -often.fails)
