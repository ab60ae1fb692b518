"""The kill matrix: which property catches which planted bug, and what must hold of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

from grading.hunt import Broke, first_catch
from grading.verdicts import Options
from properties.registry import FIELD, load
from tests.miniatures.planting import Miniature, in_process
from tests.planted.catalogue import all_planted
from tests.planted.reach import can_matter, reached

CATCHES, TELLS = "catches", "tells another's"


@dataclass(frozen=True)
class Row:
    """What the properties made of one bug: property id -> CATCHES or TELLS; `broke` is our own fault."""

    bug: str
    cells: Mapping[str, str]
    broke: str = ""


def row(bug: Miniature, properties: Iterable[str], examples: int, seed: int) -> Row:
    """Judge one bug by these properties, without shrinking.

    A failure that belongs to another property is no catch of this one's, if that one fails, too.
    """
    known = load()
    cells: dict[str, str] = {}
    owners: dict[str, str] = {}
    harness = bug.harness()
    for id_ in properties:
        harness.restart()
        try:
            catch = first_catch(known[id_], harness, Options(tier=FIELD, examples=examples, seed=seed), keep=True)
        except Broke as broke:
            return Row(bug.name, cells, f"{id_}: {broke}")
        if catch is not None:
            cells[id_] = CATCHES
            owners[id_] = catch.owner
    told = {id_ for id_, owner in owners.items() if owner in cells}
    return Row(bug.name, {id_: TELLS if id_ in told else how for id_, how in cells.items()})


def _row(name: str, properties: list[str], examples: int, seed: int) -> Row:
    return row(next(b for b in all_planted() if b.name == name), properties, examples, seed)


def matrix(
    bugs: Sequence[Miniature], ids: Sequence[str], examples: int, seed: int, jobs: int,
    heard: Callable[[Row | None], None],
) -> list[Row]:  # fmt: skip
    """The rows of all these bugs, in their order, judged by the properties `ids`.

    A property is spared a bug that it cannot reach. `heard` is called with None for each property
    whose reach is known, and with each row as it is done.
    """
    with ProcessPoolExecutor(jobs) as pool:
        reaching = {pool.submit(reached, id_, examples, seed): id_ for id_ in ids}
        runs = {}
        for done in as_completed(reaching):
            runs[reaching[done]] = done.result()
            heard(None)
        rows = [
            pool.submit(_row, bug.name, [i for i in ids if can_matter(bug, runs[i])], examples, seed)
            for bug in bugs
        ]
        for one in as_completed(rows):
            heard(one.result())
    return [one.result() for one in rows]


def failing_gates(rows: Iterable[Row], bugs: Iterable[Miniature]) -> list[str]:
    """What does not hold: each bug is caught by the property it names, each property is needed.

    What only programs have is looked for in programs (tests/wire_agents), and not here. A property that others imply may tell its bug for one of those.
    """
    named = {bug.name: bug.property for bug in bugs}
    properties = load()
    rows = list(rows)
    wrong = [f"{r.bug}: {r.broke}" for r in rows if r.broke]
    wrong += [
        f"{r.bug} is not caught by {named[r.bug]}"
        for r in rows
        if not r.broke
        and r.cells.get(named[r.bug]) != CATCHES
        and not (named[r.bug] in r.cells and properties[named[r.bug]].implied_by)
    ]
    alone = only_catchers(rows)
    for prop in properties.values():
        if prop.implied_by and prop.id in alone:
            wrong.append(f"{prop.id} is marked as implied by others, yet it alone catches {alone[prop.id][0]}")
        if not prop.implied_by and in_process(prop) and prop.id not in alone:
            wrong.append(f"{prop.id} catches no bug that no other property catches")
    return wrong


def only_catchers(rows: Iterable[Row]) -> dict[str, list[str]]:
    """Property id -> the bugs that no other property catches.

    A property that is marked as implied by others could be taken away, so it takes no bug from
    the rest; it is itself the only one where really nobody else catches a bug.
    """
    found: dict[str, list[str]] = {}
    for r in rows:
        catching = [id_ for id_, how in r.cells.items() if how == CATCHES]
        needed = [id_ for id_ in catching if not load()[id_].implied_by] or catching
        if len(needed) == 1:
            found.setdefault(needed[0], []).append(r.bug)
    return found
