"""`python -m tests.planted [NAME …]`: the kill matrix, and whether its gates hold."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from properties.registry import load
from tests.miniatures.planting import Miniature
from tests.planted.catalogue import all_planted
from tests.planted.kept import keep, kept, kept_in
from tests.planted.matrix import CATCHES, Row, failing_gates, matrix, only_catchers

ABOUT = "Judge every planted bug by every property and say which catches which."


def main() -> int:
    """Exit status 0 if the gates hold, 1 if one fails, 2 if a name is unknown."""
    options = argparse.ArgumentParser(prog="python -m tests.planted", description=ABOUT)
    options.add_argument("names", nargs="*", metavar="NAME", help="only these bugs; no gates then")
    options.add_argument("--by", action="append", metavar="ID", default=[],
                         help="only these properties, as in --by 'LOOP-*'; no gates then")  # fmt: skip
    options.add_argument("--examples", type=int, default=100)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--fresh", action="store_true", help="forget the rows that an earlier run has kept")
    options.add_argument("--json", type=Path, metavar="FILE",
                         help="write the matrix there; with NAMEs, replace their rows in it")  # fmt: skip
    given = options.parse_args()
    known = {bug.name: bug for bug in all_planted()}
    unknown = [name for name in given.names if name not in known]
    if unknown:
        print(f"no planted bug is called {', '.join(unknown)}", file=sys.stderr)
        return 2
    bugs = [known[name] for name in given.names or known]
    ids = [i for i in load() if not given.by or any(fnmatch.fnmatchcase(i, by) for by in given.by)]
    rows = measured(bugs, ids, given)
    show(rows, {bug.name: bug.property for bug in bugs})
    if given.json:
        table = json.loads(given.json.read_text()) if given.names and given.json.exists() else {}
        table = {**table, **{r.bug: dict(r.cells) for r in rows}}
        given.json.write_text(json.dumps(table, indent=1) + "\n")
    wrong = [] if given.names or given.by else failing_gates(rows, bugs)
    print(f"{len(rows)} bugs, {len(only_catchers(rows))} properties that alone catch one")
    for line in wrong:
        print(f"GATE {line}")
    return 1 if wrong else 0


def measured(bugs: list[Miniature], ids: list[str], given: argparse.Namespace) -> list[Row]:
    """The rows of these bugs: those that an earlier run has kept, and the rest."""
    file = kept_in("planted", ids, given.examples, given.seed)
    if given.fresh:
        file.unlink(missing_ok=True)
    done = {name: Row(name, cells) for name, cells in kept(file, bugs).items()}
    left = {bug.name: bug for bug in bugs if bug.name not in done}
    if not left:
        return [done[bug.name] for bug in bugs]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging planted bugs", total=len(left) + len(ids))

        def heard(row: Row | None) -> None:
            bar.advance(task)
            if row is not None and not row.broke:
                keep(file, left[row.bug], dict(row.cells))

        rows = matrix(list(left.values()), ids, given.examples, given.seed, given.jobs, heard)
    done |= {row.bug: row for row in rows}
    return [done[bug.name] for bug in bugs]


def show(rows: list[Row], named: dict[str, str]) -> None:
    """One line for each bug: who catches it, the property it names first."""
    width = max(len(r.bug) for r in rows)
    for r in rows:
        catching = sorted((i for i, how in r.cells.items() if how == CATCHES), key=named[r.bug].__ne__)
        telling = [i for i, how in r.cells.items() if how != CATCHES]
        mark = "ok" if named[r.bug] in catching else f"NOT BY {named[r.bug]}"
        also = f"  (told for others: {', '.join(telling)})" if telling else ""
        print(f"{r.bug:<{width}}  {mark}  {', '.join(catching) or r.broke or 'nobody'}{also}")


if __name__ == "__main__":
    sys.exit(main())
