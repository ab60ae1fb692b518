"""How a comparison looks: columns side by side on a terminal, one harness below the other in a pipe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grading.pretty import clipped, pretty
from grading.screen import Screen, safe
from grading.show import CODE, COLOURS
from strategies.printing import to_python

if TYPE_CHECKING:
    from grading.across.compare import Reading, Side
    from grading.across.script import Asked

COLUMN = 34  # columns of a terminal that one harness needs at least
OTHER = "bold yellow"  # a line that the first harness does not have at the same place


def show(script: Asked, sides: Sequence[Side]) -> None:
    """The script, then what each harness made of it."""
    screen = Screen(Console())
    screen.code("script", clipped(pretty(to_python(script.script), screen.room).split("\n"), CODE))
    if script.before:
        screen.labelled("", f"after {len(script.before)} earlier in the same process")
    able = [side for side in sides if not side.problem]
    if screen.console.is_terminal:
        room = max(1, (screen.console.width - 12) // COLUMN)
        for start in range(0, len(able), room):
            screen.line()
            screen.console.print(_table(able[start : start + room], able[0]))
        return
    for side in able:
        screen.line()
        _told(screen, side)


def named(side: Side) -> str:
    """The target, and what it says of itself where that is something else."""
    about = f"{side.name} {side.version}".strip()
    return side.target if about in ("", side.target) else f"{side.target} ({about})"


def _told(screen: Screen, side: Side) -> None:
    screen.line(Text(safe(named(side)), "bold"))
    for reading in side.readings:
        words = f" {reading.id}{': ' * bool(reading.message)}{safe(reading.message)}"
        screen.line(Text.assemble((reading.verdict, COLOURS[reading.verdict]), words), indent=2)
    for line in side.lines or [f"({side.note})"]:
        screen.line(line, indent=4)


# ---- side by side -------------------------------------------------------------------------


def _table(sides: Sequence[Side], first: Side) -> Table:
    table = Table(show_lines=True, pad_edge=False, expand=True)
    table.add_column("", style="bold", no_wrap=True)
    for side in sides:
        table.add_column(Text(safe(named(side).replace(" (", "\n(", 1))), ratio=1, overflow="fold")
    for number, reading in enumerate(first.readings):
        table.add_row(reading.id, *(_verdict(side.readings[number]) for side in sides))
    groups = [grouped(side.lines) for side in sides]
    known = grouped(first.lines)
    for place in sorted({place for group in [known, *groups] for place in group}):
        run, request = place
        label = (f"run {run}\n" if run else "") + (f"request {request}" if request else "")
        cells = [_lines(group.get(place, ()), known.get(place, ()) if side is not first else None)
                 for group, side in zip(groups, sides, strict=True)]  # fmt: skip
        table.add_row(label, *cells)
    if any(side.note for side in sides):
        table.add_row("", *(Text(safe(side.note), "dim") for side in sides))
    return table


def _verdict(reading: Reading) -> Text:
    message = f"\n{safe(reading.message)}" if reading.message else ""
    return Text.assemble((reading.verdict, COLOURS[reading.verdict]), message)


def grouped(lines: Sequence[str]) -> dict[tuple[int, int], list[str]]:
    """The lines of a transcript by run and request, so that the same request stands side by side."""
    found: dict[tuple[int, int], list[str]] = {}
    place = (0, 0)
    for line in lines:
        run = re.fullmatch(r"run (\d+):", line)
        asked = re.match(r"request (\d+): ", line)
        place = (int(run[1]), 0) if run else (place[0], int(asked[1])) if asked else place
        found.setdefault(place, []).append(line)
    return found


def _lines(lines: Sequence[str], known: Sequence[str] | None) -> Text:
    parts = [Text(safe(line) + "\n", "" if known is None or line in known else OTHER) for line in lines]
    text = Text.assemble(*parts)
    text.rstrip()
    return text
