"""What a person sees of a run: a bar while it goes on, and a summary at its end."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grading.batch import chance
from grading.batch.found import Found
from grading.batch.record import ERROR, GRADED, UNUSABLE, Result
from grading.batch.report import number
from grading.batch.rubric import Rubric
from grading.batch.submissions import Class
from grading.screen import Screen
from grading.verdicts import FAILS

NAMED = 20  # submissions that are named for one reason
_NOT_GRADED = {
    UNUSABLE: "could not be judged",
    ERROR: "no grade because of a fault of ours (the same command tries them again)",
}
Heard = Callable[[Found], None]


@contextlib.contextmanager
def bar(properties: int, counts: Mapping[str, int], unusable: int, *, quiet: bool) -> Iterator[Heard]:
    """A bar on standard error, for somebody who looks on: done, failed, errored, and how long yet.

    `counts` says how many submissions each content stands for. It goes forward by properties.
    """
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.fields[done]} of {task.fields[of]} done, {task.fields[failed]} failed, "
                          "{task.fields[errored]} errored"), BarColumn(), TimeElapsedColumn(),
               TextColumn("left"), TimeRemainingColumn())  # fmt: skip
    seen: dict[str, Found] = {}
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=properties * len(counts), done=unusable, failed=0, errored=0,
                                 of=sum(counts.values()) + unusable)  # fmt: skip

        def heard(found: Found) -> None:
            seen[found.content] = found
            over = [one for one in seen.values() if one.done]
            failed = [one for one in over if any(v.verdict == FAILS for v in one.verdicts.values())]
            errored = [one for one in over if one.problem and not one.unusable]
            progress.update(
                task, completed=sum(properties if one.done else len(one.verdicts) for one in seen.values()),
                done=unusable + sum(counts[one.content] for one in over),
                failed=sum(counts[one.content] for one in failed if one not in errored),
                errored=sum(counts[one.content] for one in errored),
            )  # fmt: skip

        yield heard


def summary(console: Console, told: Sequence[Result], there: Class, folder: Path, rubric: Rubric) -> None:
    """How many were graded and how they did, what could not be judged, and where it all is."""
    screen = Screen(console)
    graded = [one for one in told if one.status == GRADED]
    full = sum(one.score == one.max_score for one in graded)
    screen.line(Text(f"{len(graded)} of {len(told)} submissions graded", "bold"))
    if graded:
        scores = sorted(one.score for one in graded)
        middle = (scores[(len(scores) - 1) // 2] + scores[len(scores) // 2]) / 2
        most = " or ".join(number(points) for points in sorted({one.max_score for one in graded}))
        screen.line(f"{full} with all points ({most}); lowest {number(scores[0])}, median {number(middle)}, "
                    f"highest {number(scores[-1])}", indent=2)  # fmt: skip
    failing = Counter(v.id for one in graded for v in one.verdicts if v.verdict == FAILS)
    if failing:
        often = sorted(failing.items(), key=lambda item: (-item[1], item[0]))[:5]
        screen.line(f"what fails most: {', '.join(f'{id_} ({count})' for id_, count in often)}", indent=2)
    for status, words in _NOT_GRADED.items():
        _listed(screen, words, [f"{one.student}: {one.problem}" for one in told if one.status == status])
    _listed(screen, "entries left out", [f"{name}: {why}" for name, why in there.skipped])
    left = [f"{one.student}: {name} {why}" for one in there.submissions for name, why in one.skipped]
    _listed(screen, "files of submissions left out", left)
    around = told[0].isolation
    for sentence in around.uncontained:
        screen.line(f"not contained ({around.rung}): {sentence}", indent=2)
    screen.line(f"isolation {around.rung}, {rubric.examples} examples, rubric {rubric.digest}", "dim", 2)
    if missed := chance.sentence(rubric.examples):
        screen.line(missed, "dim", 2)
    files = ("index.html", "results.jsonl", "grades.csv", "submissions")
    screen.line(f"results: {', '.join(str(folder / name) for name in files)}")


def _listed(screen: Screen, what: str, lines: Sequence[str]) -> None:
    if lines:
        screen.line(f"{what}: {len(lines)}", "yellow")
        for line in lines[:NAMED]:
            screen.line(line, indent=2)
        if len(lines) > NAMED:
            screen.line(f"and {len(lines) - NAMED} more, see results.jsonl", indent=2)
