"""What the commands of the command line accept: their kinds, how a text becomes one, and shared options."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from properties.registry import load


class TierName(enum.StrEnum):
    """The tiers, narrowest first; each includes those before it."""

    course = "course"
    principle = "principle"
    field = "field"


class Lesson(enum.StrEnum):
    """The lessons after which a course file can be checked."""

    three = "3"
    six = "6"


class Isolation(enum.StrEnum):
    """The rungs of the ladder, weakest first, and the strongest that works."""

    auto = "auto"
    process = "process"
    landlock = "landlock"
    namespace = "namespace"
    container = "container"


class Language(enum.StrEnum):
    """The languages that there is a template for."""

    python = "python"
    javascript = "javascript"
    shell = "shell"


def _ids(incomplete: str) -> list[str]:
    """Ids and chapters that begin like this, for the shell's completion."""
    known = list(load())
    chapters = dict.fromkeys(f"{id_.partition('-')[0]}-*" for id_ in known)
    return [name for name in [*chapters, *known] if name.startswith(incomplete.upper())]


def no_empty(values: list[str]) -> list[str]:
    """Names of targets, none of them empty."""
    if any(not value.strip() for value in values):
        raise typer.BadParameter("an empty text names no target")
    return values


def whole(text: str) -> int:
    """A whole number. Raises BadParameter showing what was given and what is accepted."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number") from None


def positive(text: str) -> int:
    """A whole number from 1 on."""
    number = whole(text)
    if number < 1:
        raise typer.BadParameter(f"{number} is too small, a whole number from 1 on is accepted")
    return number


def port_number(text: str) -> int:
    """The number of a port, or 0."""
    number = whole(text)
    if not 0 <= number < 65536:
        raise typer.BadParameter(f"{number} is no port, 0 to 65535 is accepted")
    return number


KINDS = "A harness.py, adapter:NAME, process:COMMAND, wire:NAME, or package.module:object."
Named = Annotated[str, typer.Argument(metavar="TARGET", help=KINDS)]
Jobs = Annotated[
    int, typer.Option("-j", "--jobs", parser=positive, metavar="N", help="Properties judged at a time.")
]
LessonOption = Annotated[Lesson, typer.Option(help="Judge a course file by this lesson's statements.")]
AppDir = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Where package.module:object is looked for (default: here)."),
]
Isolated = Annotated[
    Isolation | None, typer.Option(help="Keep a file that is not trusted apart; auto is the strongest here.")
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN", autocompletion=_ids, help="Only these ids: LOOP-03, 'READ-*'; repeatable."
    ),
]  # fmt: skip
Validated = Annotated[
    bool, typer.Option("--validate", help="Check every line of a process:COMMAND against its schema.")
]


def patterns_of(patterns: list[str] | None) -> tuple[str, ...]:
    """Patterns given one by one or with commas, in the capitals that ids have."""
    split = [part.strip().upper() for pattern in patterns or [] for part in pattern.split(",")]
    if patterns and not any(split):
        raise typer.BadParameter("an empty text names no property", param_hint="--only")
    return tuple(part for part in split if part)
