"""The command line of `harness-props grade`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grading.leave import leaving

HELP = "A folder of files or of folders, a zip, or a glob in quotes."


def _positive(text: str) -> int:
    """A whole number from 1 on. Raises BadParameter showing what was given."""
    try:
        number = int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number") from None
    if number < 1:
        raise typer.BadParameter(f"{number} is too small, a whole number from 1 on is accepted")
    return number


def _formats(wanted: bool) -> None:
    if wanted:
        from grading.batch.outputs import listing

        typer.echo(listing(), nl=False)
        raise typer.Exit


def _rubric(wanted: bool) -> None:
    if wanted:
        from grading.batch.rubric import DEFAULT

        typer.echo(DEFAULT.read_text(encoding="utf-8"), nl=False)
        raise typer.Exit


def _rung(text: str) -> str:
    from grading.isolation.ladder import NAMES

    if text not in NAMES:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(NAMES)}")
    return text


def grade(
    submissions: Annotated[str, typer.Argument(metavar="SUBMISSIONS", help=HELP)],
    results: Annotated[Path, typer.Option("-o", "--output", metavar="RESULTS", help="Folder to write to.")],
    rubric: Annotated[str | None, typer.Option(metavar="FILE", help="Rubric in TOML.")] = None,
    isolation: Annotated[
        str, typer.Option(callback=_rung, metavar="RUNG", help="What stands round the students' code.")
    ] = "auto",
    trust: Annotated[bool, typer.Option("--trust", help="Let auto settle for a plain process.")] = False,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", parser=_positive, metavar="N", help="At a time (default: all cores)."),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Work on a Dask cluster: tcp://HOST:PORT.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="In place of the rubric's seed.")] = None,
    examples: Annotated[
        int | None,
        typer.Option(parser=_positive, metavar="N", help="Scripts per property, in place of the rubric's."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume/--fresh", help="Go on from what is in RESULTS, or begin anew.")
    ] = True,
    formats: Annotated[
        list[str] | None, typer.Option("--format", metavar="NAME", help="Write this, too; repeatable.")
    ] = None,
    file_name: Annotated[
        str, typer.Option(metavar="NAME", help="The harness's file in a folder; a pattern will do.")
    ] = "harness.py",
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say nothing but what is wrong.")] = False,
    _formats: Annotated[
        bool, typer.Option("--formats", callback=_formats, is_eager=True, help="Show what can be written.")
    ] = False,
    _rubric: Annotated[
        bool, typer.Option("--show-rubric", callback=_rubric, is_eager=True, help="Show the default rubric.")
    ] = False,
) -> None:
    """Grade a class: every submission judged, isolated, with points and reports.

    Exit status: 0 every submission has its grade, 1 some could not be judged, 2 the call is
    unusable, 3 some met a fault of ours.
    """
    from grading.batch.command import Wanted, grade_class

    wanted = Wanted(submissions, results, rubric, isolation, trust, jobs, cluster, seed, examples, not resume,
                    tuple(formats or ()), file_name, quiet)  # fmt: skip
    leaving(lambda: grade_class(wanted))
