"""Reports for other programs: JSON (schema `harness-props/verdicts/v1`) and JUnit XML.

The same target, versions, seed and options give the same bytes: no times, no counters of the
machine, keys in one fixed order. `schema/verdicts.v1.schema.json` describes the JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis

from grading.verdicts import ERROR, FAILS, NOT_APPLICABLE, NOT_REACHED, Report, Verdict
from grading.version import suite_version

SCHEMA = "harness-props/verdicts/v1"
FUZZ, BASELINE = "harness-props/fuzz/v1", "harness-props/baseline/v1"
SCHEMA_FILE = Path(__file__).with_name("schema") / "verdicts.v1.schema.json"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Unwritable(Exception):
    """A report cannot be written; the message names the file and the reason."""


def to_json(report: Report) -> dict[str, Any]:
    """One report as JSON data. `problem` is there only if the check was not done to its end."""
    data: dict[str, Any] = {
        "schema": SCHEMA, "target": report.target,
        "harness": {"name": report.name, "version": report.version},
        "suite_version": suite_version(), "python": platform.python_version(),
        "hypothesis": hypothesis.__version__, "seed": report.options.seed,
        "examples": report.options.examples,
        "properties": [verdict.to_json() for verdict in report.verdicts],
        "totals": report.totals(),
    }  # fmt: skip
    if report.problem:
        data["problem"] = report.problem
    return data


def json_text(reports: Sequence[Report], *, several: bool = False) -> str:
    """The reports as text: one object, an array if `several` targets were asked for."""
    data = [to_json(report) for report in reports]
    return json.dumps(data if several else data[0], indent=2, ensure_ascii=True) + "\n"


def _legal(text: str) -> str:
    """The text with what XML 1.0 has no way to write replaced by U+FFFD."""
    return _ILLEGAL.sub("\ufffd", text)


def _case(suite: ET.Element, verdict: Verdict) -> None:
    chapter = verdict.id.partition("-")[0]
    case = ET.SubElement(suite, "testcase", {"name": verdict.id, "classname": chapter})
    message = _legal(verdict.message)
    if verdict.verdict == FAILS:
        shown = ET.SubElement(case, "failure", {"type": verdict.tier, "message": message})
        known = verdict.counterexample
        if known is not None:
            story = [known.sentence, known.step, known.python, *known.trace, known.hint]
            shown.text = _legal("\n".join(story))
    elif verdict.verdict == ERROR:
        ET.SubElement(case, "error", {"type": verdict.tier, "message": message})
    elif verdict.verdict in (NOT_REACHED, NOT_APPLICABLE):
        ET.SubElement(case, "skipped", {"message": f"{verdict.verdict}: {message}"})


def junit_text(reports: Sequence[Report]) -> str:
    """The reports as JUnit XML: a suite for each target, a case for each property."""
    root = ET.Element("testsuites", {"name": "harness-props"})
    for report in reports:
        totals = report.totals()
        ours = totals[ERROR] + bool(report.problem)
        suite = ET.SubElement(root, "testsuite", {
            "name": _legal(report.target), "tests": str(len(report.verdicts) + bool(report.problem)),
            "failures": str(totals[FAILS]), "errors": str(ours),
            "skipped": str(totals[NOT_REACHED] + totals[NOT_APPLICABLE]),
        })  # fmt: skip
        for verdict in report.verdicts:
            _case(suite, verdict)
        if report.problem:
            case = ET.SubElement(suite, "testcase", {"name": "check", "classname": "target"})
            ET.SubElement(case, "error", {"type": "target", "message": _legal(report.problem)})
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


# ---- files --------------------------------------------------------------------------------


def writable(path: str) -> None:
    """Raise Unwritable if it can be told beforehand that no file can be written there."""
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise Unwritable(f"{path}: cannot be written, it is a folder")
    if not place.parent.is_dir():
        raise Unwritable(f"{path}: cannot be written, there is no folder {place.parent}")
    if not os.access(place if place.exists() and not place.is_file() else place.parent, os.W_OK):
        raise Unwritable(f"{path}: cannot be written, no permission to write in {place.parent}")


def write(path: str, content: str | bytes) -> None:
    """Write a file whole or not at all: what stood there before stays until the new one is done.

    Raises Unwritable. A device or a pipe is written to as it is.
    """
    place = Path(os.path.realpath(path))
    try:
        data = content.encode() if isinstance(content, str) else content
        if place.exists() and not place.is_file():
            place.write_bytes(data)
            return
        _replace(place, data)
    except OSError as error:
        raise Unwritable(f"{path}: cannot be written, {error.strerror or error}") from error


def put(path: str, text: str) -> None:
    """Write a text to a file, or to standard output if that is what "-" stands for. Raises Unwritable."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write(path, text)


def _replace(place: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{place.name[:50]}.", dir=place.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~_umask())
        beside.replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _umask() -> int:
    """The permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
