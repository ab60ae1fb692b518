"""PrairieLearn: `results.json`, what an external grader leaves in /grade/results.

Described at https://docs.prairielearn.com/externalGrading/ ("Grading results"): `score` is a
share from 0 to 1 and the only field that must be there, `gradable: false` with `format_errors`
takes neither points nor an attempt, and the file may have 1 MB. There is no machine-readable
schema; the test checks the field list. The platform knows no dates for single tests, so what the
rubric does not show at once is one test without details.
"""

from __future__ import annotations

from typing import Any

from grading.batch.record import GRADED, Judged, Result
from grading.export.common import (
    FOLDED,
    about,
    evidence,
    hint,
    json_text,
    kept_back,
    plain,
    shown,
    title,
    told,
    total,
)  # fmt: skip
from grading.export.texts import clean, short
from grading.verdicts import FAILS

LIMIT = 1_000_000  # bytes of the file that are accepted
_SIZES = (8_000, 2_000, 500, 100, 0)  # characters of output for each test, the first that fits


def text(result: Result) -> str:
    """The results file of one submission, within the size that is accepted."""
    for size in _SIZES:
        made = json_text(_data(result, size))
        if len(made.encode()) <= LIMIT:
            break
    return made


def _data(result: Result, size: int) -> dict[str, Any]:
    if result.status != GRADED:
        told_why = short(clean(result.problem), 4_000)
        return {"gradable": False, "format_errors": [told_why], "harness_props": about(result)}
    share = result.score / result.max_score if result.max_score else 0.0
    tests = [_test(verdict, result, size) for verdict in shown(result)]
    folded = kept_back(result)
    if folded:
        points, possible = total(folded)
        tests.append({
            "name": FOLDED, "description": f"{len(folded)} properties count and are not shown here.",
            "points": points, "max_points": possible, "message": "", "output": "",
        })  # fmt: skip
    return {
        "gradable": True, "score": min(1.0, max(0.0, round(share, 9))),
        "message": f"{plain(result.score):g} of {plain(result.max_score):g} points",
        "tests": tests, "harness_props": about(result),
    }  # fmt: skip


def _test(verdict: Judged, result: Result, size: int) -> dict[str, Any]:
    seen = evidence(verdict)
    said = [told(verdict, result), seen["script"], seen["trace"]] if verdict.verdict == FAILS else []
    first = hint(verdict) or ("" if said else told(verdict, result))
    return {
        "name": title(verdict), "description": verdict.sentence,
        "points": plain(verdict.points), "max_points": plain(verdict.max_points),
        "message": short(f"{verdict.verdict}: {first}" if first else verdict.verdict, max(size, 200)),
        "output": short("\n\n".join(part for part in said if part), size) if size else "",
    }  # fmt: skip
