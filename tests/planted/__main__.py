"""`python -m tests.planted [NAME …]`: the kill matrix, and whether its gates hold."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from properties.registry import load
from tests.planted.catalogue import all_planted
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
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging planted bugs", total=len(bugs) + len(ids))
        rows = matrix(bugs, ids, given.examples, given.seed, given.jobs, lambda: bar.advance(task))
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
