"""Two files of verdicts: what is fixed, what newly fails, and how the command ends."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from grading.across import diff
from grading.cli import app
from tests.html_class import SAMPLE
from tests.matrix_runs import report_of, saved

SCHEMA = json.loads((Path(diff.__file__).parents[1] / "schema" / "difference.v1.schema.json").read_text())
CHEN = report_of(next(r for r in SAMPLE if r.student == "chen"))
[FAILING] = [v for v in CHEN["properties"] if v["verdict"] == "fails"]
run = CliRunner().invoke


def report(version="1.0", target="adapter:chen", **verdicts):
    """A report with these verdicts: LOOP_01="holds"."""
    entries = []
    for id_, verdict in verdicts.items():
        shown = FAILING["counterexample"] if verdict == "fails" else None
        message = "" if verdict == "holds" else f"{id_} is why"
        entries.append({**FAILING, "id": id_.replace("_", "-"), "verdict": verdict, "message": message,
                        "counterexample": shown})  # fmt: skip
    return {**CHEN, "target": target, "harness": {"name": "chen", "version": version}, "properties": entries}


def compared(tmp_path, old, new, *more):
    """What the command says of the two."""
    return run(app, ["diff", *saved(tmp_path, old, new), *more])


def test_each_change_has_its_name(tmp_path):
    """Fixed, newly failing and still failing, what applies now and what does not; failures with the message."""
    old = report(LOOP_01="fails", LOOP_02="holds", LOOP_03="fails", LOOP_04="not applicable", LOOP_05="holds",
                 LOOP_06="not reached", LOOP_07="holds", LOOP_08="holds", LOOP_09="error")  # fmt: skip
    new = report("2.0", LOOP_01="holds", LOOP_02="fails", LOOP_03="fails", LOOP_04="holds", LOOP_05="not applicable",
                 LOOP_06="fails", LOOP_07="not reached", LOOP_08="holds", LOOP_09="holds")  # fmt: skip
    said = compared(tmp_path, old, new)
    assert said.exit_code == 1
    assert said.stdout == "\n".join([
        "adapter:chen 1.0 -> adapter:chen 2.0",
        "  newly failing LOOP-02 (was: holds): LOOP_02 is why",
        "  newly failing LOOP-06 (was: not reached): LOOP_06 is why",
        "  fixed LOOP-01",
        "  still failing LOOP-03: LOOP_03 is why",
        "  newly applicable LOOP-04",
        "  no longer applicable LOOP-05 (was: holds): LOOP_05 is why",
        "  newly judged LOOP-09 (was: error)",
        "  no longer judged LOOP-07 (was: holds): LOOP_07 is why",
        "2 newly failing, 1 fixed, 1 still failing, 1 newly applicable, 1 no longer applicable, "
        "1 newly judged, 1 no longer judged",
        "",
    ])  # fmt: skip


def test_nothing_newly_failing_is_status_0(tmp_path):
    """What still fails was known, and what is fixed is good; the same file twice says nothing."""
    old = report(LOOP_01="fails", LOOP_02="fails")
    assert compared(tmp_path, old, report(LOOP_01="holds", LOOP_02="fails")).exit_code == 0
    said = compared(tmp_path, report(LOOP_01="holds"), report(LOOP_01="holds"))
    assert said.exit_code == 0
    assert said.stdout.endswith("no verdict is another one\n")


def test_a_property_that_was_not_there_can_newly_fail(tmp_path):
    """A new property that fails is news, and so is one that was not judged before."""
    said = compared(tmp_path, report(), report(LOOP_01="fails"))
    assert said.exit_code == 1
    assert "newly failing LOOP-01 (was: no verdict)" in said.stdout


def test_an_end_that_was_not_reached_is_not_a_good_one(tmp_path):
    """2 if the later file says nothing of a harness, 3 if the suite broke on what was judged before."""
    broken = {**report(), "problem": "adapter:chen: not installed here"}
    said = compared(tmp_path, report(LOOP_01="holds"), broken)
    assert said.exit_code == 2
    assert "adapter:chen: adapter:chen: not installed here" in said.stderr
    assert compared(tmp_path, report(LOOP_01="holds"), report(LOOP_01="error")).exit_code == 3
    both = [report(LOOP_01="holds"), report(target="adapter:ada", LOOP_01="holds")]
    said = compared(tmp_path, both, [both[0], report(target="adapter:bo", LOOP_01="holds")])
    assert said.exit_code == 2
    assert "adapter:ada: says nothing of it" in said.stderr
    assert "adapter:bo" in said.stdout


def test_other_settings_are_said(tmp_path):
    """A change may be due to another suite, seed or number of examples."""
    old, new = report(LOOP_01="holds"), {**report(LOOP_01="holds"), "suite_version": "0.2.0", "examples": 5}
    said = compared(tmp_path, old, new)
    assert "  suite: 0.1.0 before, 0.2.0 now\n  examples: 100 before, 5 now\n" in said.stdout


def test_the_json_follows_its_schema(tmp_path):
    """Changes, totals and both runs; a harness of one file only has null in the other's place."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    old = [report(LOOP_01="holds"), report(target="adapter:ada", LOOP_01="holds")]
    new = [report(LOOP_01="fails"), report(target="adapter:bo", LOOP_01="fails")]
    data = json.loads(compared(tmp_path, old, new, "--json", "-").stdout)
    jsonschema.validate(data, SCHEMA)
    told = {part["target"]: part for part in data["harnesses"]}
    assert told["adapter:chen"]["totals"]["newly failing"] == 1
    assert told["adapter:ada"]["new"] is None
    assert told["adapter:bo"]["old"] is None
    assert told["adapter:bo"]["changes"] == [
        {"id": "LOOP-01", "change": "newly failing", "old": "no verdict", "new": "fails", "message": "LOOP_01 is why"}
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ([], report(), "holds no report"),
        ({"schema": "x"}, report(), "its schema is 'x'"),
        ([report(), report(target="adapter:a")], [report(target="adapter:b"), report(target="adapter:c")],
         "no target is in both files: adapter:a, adapter:chen; adapter:b, adapter:c"),
        ([report("1"), report("2")], report(), "holds several versions of adapter:chen"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_compared(tmp_path, old, new, words):
    """Status 2 and the reason."""
    said = compared(tmp_path, old, new)
    assert said.exit_code == 2
    assert words in said.stderr
