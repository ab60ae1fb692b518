"""`harness-props programs`: the command-line agents that the suite knows, and how they are installed."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Annotated, Any

import typer

from grading.leave import OK, leaving


def programs(
    install: Annotated[
        str | None, typer.Option("--install", metavar="NAME", help="Install this one, or a file's own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """Show the command-line agents that can be checked as wire:NAME, or install one."""
    leaving(lambda: _install(install) if install else _list(as_json=as_json))


def _list(*, as_json: bool) -> int:
    from adapters.programs.reading import known

    rows = [_row(program) for program in known().values()]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return OK
    for row in rows:
        state = "installed" if row["installed"] else f"harness-props programs --install {row['name']}"
        cells = (row["name"], row["version"], row["licence"], ",".join(row["wires"]), state)
        sys.stdout.write("\t".join(cells) + "\n")
    if shutil.which("bwrap") is None:
        sys.stderr.write("none of them can be run here: bubblewrap, which builds their rooms, is missing\n")
    return OK


def _row(program: Any) -> dict[str, Any]:
    from adapters.programs.installing import commands, home_of, lacking

    return {
        "name": program.name, "version": program.version, "licence": program.licence, "wires": program.wires,
        "homepage": program.homepage, "installed": not lacking(program), "folder": str(home_of(program)),
        "commands": commands(program),
    }  # fmt: skip


def _install(name: str) -> int:
    from adapters.programs.harness import named
    from adapters.programs.installing import home_of, install

    program = named(f"wire:{name}")
    install(program)
    where = home_of(program)
    sys.stdout.write(f"{program.name} {program.version} is in {where}: harness-props check wire:{name}\n")
    return OK
