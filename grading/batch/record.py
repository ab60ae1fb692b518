"""One submission's result: a line of `results.jsonl`, schema `harness-props/result/v1`.

It holds all that reports and exporters need, and nothing that differs from one run to the next:
no time, no machine, no path outside the submissions. `schema/result.v1.schema.json` describes it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "harness-props/result/v1"
SCHEMA_FILE = Path(__file__).parents[1] / "schema" / "result.v1.schema.json"
GRADED, UNUSABLE, ERROR = "graded", "unusable", "error"
STATUSES = (GRADED, UNUSABLE, ERROR)
VISIBLE, AFTER_DUE_DATE, HIDDEN = "visible", "after_due_date", "hidden"
VISIBILITIES = (VISIBLE, AFTER_DUE_DATE, HIDDEN)


@dataclass(frozen=True)
class Judged:
    """One property's verdict with its points. `counterexample` is as `check --json` writes it.

    `verdict` is one of `grading.verdicts.VERDICTS`, `message` says what is wrong or why there is
    no verdict, `sentence` is the claim, `hint` is empty if the rubric gives none. `max_points`
    is what the property was worth to this submission.
    """

    id: str
    chapter: str
    tier: str
    verdict: str
    message: str = ""
    sentence: str = ""
    hint: str = ""
    examples: int = 0
    points: float = 0.0
    max_points: float = 0.0
    visibility: str = VISIBLE
    counterexample: dict[str, Any] | None = None


@dataclass(frozen=True)
class Isolation:
    """What stood round the student's code, and in sentences what it does not contain."""

    rung: str = "process"
    uncontained: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """All that is known of one submission.

    `submission` is a path inside SUBMISSIONS ("" if there is no file), `content` the sha256 of its
    files in hex. `problem` is a sentence if `status` is not *graded*; then there may be no
    verdicts, and the score is 0. `seed` is None if it is secret, and `seed_digest` stands for it.
    `verdicts` are in the catalogue's order.
    """

    student: str
    submission: str = ""
    content: str = ""
    status: str = GRADED
    problem: str = ""
    score: float = 0.0
    max_score: float = 0.0
    isolation: Isolation = field(default_factory=Isolation)
    set: str = ""
    tier: str = "course"
    lesson: int = 6
    examples: int = 100
    seed: int | None = 0
    seed_digest: str = ""
    suite_version: str = ""
    python: str = ""
    hypothesis: str = ""
    rubric: str = ""
    capabilities: tuple[str, ...] = ()
    policies: dict[str, str] = field(default_factory=dict)
    verdicts: tuple[Judged, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The result as JSON data; `seed_digest` is left out if the seed is shown."""
        data = {"schema": SCHEMA, **dataclasses.asdict(self)}
        data["isolation"]["uncontained"] = list(self.isolation.uncontained)
        data["capabilities"] = list(self.capabilities)
        data["verdicts"] = list(data["verdicts"])
        if not self.seed_digest:
            del data["seed_digest"]
        return data

    @classmethod
    def from_json(cls, data: Any) -> Result:
        """The result that `to_json` gave. Raises ValueError if the data is something else."""
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            found = data.get("schema") if isinstance(data, dict) else type(data).__name__
            raise ValueError(f"not a result: its schema is {found!r}, not {SCHEMA!r}")
        parts = {key: value for key, value in data.items() if key != "schema"}
        try:
            around = parts.pop("isolation")
            parts["isolation"] = Isolation(around["rung"], tuple(around["uncontained"]))
            parts["capabilities"] = tuple(parts["capabilities"])
            parts["verdicts"] = tuple(Judged(**verdict) for verdict in parts["verdicts"])
            return cls(**parts)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a whole result: {error}") from error


def line(result: Result) -> str:
    """The result as one line of `results.jsonl`, line end included.

    Keys are sorted. What is not ASCII is written as an escape, so that a line is a line for every
    reader, nothing in it moves a terminal's cursor, and odd characters survive.
    """
    return json.dumps(result.to_json(), sort_keys=True) + "\n"


def lines(results: Iterable[Result]) -> str:
    """All of `results.jsonl`, in the order of students' names."""
    return "".join(map(line, sorted(results, key=lambda result: (result.student, result.submission))))


def read(path: Path) -> list[Result]:
    """The results in a `results.jsonl`. Raises OSError, or ValueError naming file and line."""
    results = []
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if text.strip():
            try:
                results.append(Result.from_json(json.loads(text)))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return results
