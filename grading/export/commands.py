"""The exporters' own commands, for `grading.cli` to register: `gradescope-zip` and `explain`."""

from __future__ import annotations

from typing import Annotated

import typer

from grading.leave import leaving


def gradescope_zip(
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The zip to write.")],
    rubric: Annotated[str | None, typer.Option(metavar="FILE", help="Default: the suite's own rubric.")] = None,
    examples: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Scripts per property.")
    ] = None,
) -> None:
    """Write an autograder zip for Gradescope: suite, pinned versions and scripts in one file."""
    from grading.export import zipping

    leaving(lambda: zipping.gradescope_zip(output, rubric=rubric, examples=examples))
