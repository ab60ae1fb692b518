"""`harness-props compare`: one script on many harnesses, transcripts and verdicts side by side."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass, field
from typing import Any

import hypothesis

from adapters.contract import HarnessFault, Unplayable, Unusable
from grading import formats
from grading.across.script import Asked, asked
from grading.across.shown import show
from grading.cases import Case
from grading.judging import introduced, not_loading
from grading.leave import BROKEN, FAILED, OK, UNUSABLE, complain
from grading.replay import judge
from grading.run import Target
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, steady
from grading.version import suite_version
from grading.watched import Watched
from properties.checks import Violation
from properties.registry import load
from strategies.printing import to_json, to_python
from strategies.script import Conversation

SCHEMA = "harness-props/comparison/v1"
LINES = 200  # of one transcript
STATUS = {HOLDS: OK, NOT_APPLICABLE: OK, FAILS: FAILED, ERROR: BROKEN}


@dataclass(frozen=True)
class Reading:
    """What one reading of a property says of the script on one harness."""

    id: str
    sentence: str
    verdict: str
    message: str = ""


@dataclass
class Side:
    """One harness: what it is, what was seen of it, and what is said of that.

    `lines` is the transcript; `note` says why there is none. `problem` says why there is no harness.
    """

    target: str
    name: str = ""
    version: str = ""
    readings: list[Reading] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    note: str = ""
    problem: str = ""

    @property
    def status(self) -> int:
        """The exit status that stands for it."""
        if self.problem:
            return UNUSABLE
        return max((STATUS[reading.verdict] for reading in self.readings), default=OK)


def compare(file: str, targets: tuple[str, ...], *, patterns: tuple[str, ...] = (), to: str | None = None,
            app_dir: str | None = None) -> int:  # fmt: skip
    """Play the script on every target and show all of it; returns the worst status.

    A target that cannot be loaded is told in a line, and the others are still played. Raises BadCall
    if the script cannot be used, Unwritable if the JSON cannot be written.
    """
    if to and to != "-":
        formats.writable(to)
    script = asked(file, patterns)
    sides = [_side(target, script, app_dir) for target in targets]
    for side in sides:
        if side.problem:
            complain(side.problem)
    if to != "-":
        show(script, sides)
    if to:
        formats.put(to, json.dumps(to_data(script, sides), indent=2) + "\n")
    return max(side.status for side in sides)


def _side(target: str, script: Asked, app_dir: str | None) -> Side:
    side = Side(target)
    try:
        harness = Target(target, script.lesson, app_dir).open()
    except Unusable as problem:
        side.problem = str(problem)
        return side
    try:
        side.name, side.version = harness.about.name, harness.about.version
        fault = introduced(harness)
        if fault is None:
            _play(side, Watched(harness), script)
        else:
            side.note = not_loading(harness, fault)
            side.readings = [Reading(c.judged_by, c.stage.sentence, FAILS, side.note) for c in script.cases]
    finally:
        harness.close()
    return side


def _play(side: Side, harness: Watched, script: Asked) -> None:
    """Judge every reading on a fresh process; the transcript is that of the first that was played."""
    for case in script.cases:
        harness.restart()
        harness.seen.clear()
        side.readings.append(judged(case, harness))
        side.lines = side.lines or [steady(line) for line in harness.lines(LINES)]
    if not side.lines:
        harness.restart()
        side.lines, side.note = _transcript(harness, script.script)


def judged(case: Case, harness: Watched) -> Reading:
    """What one reading says of the script on this harness, where it applies at all."""
    told = (case.judged_by, case.stage.sentence)
    try:
        lacking = sorted((load()[case.judged_by].needs | case.stage.needs) - harness.capabilities)
        why = f"the harness does not offer {', '.join(lacking)}" if lacking else ""
        why = why or (case.stage.unless and case.stage.unless(harness.policies)) or ""
        if why:
            return Reading(*told, NOT_APPLICABLE, why)
        judge(case, harness)
    except Unplayable as no:
        return Reading(*told, NOT_APPLICABLE, f"the script cannot be played: {no}")
    except (Violation, HarnessFault) as fault:
        return Reading(*told, FAILS, steady(str(fault)))
    except Exception as error:
        words = f"judging broke with {type(error).__name__}: {error}; either the adapter is at fault, or the "
        return Reading(*told, ERROR, steady(words + "script is not of the kind that this property judges"))
    return Reading(*told, HOLDS)


def _transcript(harness: Watched, script: Any) -> tuple[list[str], str]:
    """What is seen of a script that nobody judges, or why nothing is."""
    if not isinstance(script, Conversation):
        return [], "played only by a property that applies"
    try:
        if "loop" not in harness.capabilities:
            return [], "the harness does not offer loop"
        harness.seen.clear()
        harness.converse(script)
    except Unplayable as no:
        return [], f"the script cannot be played: {no}"
    except HarnessFault as fault:
        return [], steady(str(fault))
    except Exception as error:
        return [], steady(f"the adapter broke with {type(error).__name__}: {error}")
    return [steady(line) for line in harness.lines(LINES)], ""


def to_data(script: Asked, sides: list[Side]) -> dict[str, Any]:
    """The comparison as JSON data; `schema/comparison.v1.schema.json` describes it."""
    return {
        "schema": SCHEMA, "suite_version": suite_version(), "python": platform.python_version(),
        "hypothesis": hypothesis.__version__, "script": to_json(script.script),
        "before": [to_json(part) for part in script.before], "script_python": to_python(script.script),
        "harnesses": [_data(side) for side in sides],
    }  # fmt: skip


def _data(side: Side) -> dict[str, Any]:
    verdicts = [{"id": r.id, "sentence": r.sentence, "verdict": r.verdict, "message": r.message}
                for r in side.readings]  # fmt: skip
    data: dict[str, Any] = {
        "target": side.target, "harness": {"name": side.name, "version": side.version},
        "verdicts": verdicts, "transcript": side.lines,
    }  # fmt: skip
    if side.problem or side.note:
        data["problem"] = side.problem or side.note
    return data
