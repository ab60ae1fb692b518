"""The command lines that look at many harnesses: `compare`, `matrix` and `diff`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grading.leave import leaving

Json = Annotated[str | None, typer.Option(metavar="FILE", help="Write it as JSON; - is stdout.")]


def compare(
    script: Annotated[
        str, typer.Argument(metavar="SCRIPT", help="A script, a counterexample, or what check --json wrote.")
    ],
    targets: Annotated[
        list[str],
        typer.Argument(metavar="TARGET", help="A harness.py, adapter:NAME, process:COMMAND, or an object."),
    ],
    property_: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="ID", help="Who judges it: LOOP-03, 'READ-*'; repeatable."),
    ] = None,
    json: Json = None,
    app_dir: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Where package.module:object is looked for (default: here)."),
    ] = None,
) -> None:
    """Play one script on many harnesses: transcripts and verdicts side by side."""
    from grading.across.compare import compare as work

    wanted = tuple(
        part.strip().upper() for given in property_ or [] for part in given.split(",") if part.strip()
    )
    if property_ and not wanted:
        raise typer.BadParameter("an empty text names no property", param_hint="--property")
    leaving(lambda: work(script, tuple(targets), patterns=wanted, to=json, app_dir=app_dir))


def matrix(
    results: Annotated[
        list[str], typer.Argument(metavar="RESULTS", help="What check --json wrote, of any number of runs.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="SITE", help="Folder to write to.")],
    note: Annotated[
        str, typer.Option(metavar="TEXT", help="A sentence for the page: when and how they were run.")
    ] = "",
) -> None:
    """Write properties by harnesses as static pages, from verdicts of many runs.

    Exit status: 0 written, 2 the verdicts or the folder cannot be used.
    """
    from grading.across.matrix import matrix as work

    leaving(lambda: work(results, output, note=note))


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="What check --json wrote before.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="What it wrote now.")],
    json: Json = None,
) -> None:
    """Say what is fixed, newly failing and still failing between two files of verdicts.

    Exit status: 0 nothing newly fails, 1 something does, 2 a file is unusable or a harness was not judged,
    3 the suite newly broke.
    """
    from grading.across.diff import diff as work

    leaving(lambda: work(old, new, to=json))
