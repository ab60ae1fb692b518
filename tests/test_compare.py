"""One script on many harnesses: transcripts and verdicts side by side, and how the command ends."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from adapters.contract import Unplayable
from grading.across.shown import grouped
from grading.cli import app
from grading.verdicts import Counterexample
from properties.registry import load
from strategies.printing import to_json
from strategies.script import Call, Conversation, Cut, Prompt, Reply, Say
from tests.terminal import on_a_terminal
from tests.test_cli import FIRST_ONLY, harness

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "grading" / "schema" / "comparison.v1.schema.json").read_text())
BOTH = ("adapter:reference", "examples.toy_adapter:harness")
TWO = Conversation((Prompt(replies=(Reply((Call(), Call("c2")), "toolUse"), Reply((Say("Done."),)))),))
run = CliRunner().invoke


@pytest.fixture
def file(tmp_path):
    """A function that writes data to a file and gives its path."""

    def written(data):
        path = tmp_path / "script.json"
        path.write_text(json.dumps(data))
        return str(path)

    return written


def shown(id_="LOOP-03", script=TWO, **more):
    """A counterexample of the first reading of a property, as a report has it."""
    return {**Counterexample(id_, "course", 0, to_json(script), "", load()[id_].sentence, "").to_json(), **more}


def test_a_bare_script_is_played_on_all_of_them(file):
    """Nobody judges it: a transcript for each harness, and status 0."""
    said = run(app, ["compare", file(to_json(TWO)), *BOTH])
    assert said.exit_code == 0, said.output
    assert "adapter:reference (harness_ref 6)\n    request 1: U -> A[c1,c2]\n      run echo {}" in said.stdout
    assert said.stdout.count("request 2: U A[c1,c2] R(c1) R(c2) -> A") == 2


def test_a_counterexample_is_judged_by_its_own_reading(file, tmp_path):
    """One harness fails it and another holds: both are told, and the status is 1."""
    said = run(app, ["compare", file(shown()), "adapter:reference", harness(tmp_path, FIRST_ONLY)])
    assert said.exit_code == 1
    assert "  holds LOOP-03\n" in said.stdout
    assert "  fails LOOP-03: in what was sent" in said.stdout


def test_properties_can_be_asked_for(file):
    """Each judges by all its readings; one that the harness cannot have is not applicable, with the reason."""
    said = run(app, ["compare", file(to_json(TWO)), *BOTH, "--property", "loop-03", "--property", "LIMIT-01"])
    assert said.exit_code == 0
    assert said.stdout.count("holds LOOP-03") == 2 * len(load()["LOOP-03"].stages)
    assert "not applicable LIMIT-01: the harness does not offer max-turns" in said.stdout


def test_a_script_inside_another_object_will_do(file):
    """An object that names its properties beside a script is judged by them."""
    kept = {"id": "x", "property": "LOOP-03", "also": ["LOOP-01"], "script": to_json(TWO)}
    said = run(app, ["compare", file(kept), BOTH[0]])
    assert "holds LOOP-03" in said.stdout
    assert "holds LOOP-01" in said.stdout
    assert run(app, ["compare", file({"script": shown()}), BOTH[0]]).stdout.count("holds LOOP-03") == 1


def test_a_target_that_cannot_be_loaded_does_not_stop_the_others(file):
    """It is told in one line, the rest goes on, and the status says so."""
    said = run(app, ["compare", file(shown()), "nowhere.py", BOTH[0], "--json", "-"])
    assert said.exit_code == 2
    assert said.stderr.count("\n") == 1
    assert "nowhere.py: no such file" in said.stderr
    first, second = json.loads(said.stdout)["harnesses"]
    assert (first["verdicts"], first["transcript"]) == ([], [])
    assert [v["verdict"] for v in second["verdicts"]] == ["holds"]


def test_a_file_that_does_not_load_fails(file, tmp_path):
    """What is wrong with the harness is its fault, with the reason in place of a transcript."""
    said = run(app, ["compare", file(shown()), harness(tmp_path, "def run_agent(:")])
    assert said.exit_code == 1
    assert "fails LOOP-03: harness.py does not load: SyntaxError" in said.stdout


def test_the_json_follows_its_schema(file, tmp_path):
    """Verdicts of every kind, a transcript and a problem are what the schema says they are."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    out = tmp_path / "out.json"
    given = file(shown(before=[to_json(Conversation())]))
    targets = ("nowhere.py", *BOTH, harness(tmp_path, FIRST_ONLY))
    said = run(app, ["compare", given, *targets, "--json", str(out)])
    data = json.loads(out.read_text())
    jsonschema.validate(data, SCHEMA)
    assert [h["target"] for h in data["harnesses"]] == list(targets)
    assert data["script"] == to_json(TWO)
    assert len(data["before"]) == 1
    assert "after 1 earlier in the same process" in said.stdout


def test_a_script_that_cannot_be_said_is_not_applicable(file, monkeypatch):
    """A harness whose types cannot hold the script is neither praised nor blamed."""

    def no(*_, **__):
        raise Unplayable("an empty reply cannot be said")

    monkeypatch.setattr("adapters.shape.CourseShape.converse", no)
    said = run(app, ["compare", file(shown()), BOTH[0]])
    assert said.exit_code == 0
    assert "not applicable LOOP-03: the script cannot be played: an empty reply" in said.stdout
    assert "    (the script cannot be played: an empty reply cannot be said)" in said.stdout


def test_judging_that_breaks_is_an_error_of_ours(file):
    """A script of another kind than the property judges ends in status 3."""
    said = run(app, ["compare", file(to_json(Cut("a\n", 1))), BOTH[0], "--property", "LOOP-03"])
    assert said.exit_code == 3
    assert "error LOOP-03: judging broke with" in said.stdout
    assert "(played only by a property that applies)" in said.stdout


@pytest.mark.parametrize(
    ("data", "more", "words"),
    [
        (to_json(Cut("a\n", 1)), (), "a Cut is played only by a property that judges it; add --property ID"),
        (to_json(TWO), ("--property", "LOOP-99"), "no property is called 'LOOP-99'"),
        (to_json(TWO), ("--property", " "), "an empty text names no property"),
        ({"kind": "Talk"}, (), "no script part is called 'Talk'"),
        ({"script": None}, (), "script: here should be an object, not null"),
        ({"schema": "other"}, (), "its schema is 'other'"),
        ([], (), "holds no counterexample, so that there is nothing to play"),
        ([shown(), shown(script=Conversation())], (), "holds 2 counterexamples (LOOP-03), and one script is"),
        (shown(), ("--property", "READ-*"), "holds no counterexample of READ-*"),
        (shown(stage=9), (), "LOOP-03 has no stage 9"),
    ],
)
def test_a_script_that_cannot_be_used(file, data, more, words):
    """Status 2, saying what is wrong and what to do."""
    said = run(app, ["compare", file(data), BOTH[0], *more])
    assert said.exit_code == 2
    assert words in " ".join(said.stderr.replace("│", " ").split())


def test_columns_stand_side_by_side_on_a_terminal(file, tmp_path):
    """A column for each harness, requests beside each other; too many are told in several tables."""
    given = file(shown())
    status, said = on_a_terminal(["compare", given, *BOTH, harness(tmp_path, FIRST_ONLY)], 90)
    assert status == 1
    first, second = said.split("┡")[:2]
    assert "(harness_ref" in first
    assert "(toy 1.0)" in first
    assert "harness.py" not in first
    assert "harness.py" in second
    assert said.count("┏") == 2


def test_transcripts_are_parted_by_run_and_request():
    """Tool runs and endings belong to the request before them."""
    lines = ["run 1:", "request 1: U -> A", "returned A; record: U A", "run 2:", "request 1: U -> A"]
    assert grouped(lines) == {(1, 0): lines[:1], (1, 1): lines[1:3], (2, 0): lines[3:4], (2, 1): lines[4:]}
