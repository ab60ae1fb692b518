"""`harness-props power`: run the campaign, show how it goes, and write what the docs are made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from grading import power
from grading.leave import OK, BadCall

ROOT = Path(__file__).resolve().parents[1]
JUDGING = ("properties", "strategies", "adapters", "harness_ref", "grading/engine.py", "grading/hunt.py")


def fingerprint(root: Path = ROOT) -> str:
    """Twelve hex digits that change with anything that decides how a trial of a given bug comes out."""
    digest = hashlib.sha256()
    for part in JUDGING:
        path = root / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()[:12]


def read_kills(file: Path) -> dict[str, dict[str, str]]:
    """The kill matrix: bug -> property -> how. Raises BadCall if there is none."""
    try:
        kills: dict[str, dict[str, str]] = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise BadCall(f"{file} is no kill matrix ({error}); `python -m tests.planted --json {file}` "
                      "writes one") from error  # fmt: skip
    return kills


def measure(
    names: list[str], budgets: tuple[int, ...], seeds: int, hard_seeds: int, jobs: int,
    kills: Path, out: Path, every: bool = False,
) -> int:  # fmt: skip
    """Run what is missing and write `out`; the trials themselves stay in `.power/`.

    With `names` only their rows are measured, and replaced in `out`.

    Draws are tried on the bugs that the explicit examples do not catch, or with `every` on all.
    """
    known = power.bugs()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadCall(f"no planted bug is called {', '.join(unknown)}")
    catches = read_kills(kills)

    def catching(bug: power.Bug) -> list[str]:
        row = catches.get(bug.name, {})
        return [i for i in power.chapter_of(bug) if i == bug.property or row.get(i) == "catches"]

    chosen = names or list(known)
    mark = fingerprint()
    file = ROOT / ".power" / f"{mark}.jsonl"
    file.parent.mkdir(exist_ok=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"{len(chosen)} bugs, explicit examples")

        def heard(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        trials = power.campaign(chosen, catching, (power.EXPLICIT,), 1, jobs, file, heard)
        sure = {t.bug for t in trials if t.budget == power.EXPLICIT and t.example is not None}
        unsure = [name for name in chosen if every or name not in sure]
        bar.update(task, description=f"{len(unsure)} bugs, {seeds} seeds")
        trials = power.campaign(unsure, catching, budgets, seeds, jobs, file, heard)
        hard = power.hardest(power.chances(t for t in trials if t.bug in unsure and t.budget in budgets))
        bar.update(task, description=f"the {len(hard)} hardest, {hard_seeds} seeds")
        trials = power.campaign(hard, catching, budgets, hard_seeds, jobs, file, heard)
    counted = {name: (power.EXPLICIT, *(budgets if name in unsure else ())) for name in chosen}
    table = power.chances(t for t in trials if t.budget in counted.get(t.bug, ()))
    rows = {name: _row(known[name], by) for name, by in table.items()}
    rows = {**(_kept(out, budgets, known) if names else {}), **rows}
    report: dict[str, Any] = {
        "suite": mark, "budgets": list(budgets), "level": power.LEVEL,
        "hardest": power.hardest({n: row["chances"] for n, row in rows.items() if row["chances"]}),
        "bugs": dict(sorted(rows.items())),
    }  # fmt: skip
    out.write_text(json.dumps(report, indent=1) + "\n")
    show(table, budgets)
    return OK


def _kept(out: Path, budgets: tuple[int, ...], known: Mapping[str, power.Bug]) -> dict[str, Any]:
    """The rows of an earlier report with the same budgets, of the bugs that there still are; else none."""
    try:
        report = json.loads(out.read_text())
        kept = report["bugs"] if report["budgets"] == list(budgets) else {}
        return {name: row for name, row in kept.items() if name in known}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _row(bug: power.Bug, by: dict[int, dict[str, Any]]) -> dict[str, Any]:
    explicit = bool(by[power.EXPLICIT]["caught"])
    chances = {budget: cell for budget, cell in by.items() if budget != power.EXPLICIT}
    return {"property": bug.property, "explicit examples catch it": explicit, "chances": chances}


def show(table: dict[str, dict[int, dict[str, Any]]], budgets: tuple[int, ...]) -> None:
    """How many bugs draws catch nearly always at each budget, and the one they catch least."""
    drawn = sum(any(budget in by for budget in budgets) for by in table.values())
    typer.echo(f"{len(table)} bugs; draws were tried on {drawn}, which the explicit examples do not catch"
               if drawn < len(table) else f"{drawn} bugs")  # fmt: skip
    typer.echo(f"{'examples':>8}  caught with 95 % and more  least chance  (bug)")
    for budget in budgets:
        shares = {bug: by[budget]["share"] for bug, by in table.items() if budget in by}
        if shares:
            least = min(shares, key=lambda bug: (shares[bug], bug))
            sure = sum(share >= 0.95 for share in shares.values())
            typer.echo(f"{budget:>8}  {sure:>11} of {len(shares):<11}  {shares[least]:>12.0%}  ({least})")
