"""Detection power: intervals, trials that survive an interruption, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grading import power
from grading.hunt import first_catch
from grading.leave import BadCall
from grading.powering import fingerprint, measure, read_kills
from grading.verdicts import Options
from properties.registry import load

EASY = "trusts_the_label"


def test_wilson_intervals() -> None:
    """Figures from Wilson's formula as textbooks give them."""
    low, high = power.interval(30, 30)
    assert (round(low, 3), high) == (0.886, 1.0)
    low, high = power.interval(15, 30)
    assert (round(low, 3), round(high, 3)) == (0.332, 0.668)
    assert power.interval(0, 0) == (0.0, 1.0)


def test_a_trial_is_the_same_every_time() -> None:
    """One bug, one budget, one seed: one result."""
    one = power.trial("takes_the_limit_for_the_file", ["READ-04"], 20, 3)
    assert one == power.trial("takes_the_limit_for_the_file", ["READ-04"], 20, 3)
    assert one.example is not None
    assert 1 <= one.example <= 20
    assert power.trial(EASY, ["LOOP-01"], power.EXPLICIT, 3).example is not None


def test_the_first_catch_is_not_shrunk() -> None:
    """The example's number is that of the first failing script."""
    bug = power.bugs()[EASY]
    catch = first_catch(load()["LOOP-01"], bug.harness(), Options(tier=3, examples=50))
    assert catch is not None
    again = first_catch(load()["LOOP-01"], bug.harness(), Options(tier=3, examples=50))
    assert catch == again
    assert first_catch(load()["CUT-01"], bug.harness(), Options(tier=3, examples=5)) is None


@pytest.mark.parametrize("name", [EASY, "forgets_the_middle", "writes_one_kind_of_ending", "completes_a_lone_cr"])
def test_draws_that_are_kept_are_the_draws(name: str) -> None:
    """Scripts that were drawn once for many harnesses give the catch that drawing afresh gives."""
    bug, options = power.bugs()[name], Options(tier=3, examples=60, seed=5)
    for id_ in (bug.property, "LOOP-06"):
        fresh = first_catch(load()[id_], bug.harness(), options, explicit=False)
        assert first_catch(load()[id_], bug.harness(), options, explicit=False, keep=True) == fresh


def test_draws_and_explicit_examples_apart() -> None:
    """Each can be judged without the other."""
    prop, bug = load()["LOOP-01"], power.bugs()[EASY]
    fixed = first_catch(prop, bug.harness(), Options(tier=3, examples=0))
    drawn = first_catch(prop, bug.harness(), Options(tier=3, examples=50), explicit=False)
    assert fixed is not None
    assert drawn is not None
    assert fixed.script != drawn.script
    assert first_catch(prop, bug.harness(), Options(tier=3, examples=0), explicit=False) is None


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Recorded trials are not run again, and half a line is left out."""
    file = tmp_path / "trials.jsonl"
    known = power.Trial(EASY, 20, 0, 7, power.digest(power.bugs()[EASY]))
    old = power.Trial(EASY, 20, 1, 7, "of another bug")
    file.write_text(json.dumps(vars(known)) + "\n" + json.dumps(vars(old)) + '\n{"bug": "tru')
    assert power.recorded(file) == [known]
    file.write_text(json.dumps(vars(known)) + "\n")
    heard: list[tuple[int, int]] = []
    trials = power.campaign([EASY], lambda bug: [bug.property], [20], 3, 1, file, lambda *n: heard.append(n))
    assert known in trials
    assert {t.seed for t in trials if t.budget == 20} == {0, 1, 2}
    assert heard[-1] == (1, 1)
    assert len(power.recorded(file)) == 3


def test_chances_and_the_hardest() -> None:
    """Shares per budget, and the bugs that are caught least."""
    trials = [power.Trial("a", 20, s, 1 if s else None) for s in range(4)]
    trials += [power.Trial("b", 20, s, 1) for s in range(4)]
    table = power.chances(trials)
    assert table["a"][20]["share"] == 0.75
    assert table["a"][20]["caught"] == 3
    assert power.hardest(table, 1) == ["a"]


def test_measuring_writes_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances with intervals for each budget."""
    monkeypatch.setattr("grading.powering.ROOT", tmp_path)
    kills, out = tmp_path / "kills.json", tmp_path / "power.json"
    kills.write_text(json.dumps({EASY: {"LOOP-01": "catches"}}))
    monkeypatch.setattr("grading.powering.fingerprint", lambda: "abc")
    assert measure([EASY], (5, 20), 2, 3, 1, kills, out) == 0
    row = {"property": "LOOP-01", "explicit examples catch it": True, "chances": {}}
    assert json.loads(out.read_text())["bugs"] == {EASY: row}
    assert measure([EASY], (5, 20), 2, 3, 1, kills, out, every=True) == 0
    report = json.loads(out.read_text())
    assert report["bugs"][EASY]["chances"]["20"]["of"] == 3
    assert report["bugs"][EASY]["explicit examples catch it"] is True
    assert set(report["bugs"][EASY]["chances"]) == {"5", "20"}
    assert report["hardest"] == [EASY]


def test_the_rows_of_other_bugs_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who names bugs gets their rows anew, and keeps the rest of the table if its budgets are the same."""
    monkeypatch.setattr("grading.powering.ROOT", tmp_path)
    monkeypatch.setattr("grading.powering.fingerprint", lambda: "abc")
    kills, out = tmp_path / "kills.json", tmp_path / "power.json"
    kills.write_text(json.dumps({EASY: {"LOOP-01": "catches"}}))
    other = next(name for name in power.bugs() if name != EASY)
    row = {"property": "LOOP-01", "explicit examples catch it": False, "chances": {}}
    for budgets, kept in (([5, 20], {other: row}), ([7], {})):
        out.write_text(json.dumps({"budgets": budgets, "bugs": {other: row, EASY: row, "gone": row}}))
        assert measure([EASY], (5, 20), 2, 3, 1, kills, out) == 0
        assert json.loads(out.read_text())["bugs"] == {EASY: {**row, "explicit examples catch it": True}, **kept}


def test_unusable_calls_are_named(tmp_path: Path) -> None:
    """A bug that is not there, a matrix that is none."""
    with pytest.raises(BadCall, match="no planted bug is called nobody"):
        measure(["nobody"], (5,), 1, 1, 1, tmp_path / "k.json", tmp_path / "p.json")
    with pytest.raises(BadCall, match="writes one"):
        read_kills(tmp_path / "k.json")


def test_the_fingerprint_changes_with_what_judges(tmp_path: Path) -> None:
    """Trials of another suite are never mixed in."""
    (tmp_path / "properties").mkdir()
    for name in ("grading", "strategies"):
        (tmp_path / name).mkdir()
    for file in ("grading/engine.py", "grading/hunt.py", "strategies/a.py"):
        (tmp_path / file).write_text("1")
    before = fingerprint(tmp_path)
    (tmp_path / "strategies" / "a.py").write_text("2")
    assert fingerprint(tmp_path) != before
