"""`explain`: an explanation for every property, out of every file that holds verdicts."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grading.batch.record import lines
from grading.cli import app
from grading.export.explanations import explanations
from properties.registry import load
from tests.exported import ALL, NASTY, ORDINARY, counterexample, judged, result
from tests.test_cli import FIRST_ONLY, QUICK, harness

ROOT = Path(__file__).parents[1]
run = CliRunner().invoke
PARTS = ("means", "why", "look")
FURTHER = "HKUDS/nanobot PR 1072"  # a report that no planted bug was made from


def written(folder: Path, data: object, name: str = "verdicts.json") -> str:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return str(path)


def test_every_property_has_an_explanation_and_nothing_else_has():
    """None is missing and none is extra, in the catalogue's order."""
    assert list(explanations()) == list(load())


@pytest.mark.parametrize("id_", list(load()))
def test_an_explanation_is_short_and_whole(id_):
    """Three parts of one or two sentences, in plain text, and not the hint over again."""
    told = explanations()[id_]
    for name in PARTS:
        text = getattr(told, name)
        assert 30 <= len(text) <= 260, (name, len(text))
        assert len(re.findall(r"[.?!](?= |$)", text)) <= 3
        assert text[-1] in ".?"
        assert not re.search(r"[`<>{}]|  |^ | $", text)
    assert load()[id_].hint not in told.look


def test_only_known_reports_are_cited():
    """Each report stands among the sources of the properties or of the planted bugs."""
    sources = "".join(path.read_text() for path in (ROOT / "tests" / "planted").rglob("*.py"))
    sources += FURTHER + "".join(prop.source for prop in load().values())
    for told in explanations().values():
        for report in told.reports:
            assert re.fullmatch(r"[\w.-]+/[\w.-]+(#| PR )\d+", report)
            assert report in sources


def test_a_report_of_check_is_explained(tmp_path):
    """What check --json wrote: only what fails, with what was seen, and what waits for it."""
    report = str(tmp_path / "report.json")
    run(app, ["check", harness(tmp_path, FIRST_ONLY), "--only", "LOOP-0[1-5],HELP-01", *QUICK, "--json", report])
    said = run(app, ["explain", report])
    assert said.exit_code == 0
    told = explanations()["LOOP-03"]
    for shown in ("LOOP-03  ", "call 'c2' has no result", told.means, told.why, told.look, ", ".join(told.reports)):
        assert shown in said.stdout
    assert explanations()["HELP-01"].means not in said.stdout
    assert "Not judged until this is mended: LOOP-01" in said.stdout
    assert run(app, ["explain", "-"], input=Path(report).read_text()).stdout == said.stdout.replace(report, "-")


def test_one_student_and_a_whole_class(tmp_path):
    """A result is read by itself and as a line of results.jsonl; a class is told property by property."""
    one = run(app, ["explain", written(tmp_path, ORDINARY.to_json())])
    assert "fails for ada" in one.stdout
    several = run(app, ["explain", written(tmp_path, lines(ALL), "results.jsonl")])
    assert "fails for 2 of 6: ada, bo" in several.stdout
    assert "cy: there is no harness.py in it" in several.stdout
    assert several.stdout.count(explanations()["LOOP-03"].means) == 1


def test_a_large_class_is_counted(tmp_path):
    """After eight names the rest is a number."""
    many = [result(judged("LOOP-01", "fails"), student=f"s{n:02}") for n in range(12)]
    said = run(app, ["explain", written(tmp_path, lines(many), "results.jsonl")])
    assert "fails for 12 of 12: s00, s01, s02, s03, s04, s05, s06, s07 and 4 more" in said.stdout


def test_a_counterexample_is_explained(tmp_path):
    """A single counterexample file says which property it is about."""
    said = run(app, ["explain", written(tmp_path, counterexample("CUT-04", "too much"))])
    assert explanations()["CUT-04"].look in said.stdout
    assert "too much" in said.stdout


def test_a_property_that_is_asked_for_is_explained_whatever_its_verdict(tmp_path):
    """--property takes ids and patterns in any case, also of what holds or was not judged."""
    file = written(tmp_path, ORDINARY.to_json())
    said = run(app, ["explain", file, "--property", "loop-01,cut-0[45]", "--property", "BILL-03"])
    heads = re.findall(r"^([A-Z]+-\d\d)  ", said.stdout, re.MULTILINE)
    assert heads == ["LOOP-01", "CUT-04", "CUT-05", "BILL-03"]
    assert "verdict   holds" in said.stdout
    assert "verdict   was not judged" in said.stdout


def test_nothing_to_explain(tmp_path):
    """If nothing fails there is one sentence, and the status is 0."""
    said = run(app, ["explain", written(tmp_path, result(judged("LOOP-01", "holds")).to_json())])
    assert (said.exit_code, said.stdout.count("\n")) == (0, 1)
    assert "nothing fails" in said.stdout


def test_hostile_words_only_show(tmp_path):
    """No control character of a harness's reaches the terminal."""
    said = run(app, ["explain", written(tmp_path, result(judged("LOOP-01", "fails", message=NASTY), student=NASTY).to_json())])
    assert said.exit_code == 0
    assert "\\x1b[31mred" in said.stdout
    assert not set(said.stdout) & set(map(chr, [*range(10), *range(11, 32), 127, 0x202E]))


@pytest.mark.parametrize(("text", "told"), [
    ("", "not JSON"), ("{", "not JSON"), ("[" * 100_000, "not JSON"), ("[]]", "not JSON"), ("3", "schema is None"),
    ('{"schema": "other/v1"}', "schema is 'other/v1'"), ('{"schema": "harness-props/verdicts/v1"}', "'target' is missing"),
    ('{"schema": "harness-props/verdicts/v1", "target": "t", "properties": 3}', "not a whole report"),
    ('{"schema": "harness-props/result/v1"}', "not a whole result"), ('{"a": 1}\n{"b"\n', "line 1"),
    ('{"schema": "harness-props/counterexample/v1"}', "'property' is missing"),
])  # fmt: skip
def test_a_file_that_holds_no_verdicts_is_one_line(tmp_path, text, told):
    """Bad input ends in 2 with the file, the place and the reason."""
    file = written(tmp_path, text)
    said = run(app, ["explain", file])
    assert said.exit_code == 2
    assert said.stderr.startswith(f"harness-props: {file}")
    assert told in said.stderr
    assert said.stderr.count("\n") == 1


def test_unknown_files_and_properties(tmp_path):
    """A file that is not there, one that is no text, and an id that nobody knows are named."""
    assert "cannot be read" in run(app, ["explain", "nowhere.json"]).stderr
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert "not UTF-8" in run(app, ["explain", str(tmp_path / "bytes")]).stderr
    file = written(tmp_path, ORDINARY.to_json())
    assert "no property LOOP-99" in run(app, ["explain", file, "--property", "LOOP-99"]).stderr
    assert run(app, ["explain", file, "--property", ","]).exit_code == 2
