"""Counterexamples outlive the run that found them: files that are played again."""

import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from typer.testing import CliRunner

import strategies.script
from adapters.contract import Hung
from grading.cases import fit
from grading.cli import app
from grading.pretty import clipped, pretty
from properties.registry import load
from strategies.printing import from_json, to_json, to_python
from strategies.script import Call, Conversation, Prompt, Reply, Returns, Say
from tests.test_cli import FIRST_ONLY, GOOD, QUICK, harness

KNOWN = vars(strategies.script)
run = CliRunner().invoke
STAGES = [(id_, number) for id_, prop in load().items() for number in range(len(prop.stages))]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A report with one counterexample, and the harness that it was found on."""
    folder = tmp_path_factory.mktemp("found")
    target, report = harness(folder, FIRST_ONLY), folder / "report.json"
    run(app, ["check", target, "--only", "LOOP-0[135]", *QUICK, "--json", str(report)])
    return target, report


@pytest.fixture
def one(found, tmp_path):
    """The counterexample by itself, as data and as a file that a test may change."""
    data = next(v["counterexample"] for v in json.loads(found[1].read_text())["properties"] if v["counterexample"])
    return data, tmp_path / "one.json"


def test_still_fails(found):
    """On the same harness it fails again, with the message and the new trace."""
    target, report = found
    said = run(app, ["replay", str(report)])
    assert said.exit_code == 1
    assert said.stdout.startswith(f"STILL FAILS LOOP-03 on {target}: in what was sent")
    assert "    request 1: U -> A[c1,c2]\n" in said.stdout


def test_fixed(found, tmp_path):
    """On a harness that does it right the same script holds."""
    said = run(app, ["replay", str(found[1]), "--target", harness(tmp_path)])
    assert said.exit_code == 0
    assert said.stdout == f"FIXED LOOP-03 on {tmp_path / 'harness.py'}\n"


def test_a_counterexample_by_itself_is_a_file(one, tmp_path):
    """The object inside the report is a valid file; it needs a target, for it names none."""
    data, file = one
    file.write_text(json.dumps(data))
    assert run(app, ["replay", str(file), "--target", harness(tmp_path)]).exit_code == 0
    said = run(app, ["replay", str(file)])
    assert said.exit_code == 2
    assert "add --target TARGET" in said.stderr


def test_only_picks_one(found):
    """--only takes the property's id; one that is not in the report is said to be missing."""
    assert run(app, ["replay", str(found[1]), "--only", "loop-03"]).exit_code == 1
    said = run(app, ["replay", str(found[1]), "--only", "LOOP-07"])
    assert said.exit_code == 2
    assert "holds no counterexample of LOOP-07" in said.stderr


def test_an_array_of_reports(found, tmp_path):
    """What check writes for several targets is played on each of them."""
    both = tmp_path / "both.json"
    data = json.loads(found[1].read_text())
    both.write_text(json.dumps([data, {**data, "target": harness(tmp_path)}]))
    said = run(app, ["replay", str(both)])
    assert said.exit_code == 1
    assert [line.split(" LOOP")[0] for line in said.stdout.splitlines() if " LOOP-03 on" in line] == ["STILL FAILS", "FIXED"]


def test_earlier_scripts_are_played_first(one, tmp_path):
    """A counterexample of kept state plays what comes before it in the same process."""
    text = GOOD.replace("    turns = 0\n", "    turns = 0\n    SEEN.append(prompt)\n").replace(
        "for call in tool_calls(reply):", "for call in tool_calls(reply)[: None if len(SEEN) < 2 else 1]:"
    )
    data, file = one
    target = harness(tmp_path, "SEEN = []\n" + text)
    file.write_text(json.dumps(data))
    assert run(app, ["replay", str(file), "--target", target]).exit_code == 0
    file.write_text(json.dumps({**data, "before": [to_json(Conversation())]}))
    assert run(app, ["replay", str(file), "--target", target]).exit_code == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("for call in tool_calls(reply):", "import os; os._exit(3)\n        for call in []:"), "exit status 3"),
        (("def run_agent(", "def run_agents("), "harness.py has no run_agent"),
        (("def run_agent(", "def run_agent(:"), "harness.py does not load: SyntaxError"),
    ],
)
def test_a_harness_that_breaks_still_fails(found, tmp_path, change, words):
    """A harness that dies, lacks the function or does not load has not been fixed."""
    said = run(app, ["replay", str(found[1]), "--target", harness(tmp_path, GOOD.replace(*change))])
    assert said.exit_code == 1
    assert said.stdout.startswith("STILL FAILS")
    assert words in said.stdout


def test_a_hang_still_fails(found, tmp_path, monkeypatch):
    """A run that does not end has not been fixed."""

    def hang(*_, **__):
        raise Hung("the harness did nothing for 30 s")

    monkeypatch.setattr("adapters.shape.CourseShape.converse", hang)
    said = run(app, ["replay", str(found[1]), "--target", harness(tmp_path)])
    assert said.exit_code == 1
    assert "did nothing for 30 s" in said.stdout


def test_error_if_the_suite_or_the_adapter_breaks(one, tmp_path):
    """A script that the property cannot judge is an error and neither FIXED nor STILL FAILS."""
    data, file = one
    file.write_text(json.dumps({**data, "script": {"kind": "Cut"}}))
    said = run(app, ["replay", str(file), "--target", harness(tmp_path)])
    assert said.exit_code == 3
    assert said.stdout.startswith("ERROR LOOP-03")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{bad", "not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
        ("[" * 100_000, "not JSON"),
        ('{"a": 1}', "its schema is None; replay reads 'harness-props/counterexample/v1'"),
        ("[1]", "[0]: here should be an object, not a whole number"),
        ('{"schema": "harness-props/verdicts/v1"}', "lacks 'properties'"),
        ('{"schema": "harness-props/verdicts/v1", "properties": [3]}', "properties[0]: here should be an object"),
    ],
)
def test_a_file_that_is_no_report(tmp_path, text, words):
    """Status 2, saying what is wrong and where."""
    file = tmp_path / "file.json"
    file.write_text(text)
    said = run(app, ["replay", str(file), "--target", "adapter:reference"])
    assert said.exit_code == 2
    assert words in said.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"property": "LOOP-99"}, ".property: there is no property 'LOOP-99'"),
        ({"stage": 9}, ".stage: LOOP-03 has no stage 9; it has 0 to"),
        ({"stage": "0"}, ".stage: here should be a whole number, not a text"),
        ({"lesson": 5}, ".lesson: 5 is not 3 or 6"),
        ({"script": 3}, ".script: here should be an object, not a whole number"),
        ({"script": {}}, ".script: here should be a script, but this object has no kind"),
        ({"script": {"kind": "Talk"}}, ".script: no script part is called 'Talk'; known: Call"),
        ({"script": {"kind": "Conversation", "promts": []}}, ".script: Conversation has no 'promts'; it has prompts"),
        ({"script": {"kind": "Conversation", "prompts": "hi"}}, ".script.prompts: here should be an array, not a text"),
        (
            {"script": {"kind": "Conversation", "prompts": [{"kind": "Prompt", "replies": [{"kind": "Call"}]}]}},
            ".script.prompts[0].replies[0]: here should be Reply or Crash, not Call",
        ),
        ({"before": [{"kind": "Nothing"}]}, ".before[0]: no script part is called 'Nothing'"),
    ],
)
def test_a_counterexample_that_cannot_be_read(one, change, words):
    """Status 2, naming the place in the file and what was found there."""
    data, file = one
    file.write_text(json.dumps({**data, **change}))
    said = run(app, ["replay", str(file), "--target", "adapter:reference"])
    assert said.exit_code == 2
    assert f"{file}{words}" in said.stderr


def test_a_report_without_counterexamples(tmp_path):
    """Nothing to play is fine where everything holds, and unusable where something fails."""
    report = tmp_path / "report.json"
    run(app, ["check", harness(tmp_path), "--only", "LOOP-10", *QUICK, "--json", str(report)])
    assert run(app, ["replay", str(report)]).exit_code == 0
    run(app, ["check", harness(tmp_path, "x ="), "--only", "LOOP-10", *QUICK, "--json", str(report)])
    said = run(app, ["replay", str(report)])
    assert said.exit_code == 2
    assert "use harness-props check" in said.stderr


# ---- scripts on paper -------------------------------------------------------------------------


@pytest.mark.parametrize(("id_", "number"), STAGES)
def test_every_script_survives_the_file_and_the_screen(id_, number):
    """Whatever a property draws is the same script after JSON, and after the Python that is shown."""
    stage = load()[id_].stages[number]

    def survives(script):
        back = from_json(json.loads(json.dumps(to_json(script))))
        fit(back, type(back), "script")
        assert back == script
        if len(repr(script)) > 200_000:
            return  # the Python of megabytes is nobody's reading
        assert eval(pretty(to_python(script), 60), dict(KNOWN)) == script

    for script in stage.examples:
        survives(script)
    draws = settings(max_examples=10, database=None, deadline=None, phases=(Phase.generate,), derandomize=True,
                     suppress_health_check=list(HealthCheck))  # fmt: skip
    draws(given(stage.draws)(survives))()


def test_pretty_breaks_at_brackets_and_texts():
    """Brackets around one thing open together; the parts stand below each other."""
    replies = (Reply((Call(does=Returns("r1")), Call("c2", does=Returns("r2")))), Reply((Say("Done."),)))
    assert pretty(to_python(Conversation((Prompt(replies=replies),))), 72) == "\n".join([
        "Conversation((Prompt(replies=(",
        "    Reply((Call(does=Returns('r1')), Call('c2', does=Returns('r2')))),",
        "    Reply((Say('Done.'),)),",
        ")),))",
    ])  # fmt: skip


def test_pretty_cuts_a_long_text_into_texts():
    """A text that is longer than a line becomes several that stand side by side."""
    text = "".join(chr(97 + i * 7 % 26) + "'" * (i % 5 == 0) for i in range(400))
    shown = pretty(to_python(Say(text)), 60)
    assert eval(shown, dict(KNOWN)) == Say(text)
    assert max(map(len, shown.split("\n"))) <= 60


def test_clipped_says_how_much_is_left_out():
    """A long script loses its middle, and the line in its place counts it."""
    lines = clipped([str(i) for i in range(100)], 10)
    assert len(lines) == 10
    assert lines[:6] == list("012345")
    assert lines[-3:] == ["97", "98", "99"]
    assert "91 more lines" in lines[6]
