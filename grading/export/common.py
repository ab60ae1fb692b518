"""What exporters share: numbers, what may be shown, what is told of a verdict, and JSON text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from grading.batch.record import VISIBILITIES, VISIBLE, Judged, Result
from grading.export.texts import clean, cleaned, short
from grading.verdicts import FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED
from properties.registry import position

MESSAGE, SCRIPT, TRACE = 2_000, 4_000, 4_000  # characters shown of each
UNTOLD = "A property that this one depends on fails."
FOLDED = "Checks that are not shown"


def number(verdict: Judged) -> str:
    """The chapter's place in the catalogue and the number in it: "5.4" for CUT-04, "" if unknown."""
    try:
        chapter, place = position(verdict.id)
    except ValueError:  # a property that this version no longer has
        return ""
    return f"{chapter + 1}.{place}"


def title(verdict: Judged) -> str:
    """Id and claim on one line."""
    return clean(f"{verdict.id}  {verdict.sentence}".strip())


def told(verdict: Judged, result: Result) -> str:
    """The verdict's message, without what its reader may not see.

    A property that waits for a failing one names it; if that one is shown later than this one,
    or never, the name would give its verdict away.
    """
    if verdict.verdict == NOT_REACHED:
        before = verdict.message.partition(" fails, ")[0]
        for other in result.verdicts:
            if other.id == before and _rank(other) > _rank(verdict):
                return UNTOLD
    return short(clean(verdict.message), MESSAGE)


def _rank(verdict: Judged) -> int:
    return VISIBILITIES.index(verdict.visibility) if verdict.visibility in VISIBILITIES else 0


def shown(result: Result) -> list[Judged]:
    """The verdicts that a student may see at once, for formats that know no later."""
    return [verdict for verdict in result.verdicts if verdict.visibility == VISIBLE]


def kept_back(result: Result) -> list[Judged]:
    """The other ones: they count, and neither their names nor their verdicts are shown."""
    return [verdict for verdict in result.verdicts if verdict.visibility != VISIBLE]


def evidence(verdict: Judged) -> dict[str, str]:
    """What the counterexample shows, as texts: `step`, `script`, `trace`; "" where there is none."""
    known = verdict.counterexample or {}
    trace = known.get("trace") or []
    lines = "\n".join(str(line) for line in trace) if isinstance(trace, list) else str(trace)
    return {
        "step": short(clean(str(known.get("step") or "")), MESSAGE),
        "script": short(clean(str(known.get("python") or "")), SCRIPT),
        "trace": short(clean(lines), TRACE),
    }


def hint(verdict: Judged) -> str:
    """The hint that the rubric allows; "" for a property that holds."""
    return clean(verdict.hint) if verdict.verdict == FAILS else ""


def passed(verdict: Judged) -> bool:
    """Whether it holds, or does not apply and costs nothing."""
    return verdict.verdict == HOLDS or (
        verdict.verdict == NOT_APPLICABLE and verdict.points >= verdict.max_points
    )


def about(result: Result) -> dict[str, Any]:
    """What a grade depends on: versions, set, rubric, seed, isolation, content."""
    data = {
        "content": result.content, "examples": result.examples, "hypothesis": result.hypothesis,
        "isolation": result.isolation.rung, "lesson": result.lesson, "python": result.python,
        "rubric": result.rubric, "schema": "harness-props/result/v1", "set": result.set,
        "status": result.status, "suite_version": result.suite_version, "tier": result.tier,
    }  # fmt: skip
    if result.seed is not None:
        data["seed"] = result.seed
    if result.seed_digest:
        data["seed_digest"] = result.seed_digest
    return data


def plain(points: float) -> float:
    """Points without the noise of adding fractions."""
    return round(points, 6)


def total(verdicts: Sequence[Judged]) -> tuple[float, float]:
    """Points and possible points of several verdicts."""
    return plain(sum(v.points for v in verdicts)), plain(sum(v.max_points for v in verdicts))


def json_text(data: Any) -> str:
    """JSON that is the same bytes for the same data: sorted keys, UTF-8, every text cleaned."""
    return json.dumps(cleaned(data), indent=1, sort_keys=True, ensure_ascii=False) + "\n"

