"""What mutmut's own result files say, and whether that is good enough."""

from __future__ import annotations

import ast
import fnmatch
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LISTED = Path(__file__).with_name("equivalent.toml")
MOST_LISTED = 0.03  # of all mutants
KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
# mutmut's exit codes; everything else is no result: None is not checked, 5 and 33 no tests, and 3 an
# error of the suite's own, which mutmut itself would count as a kill
STATUS: Mapping[Any, str] = {
    1: KILLED, 0: SURVIVED,
    36: TIMED_OUT, -24: TIMED_OUT, 24: TIMED_OUT, 152: TIMED_OUT, 255: TIMED_OUT,
}  # fmt: skip


class NoResult(Exception):
    """mutmut's run is no evidence of anything; the message says why."""


@dataclass(frozen=True)
class Mutant:
    """One mutant: mutmut's name for it, its module and function, and how it ended."""

    name: str
    status: str

    @property
    def module(self) -> str:
        """The dotted module."""
        return self.name.rpartition(".")[0]

    @property
    def function(self) -> str:
        """The function's own name: `x_clipped__mutmut_4` is a mutant of `clipped`."""
        found = re.fullmatch(r"x(?:ǁ\w+ǁ|_)(\w+)__mutmut_\d+", self.name.rpartition(".")[2])
        return found[1] if found else ""


def results(folder: Path, names: Sequence[str] = ()) -> list[Mutant]:
    """The mutants of a finished run, all or those whose names match a pattern of `names`.

    Raises NoResult if there are none, or one was not judged.
    """
    mutants = [
        Mutant(name, STATUS.get(code, f"no result ({code})"))
        for meta in sorted((folder / "mutants").rglob("*.meta"))
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items()
        if not names or any(fnmatch.fnmatchcase(name, pattern) for pattern in names)
    ]
    if not mutants:
        raise NoResult(f"mutmut left no result in {folder}; see mutmut.log there")
    missing = [m for m in mutants if m.status.startswith("no result")]
    if missing:
        kinds = Counter(m.status for m in missing)
        raise NoResult(f"{len(missing)} of {len(mutants)} mutants have none: {dict(kinds)}, the first "
                       f"{missing[0].name}; see {folder}/mutmut.log")  # fmt: skip
    return mutants


def change(folder: Path, mutant: Mutant) -> tuple[str, str]:
    """The words of a mutant that differ from the original: lines taken out, lines put in."""
    command = [sys.executable, "-m", "mutmut", "show", mutant.name]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    lines = [line for line in shown.splitlines() if not line.startswith(("---", "+++", "@@", "#"))]
    parts = ([line[1:].strip() for line in lines if line.startswith(sign)] for sign in "-+")
    before, after = ("\n".join(part) for part in parts)
    return before, after


def listed() -> dict[tuple[str, str, str], str]:
    """The reviewed equivalents: (function, lines out, lines in) -> why nothing can tell them apart."""
    entries = tomllib.loads(LISTED.read_text()).get("equivalent", [])
    return {(e["function"], e["out"].strip(), e["in"].strip()): e["reason"] for e in entries}


def killers(folder: Path) -> dict[str, str]:
    """Mutant -> the property that killed it first."""
    file = folder / "mutants" / "killers.tsv"
    found: dict[str, str] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        name, _, rest = line.partition("\t")
        found.setdefault(name, rest.partition("\t")[0])
    return found


def reaching(folder: Path) -> dict[str, list[str]]:
    """mutmut's name for a function -> the tests that run it."""
    stats = json.loads((folder / "mutants" / "mutmut-stats.json").read_text())
    found: Mapping[str, list[str]] = stats["tests_by_mangled_function_name"]
    return {name: sorted(test.rpartition("::")[2] for test in tests) for name, tests in found.items()}


def logical_lines(source: str) -> int:
    """Statements of a module, doc strings and imports aside."""
    tree = ast.parse(source)
    return sum(
        isinstance(node, ast.stmt)
        and not isinstance(node, (ast.Import, ast.ImportFrom))
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(tree)
    )


def per_module(mutants: Iterable[Mutant], folder: Path) -> dict[str, dict[str, Any]]:
    """For each module: mutants, how many were killed, and mutants per logical line."""
    table: dict[str, dict[str, Any]] = {}
    for mutant in mutants:
        row = table.setdefault(mutant.module, {"mutants": 0, "killed": 0, "survived": 0})
        row["mutants"] += 1
        row["killed" if mutant.status != SURVIVED else "survived"] += 1
    for module, row in table.items():
        lines = logical_lines((folder / Path(*module.split("."))).with_suffix(".py").read_text())
        row["per line"] = round(row["mutants"] / lines, 2)
    return table
