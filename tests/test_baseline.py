"""Baselines: what is known to fail is judged by its script, and only what is new fails a run."""

import json
from datetime import date
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from grading.cli import app
from grading.fuzz.baseline import Baseline, Fresh, entries
from grading.leave import BROKEN, FAILED, OK
from grading.run import Target
from tests.test_cli import FIRST_ONLY, GOOD, harness

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "grading" / "schema" / "baseline.v1.schema.json").read_text())
SOUND = GOOD.replace("size += len(line)\n", "size += len(line.encode())\n")
ONLY = ("--only", "LOOP-03,CUT-04")
FEW = (*ONLY, "--examples", "5")
run = CliRunner().invoke


@pytest.fixture(scope="module")
def known(tmp_path_factory) -> dict:
    """The baseline of a harness with two faults, as `check` finds them."""
    folder = tmp_path_factory.mktemp("known")
    run(app, ["check", harness(folder, FIRST_ONLY), *FEW, "--json", str(folder / "report.json")])
    said = run(app, ["baseline", str(folder / "report.json"), "-o", str(folder / "base.json"), "--expires", "2999-12-31"])
    assert said.exit_code == 0, said.output
    assert said.stdout == f"{folder / 'base.json'}: 2 written, 0 there before\n"
    return json.loads((folder / "base.json").read_text())


@pytest.fixture
def base(known, tmp_path) -> Path:
    """The same in a file of the test's own."""
    file = tmp_path / "base.json"
    file.write_text(json.dumps(known))
    return file


def changed(file: Path, place: int, **members) -> None:
    data = json.loads(file.read_text())
    data["entries"][place] |= members
    file.write_text(json.dumps(data))


def test_a_baseline_follows_its_schema(known):
    """What is written is what the schema says, and keeps what replay needs."""
    jsonschema.validate(known, SCHEMA)
    assert [one["property"] for one in known["entries"]] == ["LOOP-03", "CUT-04"]
    assert known["entries"][1]["reason"].startswith("truncate_")


def test_what_is_known_fails_no_check(base, tmp_path):
    """With every failure in the baseline the status is 0, and each is told with its reason."""
    said = run(app, ["check", harness(tmp_path, FIRST_ONLY), *FEW, "--baseline", str(base)])
    assert said.exit_code == 0, said.output
    assert "against the baseline: 2 known" in said.stdout
    assert said.stdout.count("known ") == 2


def test_what_is_new_fails_a_check(base, tmp_path):
    """A failure that is not in the baseline is named, and the status is 1."""
    data = json.loads(base.read_text())
    base.write_text(json.dumps({**data, "entries": data["entries"][1:]}))
    said = run(app, ["check", harness(tmp_path, FIRST_ONLY), *FEW, "--baseline", str(base)])
    assert said.exit_code == 1
    assert f"NEW {data['entries'][0]['id']}  in what was sent" in said.stdout
    assert "1 new, 1 known" in said.stdout


def test_what_was_mended_fails_a_check(base, tmp_path):
    """An entry whose script does not fail any more has to go; that is judged though nothing else fails."""
    said = run(app, ["check", harness(tmp_path, SOUND), *FEW, "--baseline", str(base)])
    assert said.exit_code == 1
    assert said.stdout.count("GONE ") == 2
    assert "take it out of the baseline" in said.stdout


def test_what_has_expired_fails_a_check(base, tmp_path):
    """An entry is accepted until its day."""
    changed(base, 0, expires="2020-01-01", reason="It is being mended.")
    said = run(app, ["check", harness(tmp_path, FIRST_ONLY), *FEW, "--baseline", str(base)])
    assert said.exit_code == 1
    assert "accepted until 2020-01-01; look at it again: It is being mended." in said.stdout
    assert "NEW" not in said.stdout


def test_fuzz_knows_what_is_known(base, tmp_path, monkeypatch):
    """A run that finds what is known, or does not come across it, ends in 0."""
    monkeypatch.chdir(tmp_path)
    target = harness(tmp_path, FIRST_ONLY)
    said = run(app, ["fuzz", target, "--only", "LOOP-0[36]", "--examples", "5", "--seed", "1", "--baseline", str(base)])
    assert said.exit_code == 0, said.output
    assert "against the baseline: 2 known" in said.stdout
    assert "FAILS" not in said.stdout
    harness(tmp_path, SOUND)
    said = run(app, ["fuzz", target, "--only", "LOOP-03", "--examples", "5", "--baseline", str(base)])
    assert said.exit_code == 1
    assert said.stdout.count("GONE ") == 2


def test_a_run_adds_to_a_baseline(base, known, tmp_path, monkeypatch):
    """What stands there keeps its words; what fuzz found beside it is added with the reason that is given."""
    monkeypatch.chdir(tmp_path)
    changed(base, 0, reason="Known since spring.", link="https://example.org/7")
    broken = FIRST_ONLY.replace("messages.append(user_message(prompt))", "messages.append(user_message(prompt + '!'))")
    run(app, ["fuzz", harness(tmp_path, broken), "--only", "LOOP-0[36]", "--examples", "10", "--seed", "1", "--json", "found.json"])
    said = run(app, ["baseline", "found.json", "-o", str(base), "--reason", "Seen by fuzz.", "--expires", "2999-01-01"])
    assert said.exit_code == 0, said.output
    data = json.loads(base.read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["entries"][0]["reason"] == "Known since spring."
    assert data["entries"][0]["link"] == "https://example.org/7"
    added = data["entries"][2:]
    assert added
    assert {one["reason"] for one in added} == {"Seen by fuzz."}
    assert run(app, ["baseline", "found.json", "-o", "-"]).stdout.startswith('{\n "schema": "harness-props/baseline/v1"')


def test_an_entry_is_judged_by_its_script(known, base, tmp_path):
    """Playing decides: still failing, gone, expired on the day after, or by chance, where playing says little."""
    changed(base, 1, chance=True)
    found = entries(str(base), "x")
    opened = Target(harness(tmp_path, SOUND)).open()
    try:
        play = Baseline(found)
        play.play(opened, date(2026, 1, 1))
        said = play.compared([Fresh(found[1].id, "CUT-04", "")])
        assert ([e.id for e in said.gone], [e.id for e in said.known]) == ([found[0].id], [found[1].id])
        assert said.status == FAILED
        play = Baseline(found[1:])
        play.play(opened, date(2999, 12, 31))
        assert play.compared([]).status == OK
        play = Baseline(found[1:])
        play.play(opened, date(3000, 1, 1))
        assert play.compared([]).status == FAILED
    finally:
        opened.close()


def test_what_comes_after_a_known_failure_is_not_new(base, tmp_path):
    """A property that makes no sense without one that is known to fail is told with it."""
    found = entries(str(base), "x")
    opened = Target(harness(tmp_path, FIRST_ONLY)).open()
    try:
        play = Baseline(found)
        play.play(opened)
    finally:
        opened.close()
    assert play.compared([Fresh("LOOP-05/12345678", "LOOP-05", "", ("LOOP-03",))]).status == OK
    assert play.compared([Fresh("LOOP-05/12345678", "LOOP-05", "", ("LOOP-02",))]).status == FAILED


def test_a_script_that_cannot_be_judged_is_an_error(base, tmp_path):
    """A harness that does not offer what an entry needs is no harness that was mended."""
    changed(base, 1, property="LOOP-03")
    data = json.loads(base.read_text())
    data["entries"][1]["counterexample"]["property"] = "LOOP-03"
    base.write_text(json.dumps(data))
    opened = Target(harness(tmp_path, SOUND)).open()
    try:
        play = Baseline(entries(str(base), "x")[1:])
        play.play(opened)
        assert play.compared([]).status == BROKEN
    finally:
        opened.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expires": "soon"}, "entries[0].expires: 'soon' is no day; write it as 2030-12-31"),
        ({"reason": " "}, "entries[0].reason: here should be a text that is not empty"),
        ({"property": "LOOP-99"}, "there is no property 'LOOP-99'"),
        ({"link": 3}, "entries[0].link: here should be a text or null"),
        ({"counterexample": None}, "entries[0].counterexample: here should be an object"),
        ({"counterexample": {"property": "LOOP-03"}}, "lacks 'stage'"),
    ],
)
def test_a_baseline_that_cannot_be_used(base, change, words):
    """Status 2, the place, and what should stand there."""
    changed(base, 0, **change)
    said = run(app, ["check", "adapter:reference", *FEW, "--baseline", str(base)])
    assert said.exit_code == 2
    assert words in said.stderr


def test_calls_that_make_no_sense(base, tmp_path):
    """A baseline of several targets, of a file that is none, of results that are none, or with an entry twice."""
    said = run(app, ["check", "adapter:reference", "adapter:reference", *FEW, "--baseline", str(base)])
    assert said.exit_code == 2
    assert "is of one target" in said.stderr
    other = tmp_path / "other.json"
    other.write_text("{}")
    said = run(app, ["fuzz", "adapter:reference", "--corpus", str(tmp_path / "c"), "--baseline", str(other)])
    assert said.exit_code == 2
    assert "no baseline; `harness-props baseline RESULTS" in said.stderr
    assert run(app, ["baseline", str(other), "-o", "-"]).exit_code == 2
    assert run(app, ["baseline", str(base), "-o", "-", "--expires", "now"]).exit_code == 2
    data = json.loads(base.read_text())
    base.write_text(json.dumps({**data, "entries": data["entries"][:1] * 2}))
    said = run(app, ["check", "adapter:reference", *FEW, "--baseline", str(base)])
    assert said.exit_code == 2
    assert "stands there 2 times" in said.stderr
