"""The exporters' own commands, for `grading.cli` to register: `gradescope-zip` and `explain`."""

from __future__ import annotations

from typing import Annotated

import typer

from grading.leave import leaving


def gradescope_zip(
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The zip to write.")],
    rubric: Annotated[
        str | None, typer.Option(metavar="FILE", help="Default: the suite's own rubric.")
    ] = None,
    examples: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Scripts per property.")
    ] = None,
    file_name: Annotated[
        str | None, typer.Option(metavar="NAME", help="What the students' file is called.")
    ] = None,
) -> None:
    """Write an autograder zip for Gradescope: suite, pinned versions and scripts in one file."""
    from grading.export import zipping

    leaving(lambda: zipping.gradescope_zip(output, rubric=rubric, examples=examples, file_name=file_name))


def explain(
    verdicts: Annotated[
        str,
        typer.Argument(metavar="VERDICTS", help="From check --json or grade, results.jsonl too; - is stdin."),
    ],
    property_: Annotated[
        list[str] | None,
        typer.Option("--property", metavar="ID", help="Only these ids: LOOP-03, 'READ-*'; repeatable."),
    ] = None,
) -> None:
    """Say in plain words what a failure means, why it matters and what to look at first."""
    from grading.export import explain as work

    wanted = [part.strip().upper() for given in property_ or [] for part in given.split(",") if part.strip()]
    if property_ and not wanted:
        raise typer.BadParameter("an empty text names no property", param_hint="--property")
    leaving(lambda: work.explain(verdicts, wanted=wanted))
