"""The command line: `harness-props check | compare | diff | fuzz | grade | list | matrix | replay | …`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from grading.across.cli import compare, diff, matrix
from grading.batch.cli import grade
from grading.checking import Asked, run_checks
from grading.export.commands import explain, gradescope_zip
from grading.fuzz.cli import baseline, fuzz
from grading.leave import BROKEN, INTERRUPTED, complain, crash, leaving
from grading.listing import list_properties
from grading.options import (
    KINDS,
    AppDir,
    Isolated,
    Jobs,
    Language,
    Lesson,
    LessonOption,
    Named,
    Only,
    TierName,
    Validated,
    no_empty,
    patterns_of,
    port_number,
    positive,
    whole,
)  # fmt: skip
from grading.power import HARD_SEEDS, SEEDS
from grading.powering import measure
from grading.programs import programs
from grading.replay import replay_file
from grading.smoke import smoke_test
from grading.templates import print_template
from grading.version import suite_version
from properties.registry import Tier

app = typer.Typer(
    name="harness-props", no_args_is_help=True, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Check an agent harness against properties, and show the smallest script that breaks one.",
    epilog="Exit status: 0 all hold, 1 something fails, 2 the call or the target is unusable, "
           "3 the suite or an adapter broke.",
)  # fmt: skip


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"harness-props {suite_version()}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


@app.command()
def check(
    targets: Annotated[list[str], typer.Argument(metavar="TARGET", callback=no_empty, help=KINDS)],
    tier: Annotated[
        TierName | None,
        typer.Option(help="Up to which tier; course for a file, field for everything else if not given."),
    ] = None,
    lesson: LessonOption = Lesson.six,
    only: Only = None,
    examples: Annotated[int, typer.Option(parser=positive, metavar="N", help="Scripts per property.")] = 100,
    seed: Annotated[int, typer.Option(parser=whole, metavar="N", help="One seed, one set of scripts.")] = 0,
    jobs: Jobs = 1,
    stop: Annotated[bool, typer.Option("-x", "--exitfirst", help="Stop at the first failure.")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="JSON report; - is stdout")] = None,
    junit: Annotated[str | None, typer.Option(metavar="FILE", help="Write verdicts as JUnit XML.")] = None,
    timings: Annotated[bool, typer.Option("--timings", help="Show CPU seconds per property.")] = False,
    isolation: Isolated = None,
    app_dir: AppDir = None,
    known: Annotated[
        str | None, typer.Option("--baseline", metavar="FILE", help="What is known to fail; see fuzz.")
    ] = None,
    validate: Validated = False,
    keep_going: Annotated[
        bool | None,
        typer.Option(
            "--keep-going/--no-keep-going", show_default=False,
            help="Judge what depends on a failing property, on scripts that do not break it (default: not "
                 "for a file).",
        ),
    ] = None,
) -> None:
    """Judge every property on one or more harnesses."""
    level = Tier.named(tier.value) if tier else None
    asked = Asked(tuple(targets), level, int(lesson.value), patterns_of(only), examples, seed, jobs, stop,
                  json, junit, timings, app_dir, isolation.value if isolation else None, known,
                  validate, keep_going)  # fmt: skip
    leaving(lambda: run_checks(asked))


@app.command(name="list")
def list_(
    tier: Annotated[TierName, typer.Option(help="Up to which tier.")] = TierName.field,
    json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """Show every property: id, tier, sentence, source, needs, depends on."""
    leaving(lambda: list_properties(Tier.named(tier.value), as_json=json))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A counterexample, or what --json wrote.")],
    target: Annotated[
        str | None, typer.Option(metavar="TARGET", help="The harness to play it on (default: the report's).")
    ] = None,
    only: Only = None,
    app_dir: AppDir = None,
) -> None:
    """Judge counterexamples again: FIXED, STILL FAILS or ERROR."""
    leaving(lambda: replay_file(file, target=target, only=patterns_of(only), app_dir=app_dir))


@app.command()
def smoke(
    target: Named, lesson: LessonOption = Lesson.six, app_dir: AppDir = None, validate: Validated = False,
) -> None:  # fmt: skip
    """Play five trivial scripts and show what was sent and seen, for whoever writes an adapter."""
    leaving(lambda: smoke_test(target, lesson=int(lesson.value), app_dir=app_dir, validate=validate))


@app.command()
def template(
    language: Annotated[Language, typer.Argument(help="The language of the harness's adapter.")],
) -> None:
    """Print an adapter of the process protocol to begin with, for a harness in another language."""
    leaving(lambda: print_template(language.value))


@app.command()
def serve(
    script: Annotated[
        str, typer.Argument(metavar="SCRIPT", help="A script, a counterexample, or what check --json wrote.")
    ],
    port: Annotated[int, typer.Option(parser=port_number, metavar="N", help="0 is a free one.")] = 8642,
    wire: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="chat, responses, anthropic, gemini; repeatable (default: all)."),
    ] = None,
    side: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Requests beside the conversation hold this; repeatable."),
    ] = None,
    picky: Annotated[
        bool, typer.Option("--picky", help="Refuse what only the API of that wire refuses, too.")
    ] = False,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep each request there, a line of JSON each.")
    ] = None,
) -> None:
    """Play a script to your own agent: a scripted model provider on this machine.

    Exit status: 0 after Ctrl-C, 2 the script or the port cannot be used.
    """
    from grading.serving import serve_script

    options = (script, port, tuple(wire or ()), tuple(side or ()), picky)
    leaving(lambda: serve_script(*options, record=record))


app.command()(grade)
app.command()(fuzz)
app.command()(baseline)


@app.command()
def power(
    bugs: Annotated[list[str] | None, typer.Argument(metavar="BUG", help="Default: all.")] = None,
    budgets: Annotated[str, typer.Option(metavar="N,N", help="Examples per property.")] = "20,50,100,200,500",
    seeds: Annotated[int, typer.Option(parser=positive, metavar="N", help="Runs of each.")] = SEEDS,
    hard_seeds: Annotated[
        int, typer.Option(parser=positive, metavar="N", help="Runs for the ten hardest bugs.")
    ] = HARD_SEEDS,
    jobs: Jobs = 1,
    kills: Annotated[Path, typer.Option(metavar="FILE", help="The kill matrix.")] = Path("docs/kills.json"),
    json: Annotated[Path, typer.Option(metavar="FILE", help="What to write.")] = Path("docs/power.json"),
    every: Annotated[
        bool, typer.Option("--every", help="Try draws on the bugs, too, that explicit examples catch.")
    ] = False,
) -> None:
    """Measure how surely each planted bug is caught, by the number of examples; resumable.

    With BUGs only their rows of the table are measured and replaced.
    """
    numbers = tuple(positive(part.strip()) for part in budgets.split(","))
    leaving(lambda: measure(bugs or [], numbers, seeds, hard_seeds, jobs, kills, json, every))


app.command()(compare)
app.command()(matrix)
app.command()(diff)
app.command()(programs)
app.command()(gradescope_zip)
app.command()(explain)


def main() -> NoReturn:
    """Run the command line; always ends in SystemExit with the status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # for terminals that lack a character
    try:
        app()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except Exception as error:
        complain(crash(error))
        status = BROKEN
    sys.exit(status)


if __name__ == "__main__":
    main()
