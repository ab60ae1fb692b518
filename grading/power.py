"""How sure is "it passed"? The chance that a planted bug is caught, by the number of examples.

Every bug is judged at every budget with many seeds, each a run of its own, since the number of
examples changes what Hypothesis draws. Explicit examples would find most bugs with certainty, because
many were chosen for them, so the chances are those of draws alone; what the explicit examples catch by
themselves is told apart. Results are written line by line, so that an interrupted run goes on where it
stopped.
"""

from __future__ import annotations

import hashlib
import importlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, Protocol

from grading import journal
from grading.hunt import first_catch
from grading.leave import BadCall
from grading.verdicts import Options
from properties.registry import FIELD, load

CATALOGUE = "tests.planted.catalogue"
BUDGETS = (20, 50, 100, 200, 500)
EXPLICIT = 0  # the budget that stands for the explicit examples alone
SEEDS, HARD, HARD_SEEDS = 30, 10, 300  # seeds for each bug; the hardest few get many more
LEVEL = 0.95


class Bug(Protocol):
    """A planted bug as it is needed here."""

    name: str
    property: str
    patches: Any

    def harness(self) -> Any:
        """The broken harness."""


def digest(bug: Bug) -> str:
    """Eight hex digits that change with what is planted, and with the property that has to catch it."""
    return hashlib.sha256(repr((bug.property, bug.patches)).encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Trial:
    """One run: `example` is the first failing example, None if all held; see `trial` for EXPLICIT."""

    bug: str
    budget: int
    seed: int
    example: int | None
    digest: str = ""  # of the bug, as it was then


def interval(caught: int, of: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval for a share of `of` trials."""
    if of == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, weight = caught / of, z * z / of
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / of + weight / (4 * of))
    return max(0.0, middle - half), min(1.0, middle + half)


@cache
def bugs() -> dict[str, Bug]:
    """The planted bugs by name. Raises BadCall where the suite is installed without its tests."""
    try:
        found: Sequence[Bug] = importlib.import_module(CATALOGUE).all_planted()
    except ModuleNotFoundError as error:
        raise BadCall("the planted bugs are part of a checkout, not of an installed package: "
                      "clone the repository, `pip install -e .` and run it there") from error  # fmt: skip
    return {bug.name: bug for bug in found}


def chapter_of(bug: Bug) -> list[str]:
    """The properties that judge a bug: the one it names first, then the rest of that chapter."""
    chapter = bug.property.partition("-")[0]
    return [bug.property, *(i for i in load() if i.partition("-")[0] == chapter and i != bug.property)]


def trial(name: str, ids: Sequence[str], budget: int, seed: int) -> Trial:
    """Judge one bug once; the first property that catches it ends the trial.

    Only draws count; with the budget EXPLICIT, only the explicit examples.
    """
    bug = bugs()[name]
    harness = bug.harness()
    options = Options(tier=FIELD, examples=budget, seed=seed)
    for id_ in ids:
        harness.restart()
        catch = first_catch(load()[id_], harness, options, explicit=budget == EXPLICIT)
        if catch is not None:
            return Trial(name, budget, seed, catch.example, digest(bug))
    return Trial(name, budget, seed, None, digest(bug))


def _trials(name: str, ids: Sequence[str], budget: int, seeds: Sequence[int]) -> list[Trial]:
    return [trial(name, ids, budget, seed) for seed in seeds]


def recorded(file: Path) -> list[Trial]:
    """The trials of an earlier run on the bugs that there still are.

    A line that was cut off when it stopped is left out.
    """
    found = []
    for line in journal.lines(file):
        try:
            one = Trial(**line)
        except TypeError:
            continue
        if one.bug in bugs() and one.digest == digest(bugs()[one.bug]):
            found.append(one)
    return found


def campaign(
    names: Iterable[str], catching: Callable[[Bug], list[str]], budgets: Sequence[int],
    seeds: int, jobs: int, file: Path, heard: Callable[[int, int], None],
) -> list[Trial]:  # fmt: skip
    """Run what is missing of `seeds` trials for each bug and budget, and return all trials.

    With the budget EXPLICIT no seed changes anything, so one is enough.
    `catching` names the properties that judge a bug. New trials are appended to `file` as they
    come; `heard` is told how many parts are done, and of how many.
    """
    done = recorded(file)
    known = {(t.bug, t.budget, t.seed) for t in done}
    parts = list(_missing(names, budgets, seeds, known))
    with ProcessPoolExecutor(jobs) as pool, journal.appending(file) as out:
        futures = [pool.submit(_trials, n, catching(bugs()[n]), budget, left) for n, budget, left in parts]
        for count, future in enumerate(as_completed(futures), 1):
            for one in future.result():
                done.append(one)
                journal.write(out, asdict(one))
            heard(count, len(parts))
    return done


def _missing(
    names: Iterable[str], budgets: Sequence[int], seeds: int, known: set[tuple[str, int, int]]
) -> Iterator[tuple[str, int, list[int]]]:
    for name in names:
        for budget in budgets:
            left = [seed for seed in range(seeds) if (name, budget, seed) not in known]
            for start in range(0, len(left), 10):
                yield name, budget, left[start : start + 10]


def chances(trials: Iterable[Trial]) -> dict[str, dict[int, dict[str, Any]]]:
    """Bug -> budget -> how many trials caught it, of how many, the share, and its interval."""
    table: dict[str, dict[int, list[bool]]] = {}
    for one in trials:
        table.setdefault(one.bug, {}).setdefault(one.budget, []).append(one.example is not None)
    return {bug: {b: _chance(caught) for b, caught in sorted(by.items())} for bug, by in table.items()}


def _chance(caught: list[bool]) -> dict[str, Any]:
    low, high = interval(sum(caught), len(caught))
    share = sum(caught) / len(caught)
    return {"caught": sum(caught), "of": len(caught), "share": round(share, 4),
            "low": round(low, 4), "high": round(high, 4)}  # fmt: skip


def hardest(table: dict[str, dict[int, dict[str, Any]]], count: int = HARD) -> list[str]:
    """The bugs that are caught least, over all budgets."""

    def ease(name: str) -> float:
        return sum(float(cell["share"]) for cell in table[name].values())

    return sorted(table, key=lambda name: (ease(name), name))[:count]
