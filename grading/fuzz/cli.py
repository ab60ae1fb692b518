"""The command line of `harness-props fuzz` and `harness-props baseline`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from grading.leave import leaving

KINDS = "A harness.py, adapter:NAME, process:COMMAND, or package.module:object."
TIERS = ("course", "principle", "field")


def seconds(text: str) -> float:
    """A time such as 90s, 10m or 1h30m. Raises BadParameter showing what was given."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text.strip())
    parts = found.groups() if found else (None, None, None)
    total = sum(int(part or 0) * unit for part, unit in zip(parts, (3600, 60, 1), strict=True))
    if not total:
        raise typer.BadParameter(f"{text!r} is no time; write it as 90s, 10m or 1h30m")
    return float(total)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise typer.BadParameter(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _tier(text: str | None) -> str | None:
    if text is not None and text not in TIERS:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(TIERS)}")
    return text


def fuzz(
    target: Annotated[str, typer.Argument(metavar="TARGET", help=KINDS)],
    max_time: Annotated[
        float | None,
        typer.Option(parser=seconds, metavar="TIME", help="90s, 10m, 1h30m (10m if nothing is said)."),
    ] = None,
    examples: Annotated[
        int | None, typer.Option(parser=_positive, metavar="N", help="Scripts per property, in all rounds.")
    ] = None,
    go_on: Annotated[bool, typer.Option("--continue", help="Go on from where the last run stopped.")] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of the first round (default: a fresh one).")
    ] = None,
    corpus: Annotated[
        Path, typer.Option(metavar="DIR", help="Scripts that broke some harness, and what runs found.")
    ] = Path(".fuzz"),
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="What is known to fail; only what is new counts.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Only these ids: LOOP-03, 'READ-*'; repeatable."),
    ] = None,
    tier: Annotated[
        str | None, typer.Option(callback=_tier, metavar="TIER", help="Up to which tier, as in check.")
    ] = None,
    lesson: Annotated[int, typer.Option(min=3, max=6, metavar="3|6", help="As in check.")] = 6,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="JSON report; - is stdout")] = None,
    app_dir: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where package.module:object is looked for.")
    ] = None,
) -> None:
    """Look for failures with fresh seeds, go on after each, and show the smallest script of every kind.

    Exit status: 0 nothing new, 1 something is new (or of the baseline gone or expired), 2 the call is
    unusable, 3 the suite or an adapter broke, 130 interrupted: everything is kept.
    """
    from grading.fuzz.command import Wanted, fuzz_target
    from properties.registry import Tier

    if lesson not in (3, 6):
        raise typer.BadParameter(f"{lesson} is not 3 or 6", param_hint="--lesson")
    if go_on and seed is not None:
        raise typer.BadParameter("a run that goes on has its seed already", param_hint="--seed")
    patterns = tuple(part.strip().upper() for text in only or [] for part in text.split(",") if part.strip())
    if only and not patterns:
        raise typer.BadParameter("an empty text names no property", param_hint="--only")
    level = Tier.named(tier) if tier else None
    wanted = Wanted(target, max_time, examples, go_on, seed, corpus, baseline, patterns, level, lesson, json,
                    app_dir)  # fmt: skip
    leaving(lambda: fuzz_target(wanted))


def baseline(
    results: Annotated[str, typer.Argument(metavar="RESULTS", help="What fuzz or check wrote with --json.")],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Baseline to write or add to; - is stdout.")
    ],
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why new entries are accepted (default: what was seen).")
    ] = "",
    link: Annotated[str | None, typer.Option(metavar="URL", help="Where new entries are told of.")] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="DAY", help="Until when, as 2030-12-31 (default: in 90 days).")
    ] = None,
) -> None:
    """Write what a run has found down as known: for fuzz --baseline and check --baseline."""
    from grading.fuzz.baseline import day, soon
    from grading.fuzz.writing import write_baseline

    leaving(lambda: write_baseline(results, output, reason=reason, link=link,
                                   expires=day(expires, "--expires") if expires else soon()))  # fmt: skip
