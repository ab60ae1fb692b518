"""Rows of the kill matrix, kept as they are measured, so that a run that was stopped goes on where it was.

They lie in `.planted/`, one line each, in a file for the code that judges, the properties, the number of
examples and the seed; a row counts as long as its bug is planted as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from grading.power import digest
from grading.powering import ROOT, fingerprint
from tests.miniatures.planting import Miniature
from tests.planted.matrix import Row

FOLDER = ROOT / ".planted"


def kept_in(ids: Sequence[str], examples: int, seed: int, folder: Path = FOLDER) -> Path:
    """The file of the rows that were measured like this."""
    how = hashlib.sha256(repr((sorted(ids), examples, seed)).encode()).hexdigest()[:8]
    folder.mkdir(exist_ok=True)
    return folder / f"{fingerprint()}-{how}.jsonl"


def keep(file: Path, bug: Miniature, row: Row) -> None:
    """Add one row; one in which something of ours broke is measured again instead."""
    if not row.broke:
        with file.open("a") as out:
            out.write(json.dumps([bug.name, digest(bug), dict(row.cells)]) + "\n")


def kept(file: Path, bugs: Iterable[Miniature]) -> dict[str, Row]:
    """Bug -> its row, for those bugs that have one. Half a line, of a run that was killed, is none."""
    wanted = {bug.name: digest(bug) for bug in bugs}
    found: dict[str, Row] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            name, mark, cells = json.loads(line)
        except ValueError:
            continue
        if wanted.get(name) == mark:
            found[name] = Row(name, cells)
    return found
