"""Classroom 50: `result.json`, schema `classroom50/result/v1`.

Described by `schemas/result-v1.schema.json` in https://github.com/foundation50/classroom50 and by
its wiki page "Advanced Autograding"; the test checks the fields, types and patterns given there.
The file says which classroom, assignment and submission it belongs to. That is no part of a
grade: the runner hands it to an autograder in environment variables. Where they are not set the
fields say "unset", and nobody collects such a file. The runner stamps owner, mode and time itself.

Points are whole numbers there. Fractions are kept by counting in hundredths: the share stays what
it is. What the rubric does not show at once is one test without details.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from grading.batch.record import ERROR, Judged, Result
from grading.export.common import FOLDED, json_text, kept_back, passed, shown, title, told

SCHEMA = "classroom50/result/v1"
UNSET = "unset"
_TAG = re.compile(r"^submit/(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z")
NO_TIME = "1970-01-01T00:00:00Z"  # the runner replaces it by the commit's


def text(result: Result, given: Mapping[str, str] = os.environ) -> str:
    """The result file of one submission; `given` are the variables that the runner sets."""
    unit = _unit(result.verdicts)
    tests = [_test(verdict, result, unit) for verdict in shown(result)]
    folded = kept_back(result)
    if folded:
        entries = [_points(verdict, unit) for verdict in folded]
        points, possible = sum(e[0] for e in entries), sum(e[1] for e in entries)
        tests.append(_entry(FOLDED, points == possible, points, possible))
    possible = sum(test["max-score"] for test in tests)
    if not tests and result.status != ERROR:
        possible = math.ceil(result.max_score)
    tag = given.get("SUBMISSION_TAG") or f"submit/{UNSET}"
    commit = given.get("COMMIT_URL") or UNSET
    return json_text({
        "schema": SCHEMA, "classroom": given.get("CLASSROOM") or UNSET,
        "assignment": given.get("ASSIGNMENT") or UNSET,
        "assignment_type": given.get("ASSIGNMENT_TYPE") or "individual",
        "owner": given.get("OWNER") or given.get("USERNAME") or result.student or UNSET,
        "submission": tag, "commit": commit, "release": given.get("RELEASE_URL") or UNSET,
        "review": given.get("REVIEW_URL") or commit, "datetime": _moment(tag),
        "score": sum(test["score"] for test in tests), "max-score": possible, "tests": tests,
    })  # fmt: skip


def _moment(tag: str) -> str:
    """The time in a submission's tag, which is the same however often it is graded."""
    found = _TAG.match(tag)
    return "{}T{}:{}:{}Z".format(*found.groups()) if found else NO_TIME


def _unit(verdicts: Iterable[Judged]) -> int:
    """1 if all points are whole, 100 if they are not."""
    whole = all(float(n).is_integer() for v in verdicts for n in (v.points, v.max_points))
    return 1 if whole else 100


def _points(verdict: Judged, unit: int) -> tuple[int, int]:
    """Points and possible points in units; never more than is possible."""
    possible = max(0, round(verdict.max_points * unit))
    return min(possible, max(0, math.floor(verdict.points * unit + 1e-6))), possible


def _test(verdict: Judged, result: Result, unit: int) -> dict[str, Any]:
    points, possible = _points(verdict, unit)
    more = {"verdict": verdict.verdict, "message": told(verdict, result)}
    return {**_entry(title(verdict), passed(verdict), points, possible), **more}


def _entry(name: str, done: bool, points: int, possible: int) -> dict[str, Any]:
    return {"test-name": name, "passed": done, "score": points, "max-score": possible}
