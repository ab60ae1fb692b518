"""Verdicts and counterexamples: what is known of one property on one harness."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SCHEMA = "harness-props/counterexample/v1"
HOLDS, FAILS, NOT_REACHED = "holds", "fails", "not reached"
NOT_APPLICABLE, ERROR = "not applicable", "error"
VERDICTS = (HOLDS, FAILS, NOT_REACHED, NOT_APPLICABLE, ERROR)
BREAK = "; others break "  # in what is said of a property that was judged on fewer scripts

_VOLATILE = (
    (re.compile(r"0x[0-9a-fA-F]{6,}"), "0x…"),
    (re.compile(r"/[\w./-]*/harness-[a-z0-9_]{8}\b"), "<folder>"),
)


def steady(text: str) -> str:
    """The text without addresses and temporary paths, so that two runs read the same."""
    for pattern, stead in _VOLATILE:
        text = pattern.sub(stead, text)
    return text


@dataclass(frozen=True)
class Counterexample:
    """The smallest script that shows a failure, and all that is needed to judge it again.

    `before` are scripts that have to be played first in the same process (state kept between
    runs); `trace` is what happened, line by line, in short notation.
    """

    property: str
    tier: str
    stage: int
    script: Any  # the script as JSON data, see strategies.printing
    python: str
    sentence: str
    message: str
    step: str = ""
    hint: str = ""
    trace: tuple[str, ...] = ()
    before: tuple[Any, ...] = ()
    lesson: int = 6

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `replay` reads."""
        return {
            "schema": SCHEMA, "property": self.property, "tier": self.tier, "stage": self.stage,
            "lesson": self.lesson, "sentence": self.sentence, "message": self.message,
            "step": self.step, "hint": self.hint, "trace": list(self.trace),
            "before": list(self.before), "script": self.script, "python": self.python,
        }  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """One property's verdict. `owner` and `key` say what it shares with other properties.

    `owner` names the property that the fault belongs to, `key` is equal for failures with one
    cause, `hung` marks a hang, `blame` is LOOP-14 or LOOP-15 where the harness did not answer
    the same in a fresh process. `seconds` is CPU time and never part of the JSON.
    """

    id: str
    tier: str
    verdict: str
    message: str = ""
    counterexample: Counterexample | None = None
    examples: int = 0
    owner: str = ""
    key: str = ""
    hung: bool = False
    blame: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The verdict as it stands in the JSON report."""
        shown = self.counterexample.to_json() if self.counterexample else None
        return {
            "id": self.id, "tier": self.tier, "verdict": self.verdict, "message": self.message,
            "counterexample": shown, "examples": self.examples,
        }  # fmt: skip


def root_of(verdict: Verdict, known: Mapping[str, Verdict]) -> str:
    """The failing property that a *not reached* one waits for; "" if it waits for none.

    Several steps are followed: what depends on a property that was itself not reached belongs
    to the failure that both go back to.
    """
    seen: set[str] = set()
    while verdict.verdict == NOT_REACHED and verdict.id not in seen:
        seen.add(verdict.id)
        before = known.get(verdict.message.partition(" fails, ")[0])
        if before is None:
            return ""
        verdict = before
    return verdict.id if verdict.verdict == FAILS and seen else ""


@dataclass(frozen=True)
class Options:
    """What a check is asked to do; the same options and versions give the same verdicts.

    With `keep_going`, what depends on a failing property is judged on the scripts that do not break that one.
    """

    tier: int = 1
    lesson: int = 6
    examples: int = 100
    seed: int = 0
    only: tuple[str, ...] = ()
    stop_at_first: bool = False
    keep_going: bool = False


@dataclass
class Report:
    """All verdicts on one target, in the catalogue's order."""

    target: str
    name: str
    version: str
    options: Options
    verdicts: list[Verdict] = field(default_factory=list)
    capabilities: tuple[str, ...] = ()
    policies: dict[str, str] = field(default_factory=dict)
    problem: str = ""  # why the check could not be done, or not be finished
    interrupted: bool = False

    def totals(self) -> dict[str, int]:
        """How many verdicts of each kind."""
        return {kind: sum(v.verdict == kind for v in self.verdicts) for kind in VERDICTS}
