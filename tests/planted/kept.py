"""What was measured of a planted bug, kept at once, so that a run that was stopped goes on where it was.

It lies in a hidden folder of the checkout, one line for each bug, in a file for the code that judges and for
how it was measured; a line counts as long as its bug is planted as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grading.power import Bug, digest
from grading.powering import ROOT, fingerprint


def kept_in(what: str, *how: Any, root: Path = ROOT) -> Path:
    """The file of the measurement `what` that was made like this."""
    folder = root / f".{what}"
    folder.mkdir(exist_ok=True)
    return folder / f"{fingerprint()}-{hashlib.sha256(repr(how).encode()).hexdigest()[:8]}.jsonl"


def keep(file: Path, bug: Bug, value: Any) -> None:
    """Add what was measured of one bug."""
    with file.open("a") as out:
        out.write(json.dumps([bug.name, digest(bug), value]) + "\n")


def kept(file: Path, bugs: Iterable[Bug]) -> dict[str, Any]:
    """Bug -> what was measured of it. Half a line, of a run that was killed, is nothing."""
    wanted = {bug.name: digest(bug) for bug in bugs}
    found: dict[str, Any] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            name, mark, value = json.loads(line)
        except ValueError:
            continue
        if wanted.get(name) == mark:
            found[name] = value
    return found
