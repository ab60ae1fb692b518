"""The corpus: scripts that broke some harness, as semantic JSON, in files named by what is in them.

A file is a counterexample without a harness, so `harness-props replay FILE --target TARGET` plays it, and
every harness plays those that others have put there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grading import formats
from grading.cases import Case, cases
from grading.leave import BadCall, complain
from grading.verdicts import SCHEMA, Counterexample
from properties.registry import load

Place = tuple[str, int, int]  # property, stage, lesson: where a script belongs


def _text(known: Counterexample) -> str:
    """What a file of the corpus holds of a counterexample; equal scripts are equal texts."""
    kept = {"schema": SCHEMA, "property": known.property, "stage": known.stage, "lesson": known.lesson,
            "script": known.script}  # fmt: skip
    return json.dumps(kept, indent=1, sort_keys=True) + "\n"


class Corpus:
    """A folder of scripts. What cannot be read, or is of no property any more, is told and left out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._scripts: dict[Place, list[Any]] = {}

    def read(self) -> int:
        """Read every script there is, and say how many. Raises BadCall if the folder cannot be used."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadCall(f"{self.folder}: no folder for a corpus, {error.strerror or error}") from error
        self._scripts.clear()
        for file in sorted(self.folder.glob("*.json")):
            try:
                found = cases(str(file), "the corpus")
            except BadCall as problem:
                complain(f"{problem}; this script is left out")
                continue
            for case in found:
                self._scripts.setdefault(_place(case), []).append(case.script)
        return sum(map(len, self._scripts.values()))

    def of(self, property_: str, stage: int, lesson: int) -> Iterable[Any]:
        """The scripts that belong to one stage of a property."""
        return tuple(self._scripts.get((property_, stage, lesson), ()))

    def keep(self, known: Counterexample) -> None:
        """Put a script into the folder; one that only fails after others is not worth it alone.

        Raises Unwritable.
        """
        if known.before:
            return
        text = _text(known)
        file = self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:20]}.json"
        if not file.exists():
            formats.write(str(file), text)


def _place(case: Case) -> Place:
    stages = load()[case.judged_by].stages
    return case.judged_by, next(n for n, stage in enumerate(stages) if stage is case.stage), case.lesson


