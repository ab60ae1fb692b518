"""Planted bugs: each is caught by the property that it names, and the gates notice when one is not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grading.hunt import first_catch
from grading.verdicts import Options
from properties.registry import FIELD, load
from tests.miniatures.planting import GOOD, Miniature, in_process
from tests.planted.catalogue import BUGS, all_planted
from tests.planted.kept import keep, kept, kept_in
from tests.planted.matrix import CATCHES, TELLS, Row, failing_gates, only_catchers
from tests.planted.reach import can_matter, instrumented, reached

ALL = all_planted()
KILLS = Path(__file__).parents[1] / "docs" / "kills.json"


def test_there_are_enough_of_them() -> None:
    """At least 150, each with a name of its own, a sentence and a source."""
    assert len(ALL) >= 150
    assert len({bug.name for bug in ALL}) == len(ALL)
    assert all(bug.sentence and bug.source and bug.property in load() for bug in ALL)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_named_property_catches_the_bug(bug: Miniature) -> None:
    """A hundred examples are enough."""
    catch = first_catch(load()[bug.property], bug.harness(), Options(tier=FIELD))
    assert catch is not None
    assert catch.message
    if catch.owner:  # then the property that the fault belongs to must not see it
        assert first_catch(load()[catch.owner], bug.harness(), Options(tier=FIELD)) is None


# The matrix takes an hour to measure; until `tox -e planted` has written it there is nothing to compare.
measured = pytest.mark.skipif(not KILLS.exists(), reason="the kill matrix has not been measured")


def kills() -> list[Row]:
    """The measured matrix."""
    return [Row(bug, cells) for bug, cells in json.loads(KILLS.read_text()).items()]


@measured
def test_the_kill_matrix_names_every_bug() -> None:
    """It was made with the bugs and properties that there are now, and passes the gates."""
    assert {row.bug for row in kills()} == {bug.name for bug in ALL}
    assert {id_ for row in kills() for id_ in row.cells} <= set(load())
    assert failing_gates(kills(), ALL) == []


@measured
@pytest.mark.parametrize("id_", [p.id for p in load().values() if in_process(p) and not p.implied_by])
def test_no_property_can_be_taken_away(id_: str) -> None:
    """Without it some planted bug is caught by nobody else that is needed."""
    without = [Row(r.bug, {i: how for i, how in r.cells.items() if i != id_}) for r in kills()]
    caught = [any(how == CATCHES and not load()[i].implied_by for i, how in r.cells.items()) for r in without]
    before = [any(how == CATCHES and not load()[i].implied_by for i, how in r.cells.items()) for r in kills()]
    assert sum(caught) < sum(before)
    assert any(f"is not caught by {id_}" in line for line in failing_gates(without, ALL))


def whole() -> tuple[list[Row], list[Miniature]]:
    """A matrix in which every property has one bug to itself."""
    bugs = [Miniature(f"bug_{n}", id_, "It is broken.", ()) for n, id_ in enumerate(load())]
    bugs = [b for b in bugs if in_process(load()[b.property]) and not load()[b.property].implied_by]
    return [Row(bug.name, {bug.property: CATCHES}) for bug in bugs], bugs


def test_a_whole_matrix_passes_the_gates() -> None:
    """Nothing to complain of."""
    assert failing_gates(*whole()) == []


@pytest.mark.parametrize("id_", ["LOOP-01", "TOOL-01", "CUT-05", "READ-01", "BASH-01"])
def test_removing_a_property_fails_a_gate(id_: str) -> None:
    """The bug that it alone catches is caught by nobody."""
    rows, bugs = whole()
    without = [Row(r.bug, {i: how for i, how in r.cells.items() if i != id_}) for r in rows]
    wrong = failing_gates(without, bugs)
    assert any(f"is not caught by {id_}" in line for line in wrong)
    assert f"{id_} catches no bug that no other property catches" in wrong


def test_a_failure_told_for_another_is_no_catch() -> None:
    """It neither counts for the property nor against the uniqueness of another."""
    rows, bugs = whole()
    first, second = bugs[0].property, bugs[1].property
    told = [Row(rows[0].bug, {first: CATCHES, second: TELLS}), *rows[1:]]
    assert failing_gates(told, bugs) == []
    assert only_catchers(told)[first] == [bugs[0].name]
    assert failing_gates([Row(rows[0].bug, {first: TELLS}), *rows[1:]], bugs)


def test_a_broken_run_fails_a_gate() -> None:
    """An error of ours is no evidence."""
    rows, bugs = whole()
    assert failing_gates([Row(rows[0].bug, rows[0].cells, "LOOP-01: it broke"), *rows[1:]], bugs)


def test_a_matrix_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Rows are kept; half a line and the row of a bug that has changed are measured again."""
    file = kept_in("planted", ["LOOP-01"], 100, 0, root=tmp_path)
    assert file != kept_in("planted", ["LOOP-01"], 100, 1, root=tmp_path)
    one, other = ALL[:2]
    row = {one.property: CATCHES}
    keep(file, one, row)
    keep(file, replace(other, property="LOOP-99"), {})
    with file.open("a") as out:
        out.write('["half')
    assert kept(file, ALL) == {one.name: row}


def test_what_a_property_reaches() -> None:
    """A property of the cutting functions reaches those and not the loop."""
    seen = reached("CUT-02", 5, 0)
    assert "truncation._how_many_fit" in seen
    assert "loop.run_agent" not in seen
    bug = next(b for b in ALL if any(p.place == "loop.run_agent" for p in b.patches))
    assert not can_matter(bug, seen)
    assert "__seen__.add('m.f')" in instrumented("m", "def f():\n    return 1\n")


def test_good_pairs_are_no_bugs() -> None:
    """The good half of a pair is not in the catalogue."""
    assert not {m.name for m in GOOD} & {bug.name for bug in ALL}
