"""GitHub Classroom, the old autograding reporter: a runner's result as JSON. Legacy.

GitHub Classroom's graders hand the reporter action a base64 text of this JSON in a variable
`<RUNNER>_RESULTS`. No schema was ever published; the fields are those that the reporter reads
(https://github.com/classroom-resources/autograding-grading-reporter) and the graders beside it
write: version, status, max_score, and of each test name, status, score, message, test_code,
filename, line_no and duration. The test checks that list. The reporter has two ways to add up: the
table on the console counts passed tests alike, what is sent to GitHub Classroom adds up `score`.
The second is right for a rubric with different points.
"""

from __future__ import annotations

from typing import Any

from grading.batch.record import ERROR, GRADED, Judged, Result
from grading.export.common import (
    FOLDED,
    evidence,
    json_text,
    kept_back,
    passed,
    plain,
    shown,
    title,
    told,
    total,
)  # fmt: skip
from grading.export.texts import clean
from grading.verdicts import ERROR as BROKE


def text(result: Result) -> str:
    """The JSON of one submission; `base64` makes of it what the reporter wants."""
    tests = [_test(verdict, result) for verdict in shown(result)]
    folded = kept_back(result)
    if folded:
        points, possible = total(folded)
        tests.append(_entry(FOLDED, "pass" if points >= possible else "fail", points))
    if result.status != GRADED:
        status = "error" if result.status == ERROR else "fail"
        tests.append(_entry("submission", status, 0, clean(result.problem)))
    kinds = {test["status"] for test in tests}
    overall = next((kind for kind in ("error", "fail") if kind in kinds), "pass")
    return json_text(
        {"version": 1, "status": overall, "max_score": plain(result.max_score), "tests": tests}
    )


def _test(verdict: Judged, result: Result) -> dict[str, Any]:
    status = "error" if verdict.verdict == BROKE else "pass" if passed(verdict) else "fail"
    said = told(verdict, result)
    message = f"{verdict.verdict}: {said}" if said else verdict.verdict
    return _entry(title(verdict), status, plain(verdict.points), message, evidence(verdict)["script"])


def _entry(name: str, status: str, score: float, message: str = "", code: str = "") -> dict[str, Any]:
    return {
        "name": name, "status": status, "score": score, "message": message, "test_code": code,
        "filename": "", "line_no": 0, "duration": 0,
    }  # fmt: skip
