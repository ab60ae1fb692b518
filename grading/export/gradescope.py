"""Gradescope: `results.json`, what an autograder leaves in /autograder/results.

Described at https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format");
there is no machine-readable schema, so the test checks the field list given there. One test per
property: its number is chapter.index, its output is Markdown, and of what the harness said
nothing is more than indented text in it.
"""

from __future__ import annotations

import json
from typing import Any

from grading.batch.record import ERROR, UNUSABLE, Judged, Result
from grading.export.common import (
    about,
    evidence,
    hint,
    json_text,
    number,
    passed,
    plain,
    title,
    told,
)  # fmt: skip
from grading.export.texts import block, inline
from grading.verdicts import ERROR as BROKE
from grading.verdicts import FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED

REPLAYABLE = 20_000  # characters of a counterexample that is kept for `replay`
_OPENING = {
    HOLDS: "**Holds.** No script was found that breaks it.",
    FAILS: "**Fails.**",
    NOT_REACHED: "**Not reached.** It was not judged, because something before it fails.",
    NOT_APPLICABLE: "**Not applicable.** It says nothing about this harness.",
    BROKE: "**No verdict.** The grader is at fault here, not your harness; tell your teacher.",
}
_OURS = (
    "**The grader broke; this score says nothing about the submission.** "
    "Tell your teacher, who can run it again."
)


def text(result: Result) -> str:
    """The results file of one submission."""
    data: dict[str, Any] = {
        "score": plain(result.score), "output": _summary(result), "output_format": "md",
        "test_output_format": "md", "test_name_format": "text", "stdout_visibility": "hidden",
        "extra_data": {**about(result), "max_score": plain(result.max_score)},
        "tests": [_test(verdict, result) for verdict in result.verdicts],
    }  # fmt: skip
    return json_text(data)


def _summary(result: Result) -> str:
    """What stands above the tests. It tells no verdict, because it is always visible."""
    parts = []
    if result.status == UNUSABLE:
        parts = ["**This submission could not be graded.**", block(result.problem)]
    elif result.status == ERROR:
        parts = [_OURS, block(result.problem)]
    with_set = f", property set {inline(result.set)}" if result.set else ""
    parts.append(
        f"harness-props {inline(result.suite_version)}{with_set}, {result.examples} examples for each "
        f"property, Python {inline(result.python)}, Hypothesis {inline(result.hypothesis)}, "
        f"isolation {inline(result.isolation.rung)}."
    )
    return "\n\n".join(parts)


def _test(verdict: Judged, result: Result) -> dict[str, Any]:
    """One property. Points are left out where there are none to get, and the status stands alone."""
    test: dict[str, Any] = {
        "name": title(verdict), "name_format": "text", "output": _output(verdict, result),
        "output_format": "md", "status": "passed" if passed(verdict) else "failed",
        "tags": [verdict.chapter, verdict.tier, verdict.verdict], "visibility": verdict.visibility,
        "extra_data": _extra(verdict),
    }  # fmt: skip
    if number(verdict):
        test["number"] = number(verdict)
    if verdict.max_points:
        test["score"] = plain(verdict.points)
        test["max_score"] = plain(verdict.max_points)
    return test


def _output(verdict: Judged, result: Result) -> str:
    seen = evidence(verdict)
    parts = [_OPENING.get(verdict.verdict, f"**{inline(verdict.verdict)}**")]
    if verdict.verdict == FAILS and seen["script"]:
        parts[0] += " The smallest script that breaks it is shown below."
    if verdict.sentence:
        parts.append(f"**The law:** {inline(verdict.sentence)}")
    message = told(verdict, result)
    if message:
        parts += ["**What was seen:**" if verdict.verdict == FAILS else "**Why:**", block(message)]
    for name, label in (("script", "The smallest script:"), ("trace", "What happened:")):
        if verdict.verdict == FAILS and seen[name]:
            parts += [f"**{label}**", block(seen[name])]
    if hint(verdict):
        parts.append(f"**Hint:** {inline(hint(verdict))}")
    return "\n\n".join(parts)


def _extra(verdict: Judged) -> dict[str, Any]:
    """Data for scripts of the teacher's: verdict and, if it is not too large, the counterexample.

    The counterexample is JSON as a text, because its script may hold what not every database
    takes; saved to a file it is what `replay` reads.
    """
    data: dict[str, Any] = {"id": verdict.id, "verdict": verdict.verdict, "examples": verdict.examples}
    known = verdict.counterexample
    if known is not None:
        kept = json.dumps({**known, "hint": verdict.hint}, sort_keys=True)
        if len(kept) <= REPLAYABLE:
            data["counterexample"] = kept
    return data
