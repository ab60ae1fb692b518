"""Reports for the tests of the matrix: the graded class, told as `check --json` tells of harnesses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grading.across.saved import merged, runs
from grading.across.site import site
from grading.batch.record import Result
from grading.formats import SCHEMA
from grading.verdicts import VERDICTS
from tests.html_class import SAMPLE, hostile

JUDGED = [result for result in SAMPLE if result.verdicts]


def report_of(result: Result, **more: Any) -> dict[str, Any]:
    """What `check --json` writes of such a harness."""
    verdicts = [
        {"id": v.id, "tier": v.tier, "verdict": v.verdict, "message": v.message, "counterexample": v.counterexample,
         "examples": v.examples} for v in result.verdicts
    ]  # fmt: skip
    return {
        "schema": SCHEMA, "target": f"adapter:{result.student}", "harness": {"name": result.student, "version": "1.0"},
        "suite_version": "0.1.0", "python": "3.11.7", "hypothesis": "6.155.0", "seed": 0, "examples": 100,
        "properties": verdicts, "totals": {kind: sum(v["verdict"] == kind for v in verdicts) for kind in VERDICTS}, **more,
    }  # fmt: skip


def hostile_report(text: str) -> dict[str, Any]:
    """A report in which this text stands wherever a harness or an adapter has a say."""
    data = report_of(hostile(text), target=text, harness={"name": text, "version": text}, problem=text)
    return {**data, "python": text, "hypothesis": text}


def saved(folder: Path, *reports: dict[str, Any]) -> list[str]:
    """The reports as files, one each."""
    files = []
    for number, report in enumerate(reports):
        path = folder / f"verdicts-{number}.json"
        path.write_text(json.dumps(report))
        files.append(str(path))
    return files


def made(folder: Path, *reports: dict[str, Any], note: str = "") -> dict[str, str]:
    """The files of the site of these reports."""
    return site(merged(runs(saved(folder, *reports))), note=note)
