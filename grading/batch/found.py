"""What is known of one submission so far: single verdicts, not folded yet, kept on disk.

It is written after each chapter and names no student, so that a run that was killed goes on where
it was, and submissions that are alike are judged once.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from grading.verdicts import Counterexample, Verdict

SCHEMA = "harness-props/found/v1"
LONGEST = 4000  # characters of one message or line: some of them are a student's own words


@dataclass
class Found:
    """The verdicts on one content. `done` says that no more will come.

    `problem` is why it cannot be judged: `unusable` if that is the submission's doing, else a
    fault of ours. `cut_short` is why properties are missing. `seconds` is how long it took so far.
    """

    content: str
    done: bool = False
    problem: str = ""
    unusable: bool = False
    cut_short: str = ""
    capabilities: tuple[str, ...] = ()
    policies: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The data of a file that `from_json` reads."""
        data = {"schema": SCHEMA, **vars(self)}
        data["verdicts"] = [dataclasses.asdict(verdict) for verdict in self.verdicts.values()]
        return data

    @classmethod
    def from_json(cls, data: Any) -> Found:
        """Raises ValueError if this is not what `to_json` gave."""
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise ValueError(f"here should be an object of the schema {SCHEMA}")
        try:
            parts = {key: value for key, value in data.items() if key != "schema"}
            parts["capabilities"] = tuple(parts["capabilities"])
            parts["verdicts"] = {part["id"]: _verdict(part) for part in parts["verdicts"]}
            return cls(**parts)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not whole: {error}") from error


def _verdict(data: dict[str, Any]) -> Verdict:
    shown = data["counterexample"]
    if shown is not None:
        shown = Counterexample(**{**shown, "trace": tuple(shown["trace"]), "before": tuple(shown["before"])})
    return Verdict(**{**data, "counterexample": shown})


def bounded(verdict: Verdict) -> Verdict:
    """The verdict with every text a text that can be written: no lone surrogate, no endless line."""
    shown = verdict.counterexample
    if shown is not None:
        shown = dataclasses.replace(
            shown, message=clean(shown.message), step=clean(shown.step), trace=tuple(map(clean, shown.trace))
        )
    return dataclasses.replace(verdict, message=clean(verdict.message), counterexample=shown)


def clean(text: str) -> str:
    """The text in Unicode that can be encoded, and not longer than a report can bear."""
    told = text.encode("utf-8", "backslashreplace").decode()
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}… ({len(told) - LONGEST} more characters)"
