"""`harness-props fuzz` as a command: exit statuses, reports, interruptions, calls that cannot be used."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from grading.cli import app
from grading.fuzz import command
from grading.fuzz.cli import seconds
from grading.fuzz.watching import Watching
from properties.registry import load
from tests.test_cli import FIRST_ONLY, GOOD, harness

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "grading" / "schema" / "fuzz.v1.schema.json").read_text())
run = CliRunner().invoke
FEW = ("--only", "LOOP-03,CUT-04", "--seed", "1", "--examples")


def test_a_students_file(tmp_path, monkeypatch):
    """Two faults are two findings; the report follows its schema, the same run gives the same bytes, replay reads it."""
    monkeypatch.chdir(tmp_path)
    target = harness(tmp_path, FIRST_ONLY)
    said = run(app, ["fuzz", target, *FEW, "10", "--json", "one.json"])
    assert said.exit_code == 1, said.output
    assert said.stdout.count("FAILS") == 2
    assert f"it goes on with: harness-props fuzz {target} --continue" in said.stdout
    report = json.loads(Path("one.json").read_text())
    jsonschema.validate(report, SCHEMA)
    assert [f["property"] for f in report["findings"]] == ["LOOP-03", "CUT-04"]
    assert run(app, ["fuzz", target, *FEW, "10", "--json", "two.json", "--corpus", "other"]).exit_code == 1
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert run(app, ["replay", "one.json"]).stdout.count("STILL FAILS") == 2


def test_nothing_found_is_status_0(tmp_path, monkeypatch):
    """A sound harness ends in 0."""
    monkeypatch.chdir(tmp_path)
    said = run(app, ["fuzz", harness(tmp_path), "--only", "LOOP-03", "--examples", "5"])
    assert said.exit_code == 0, said.output
    assert "no finding" in said.stdout
    assert run(app, ["fuzz", "adapter:reference", "--only", "LOOP-03", "--examples", "20"]).exit_code == 0


def test_ctrl_c_keeps_all(tmp_path, monkeypatch):
    """An interrupted run tells what it has, ends in 130 and goes on where it was."""
    monkeypatch.chdir(tmp_path)
    target = harness(tmp_path, FIRST_ONLY)
    before = Watching.at

    def interrupting(self, property_, number):
        if property_ == "CUT-04":
            raise KeyboardInterrupt
        before(self, property_, number)

    monkeypatch.setattr(Watching, "at", interrupting)
    said = run(app, ["fuzz", target, *FEW, "10"])
    assert said.exit_code == 130
    assert said.stdout.count("FAILS") == 1
    monkeypatch.setattr(Watching, "at", before)
    said = run(app, ["fuzz", target, "--only", "LOOP-03,CUT-04", "--examples", "10", "--continue"])
    assert said.exit_code == 1, said.output
    assert "going on from 1 finding" in said.stdout
    assert said.stdout.count("FAILS") == 2
    harness(tmp_path, GOOD)
    said = run(app, ["fuzz", target, "--examples", "10", "--continue"])
    assert said.exit_code == 2
    assert "leave --continue out to begin anew" in said.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.py"], "no such file"),
        (["adapter:reference", "--continue"], "holds no run to go on from"),
        (["adapter:reference", "--max-time", "soon"], "write it as 90s, 10m or 1h30m"),
        (["adapter:reference", "--examples", "0"], "not a whole number from 1 on"),
        (["adapter:reference", "--only", "LOOP-99"], "no property is called 'LOOP-99'"),
        (["adapter:reference", "--continue", "--seed", "1"], "has its seed already"),
        (["adapter:reference", "--tier", "top"], "'top' is not one of"),
        (["adapter:reference", "--lesson", "4"], "4 is not 3 or 6"),
        (["adapter:reference", "--baseline", "none.json"], "none.json: cannot be read"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_used(tmp_path, monkeypatch, arguments, words):
    """Status 2, and what to do instead."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    said = run(app, ["fuzz", *arguments])
    assert said.exit_code == 2
    assert words in said.output
    assert "Traceback" not in said.output


def test_a_file_that_does_not_load_fails(tmp_path, monkeypatch):
    """There is nothing to be fuzzed, and it says why."""
    monkeypatch.chdir(tmp_path)
    said = run(app, ["fuzz", harness(tmp_path, "def run_agent(:"), "--examples", "5"])
    assert said.exit_code == 1
    assert "does not load: SyntaxError" in said.stdout


def test_the_suite_breaks(tmp_path, monkeypatch):
    """An error of ours is status 3."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(load()["LOOP-03"].stages[0].__class__, "judge", property(lambda _: 1 / 0), raising=False)
    said = run(app, ["fuzz", "adapter:reference", "--only", "LOOP-03", "--examples", "5"])
    assert said.exit_code == 3
    assert "the suite or the adapter broke" in said.stdout


def test_times():
    """Hours, minutes and seconds; without any number of them a run takes ten minutes."""
    assert [seconds(text) for text in ("90s", "10m", "1h30m", "2h1s")] == [90, 600, 5400, 7201]
    assert command._seconds(command.Wanted("x")) == 600
    assert command._seconds(command.Wanted("x", examples=5)) is None
