"""CTRF, the Common Test Report Format: JSON that report viewers of many tools read.

Described at https://ctrf.io with a JSON Schema (https://github.com/ctrf-io/ctrf, MIT), against
which the test validates. Times are required there and are no part of a result, so they are zero.
This is a format for teachers: it holds every property, whatever the rubric shows to students.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from grading.batch.record import ERROR, GRADED, Judged, Result
from grading.export.common import about, evidence, json_text, plain, title
from grading.export.texts import clean, short
from grading.verdicts import ERROR as BROKE
from grading.verdicts import FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED

VERSION = "0.0.0"  # of the format
STATUS = {HOLDS: "passed", FAILS: "failed", NOT_REACHED: "skipped", NOT_APPLICABLE: "skipped", BROKE: "other"}
KINDS = ("passed", "failed", "skipped", "pending", "other")


def text(result: Result) -> str:
    """The report on one submission."""
    return class_text([result])


def class_text(results: Sequence[Result]) -> str:
    """One report on a whole class; the first level of each test's suite is the student."""
    tests = [test for result in results for test in _tests(result)]
    counted = Counter(test["status"] for test in tests)
    versions = sorted({result.suite_version for result in results})
    return json_text({
        "reportFormat": "CTRF", "specVersion": VERSION, "generatedBy": "harness-props",
        "results": {
            "tool": {"name": "harness-props", "version": ", ".join(versions)},
            "summary": {
                "tests": len(tests), **{kind: counted[kind] for kind in KINDS},
                "suites": len({tuple(test["suite"]) for test in tests}), "start": 0, "stop": 0,
            },
            "tests": tests,
            "extra": {"submissions": [_submission(result) for result in results]},
        },
    })  # fmt: skip


def _submission(result: Result) -> dict[str, Any]:
    return {"student": result.student, "score": plain(result.score),
            "max_score": plain(result.max_score), **about(result)}  # fmt: skip


def _tests(result: Result) -> list[dict[str, Any]]:
    tests = [_test(verdict, result) for verdict in result.verdicts]
    if result.status != GRADED:
        tests.append({
            "name": "submission", "status": "other" if result.status == ERROR else "failed", "duration": 0,
            "suite": [_student(result)], "rawStatus": result.status, "message": result.problem,
        })  # fmt: skip
    return tests


def _student(result: Result) -> str:
    return clean(result.student) or "submission"


def _test(verdict: Judged, result: Result) -> dict[str, Any]:
    seen = evidence(verdict)
    test: dict[str, Any] = {
        "testId": verdict.id, "name": title(verdict), "status": STATUS.get(verdict.verdict, "other"),
        "duration": 0, "rawStatus": verdict.verdict, "suite": [_student(result), verdict.chapter],
        "tags": [verdict.chapter, verdict.tier],
        "extra": {
            "points": plain(verdict.points), "max_points": plain(verdict.max_points),
            "visibility": verdict.visibility, "examples": verdict.examples,
        },
    }  # fmt: skip
    told = {"message": short(verdict.message, 4_000), "trace": seen["trace"], "snippet": seen["script"]}
    return test | {key: value for key, value in told.items() if value}
