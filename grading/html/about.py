"""The class in numbers, and all that the grades depend on."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from grading.batch.record import ERROR, GRADED, UNUSABLE, Result
from grading.html.clean import SENTENCE, number, one_line
from grading.html.plots import counted


def tiles(results: Sequence[Result]) -> list[tuple[str, str, str]]:
    """(number, what it counts, a word for its look) at the top of the page."""
    having = counted(results)
    status = {s: sum(r.status == s for r in results) for s in (GRADED, UNUSABLE, ERROR)}
    best = sum(r.score >= r.max_score > 0 for r in having)
    most = {r.max_score for r in having}
    of = f" of {number(most.pop())}" if len(most) == 1 else ""
    middle = number(statistics.median(r.score for r in having)) if having else "–"
    mean = number(statistics.fmean(r.score for r in having)) if having else "–"
    return [
        (str(len(results)), "submission" if len(results) == 1 else "submissions", ""),
        (middle + of, "median points", ""), (mean, "mean points", ""), (str(best), "with all points", "good"),
        (str(status[UNUSABLE]), "unusable", "bad" if status[UNUSABLE] else ""),
        (str(status[ERROR]), "not graded, not their fault", "odd" if status[ERROR] else ""),
    ]  # fmt: skip


def title(results: Sequence[Result]) -> str:
    """The page's title, with the property set if the results name one."""
    sets = sorted({r.set for r in results if r.set})
    return "Class report" + (f", {one_line(', '.join(sets), 80)}" if sets else "")


def facts(results: Sequence[Result]) -> list[tuple[str, str]]:
    """What the grades depend on, each with all values that occur."""
    def told(values: Iterable[Any]) -> str:
        return one_line(", ".join(sorted({str(v) for v in values if v != ""})) or "–", SENTENCE)

    seeds = (r.seed if r.seed is not None else f"secret, digest {r.seed_digest or '?'}" for r in results)
    return [
        ("isolation", told(r.isolation.rung for r in results)),
        ("property set", told(r.set for r in results)), ("tier", told(r.tier for r in results)),
        ("lesson", told(r.lesson for r in results)), ("examples", told(r.examples for r in results)),
        ("seed", told(seeds)), ("rubric", told(r.rubric for r in results)),
        ("harness-props", told(r.suite_version for r in results)),
        ("Python", told(r.python for r in results)),
        ("Hypothesis", told(r.hypothesis for r in results)),
    ]  # fmt: skip


def lacks(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """Each rung in use, with what it does not contain."""
    found: dict[str, dict[str, None]] = {}
    for result in results:
        sentences = found.setdefault(one_line(result.isolation.rung, 40), {})
        sentences |= dict.fromkeys(one_line(s, SENTENCE) for s in result.isolation.uncontained[:20])
    return [(rung, list(sentences)[:40]) for rung, sentences in sorted(found.items())]
