"""`harness-props explain`: what a failure means, why it matters, and what to look at first."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grading.export.explanations import explanations
from grading.export.reading import Entry, Verdicts, read
from grading.leave import OK, BadCall
from grading.screen import Screen, safe
from grading.verdicts import FAILS, NOT_REACHED
from properties.registry import Property, load

NAMES = 8  # targets that are named before the rest is only counted


def explain(file: str, *, wanted: Sequence[str] = ()) -> int:
    """Print an explanation of each property that fails, or of those asked for; returns 0.

    `wanted` are patterns of ids. Raises BadCall if the file, or what is asked of it, is unusable.
    """
    known = load()
    unknown = [pattern for pattern in wanted if not any(fnmatch.fnmatchcase(id_, pattern) for id_ in known)]
    if unknown:
        raise BadCall(f"there is no property {', '.join(unknown)}; `harness-props list` shows them all")
    verdicts = read(file)
    screen = Screen(Console())
    for problem in verdicts.problems:
        screen.line(problem)
    failing = {entry.id for entry in verdicts.entries if entry.verdict == FAILS}
    picked = [
        prop for id_, prop in known.items()
        if (any(fnmatch.fnmatchcase(id_, pattern) for pattern in wanted) if wanted else id_ in failing)
    ]  # fmt: skip
    for number, prop in enumerate(picked):
        if number or verdicts.problems:
            screen.line()
        _one(screen, prop, verdicts)
    gone = sorted(failing - set(known))
    if gone:
        screen.line(f"\nnot known to this version: {', '.join(gone)}")
    if not picked and not gone and not verdicts.problems:
        sys.stdout.write(f"{file}: nothing fails, there is nothing to explain\n")
    elif not wanted:
        _waiting(screen, verdicts)
    return OK


def _one(screen: Screen, prop: Property, verdicts: Verdicts) -> None:
    """One property's explanation, with what was seen of it."""
    said = explanations()[prop.id]
    entries = [entry for entry in verdicts.entries if entry.id == prop.id]
    failing = [entry for entry in entries if entry.verdict == FAILS]
    screen.line(Text.assemble((prop.id, "bold red" if failing else "bold"), "  ", safe(prop.sentence)))
    screen.labelled("verdict", _verdict(entries, failing, verdicts))
    if len(failing) == 1 and failing[0].message:
        screen.labelled("seen", failing[0].message)
    screen.labelled("means", said.means)
    screen.labelled("why", said.why)
    screen.labelled("look", said.look)
    if said.reports:
        screen.labelled("reports", ", ".join(said.reports))


def _verdict(entries: Sequence[Entry], failing: Sequence[Entry], verdicts: Verdicts) -> str:
    if failing:
        names = [entry.target for entry in failing]
        more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
        share = f" for {len(failing)} of {len(verdicts.targets)}" if len(verdicts.targets) > 1 else " for"
        colon = ":" if len(verdicts.targets) > 1 else ""
        return f"fails{share}{colon} {', '.join(names[:NAMES])}{more}"
    if not entries:
        return "was not judged"
    kinds = dict.fromkeys(entry.verdict for entry in entries)
    return ", ".join(kinds)


def _waiting(screen: Screen, verdicts: Verdicts) -> None:
    """What was not judged because of the failures: the next thing to be seen once they are mended."""
    waiting = dict.fromkeys(entry.id for entry in verdicts.entries if entry.verdict == NOT_REACHED)
    if waiting and len(verdicts.targets) == 1:
        screen.line()
        screen.line(f"Not judged until this is mended: {', '.join(waiting)}")
