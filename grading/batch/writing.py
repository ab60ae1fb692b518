"""The outputs of grading itself: all results, the table of grades, and the files of one student."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from grading import formats
from grading.batch import outputs, record
from grading.batch.record import AFTER_DUE_DATE, VISIBLE, Result
from grading.batch.report import report
from grading.html.page import page
from grading.screen import safe
from grading.verdicts import FAILS, VERDICTS

FORMULAS = tuple("=+-@\t\r\n|%＝＋－＠")  # what a spreadsheet may take for the beginning of one


def jsonl(results: Sequence[Result]) -> str:
    """`results.jsonl`."""
    return record.lines(results)


def csv_text(results: Sequence[Result]) -> str:
    """`grades.csv`: a row for each student, with the points of each chapter and what fails."""
    chapters = list(dict.fromkeys(v.chapter for result in results for v in result.verdicts))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["student", "score", "max_score", "status", *chapters, "fails", "problem", "submission"])
    for one in results:
        own = {c: round(sum(v.points for v in one.verdicts if v.chapter == c), 2) for c in chapters}
        fails = " ".join(v.id for v in one.verdicts if v.verdict == FAILS)
        points = [_number(own[c]) if one.verdicts else "" for c in chapters]
        table.writerow([
            plain(one.student), _number(one.score), _number(one.max_score), one.status, *points, fails,
            plain(one.problem), plain(one.submission),
        ])  # fmt: skip
    return out.getvalue()


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def plain(text: str) -> str:
    """A cell that is text to every spreadsheet: one line, and nowhere the beginning of a formula.

    Not even where the cell is parted at another sign than the comma.
    """
    told = re.sub(r"([;,\t]\s*)(?=[=+@-])", r"\1'", safe(text).replace("\n", " "))
    return f"'{told}" if told.lstrip().startswith(FORMULAS) else told


def html(results: Sequence[Result]) -> str:
    """`index.html`: the report of the class."""
    names = outputs.folders(result.student for result in results)
    return page(results, folder=lambda result: f"{outputs.SUBMISSIONS}/{names[result.student]}")


def reports(result: Result) -> dict[str, str]:
    """`report.md`, and for later `report-after-due-date.md` if the rubric keeps something until then."""
    made = {"report.md": report(result, {VISIBLE})}
    if any(verdict.visibility == AFTER_DUE_DATE for verdict in result.verdicts):
        made["report-after-due-date.md"] = report(result, {VISIBLE, AFTER_DUE_DATE})
    return made


def verdicts(result: Result) -> str:
    """`verdicts.json`: the report that `check --json` would write, hidden properties included."""
    told = [
        {"id": v.id, "tier": v.tier, "verdict": v.verdict, "message": v.message,
         "counterexample": v.counterexample, "examples": v.examples}
        for v in result.verdicts
    ]  # fmt: skip
    data: dict[str, Any] = {
        "schema": formats.SCHEMA, "target": result.submission,
        "harness": {"name": result.submission.rpartition("/")[2], "version": ""},
        "suite_version": result.suite_version, "python": result.python, "hypothesis": result.hypothesis,
        "seed": result.seed, "examples": result.examples, "properties": told,
        "totals": {kind: sum(v.verdict == kind for v in result.verdicts) for kind in VERDICTS},
    }  # fmt: skip
    if result.problem:
        data["problem"] = result.problem
    return json.dumps(data, indent=2) + "\n"


def counterexamples(result: Result) -> dict[str, str]:
    """A file for each failure that has a script; `harness-props replay` reads it."""
    return {
        f"counterexample-{v.id}.json": json.dumps(v.counterexample, indent=2) + "\n"
        for v in result.verdicts if v.counterexample is not None
    }  # fmt: skip
