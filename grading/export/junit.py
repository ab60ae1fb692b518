"""JUnit XML: what continuous integration and most dashboards read.

No standard owns it. The test checks the elements and attributes that Jenkins accepts
(`junit-10.xsd` of https://github.com/jenkinsci/xunit-plugin, MIT), the strictest of the common
descriptions that does not demand times and a host. One suite per submission, one case per
property. This is a format for teachers: it holds every property, whatever the rubric shows.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence

from grading.batch.record import ERROR, GRADED, Judged, Result
from grading.export.common import about, evidence, plain
from grading.export.texts import clean, short
from grading.verdicts import ERROR as BROKE
from grading.verdicts import FAILS, HOLDS


def text(result: Result) -> str:
    """The report on one submission."""
    return class_text([result])


def class_text(results: Sequence[Result]) -> str:
    """One report on a whole class, a suite for each submission."""
    root = ET.Element("testsuites", {"name": "harness-props"})
    for result in results:
        _suite(root, result)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, result: Result) -> None:
    counted = Counter(verdict.verdict for verdict in result.verdicts)
    more = result.status != GRADED
    ours = counted[BROKE] + (result.status == ERROR)
    failed = counted[FAILS] + (more and result.status != ERROR)
    suite = ET.SubElement(root, "testsuite", {
        "name": _word(result.student) or "submission", "tests": str(len(result.verdicts) + more),
        "failures": str(failed), "errors": str(ours),
        "skipped": str(len(result.verdicts) - counted[HOLDS] - counted[FAILS] - counted[BROKE]),
    })  # fmt: skip
    known = {**about(result), "score": plain(result.score), "max_score": plain(result.max_score)}
    properties = ET.SubElement(suite, "properties")
    for key in sorted(known):
        ET.SubElement(properties, "property", {"name": key, "value": _word(str(known[key]))})
    for verdict in result.verdicts:
        _case(suite, verdict)
    if more:
        case = ET.SubElement(suite, "testcase", {"name": "submission", "classname": "submission"})
        kind = "error" if result.status == ERROR else "failure"
        ET.SubElement(case, kind, {"type": result.status, "message": _word(result.problem)})


def _word(text: str) -> str:
    """Text for an attribute; a reader makes spaces of its line breaks, so they are made here."""
    return " ".join(clean(text).split())


def _case(suite: ET.Element, verdict: Judged) -> None:
    case = ET.SubElement(suite, "testcase", {"name": verdict.id, "classname": verdict.chapter})
    message = _word(short(verdict.message, 4_000))
    if verdict.verdict == FAILS:
        shown = ET.SubElement(case, "failure", {"type": verdict.tier, "message": message})
        seen = evidence(verdict)
        story = (verdict.sentence, seen["step"], seen["script"], seen["trace"], verdict.hint)
        shown.text = clean("\n".join(part for part in story if part))
    elif verdict.verdict == BROKE:
        ET.SubElement(case, "error", {"type": verdict.tier, "message": message})
    elif verdict.verdict != HOLDS:
        ET.SubElement(case, "skipped", {"message": _word(f"{verdict.verdict}: {message}")})
