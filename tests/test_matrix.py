"""The matrix: what stands in the site, what is refused, what is missing, and that a text stays a text."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import jsonschema
import pytest
from typer.testing import CliRunner

from grading import formats
from grading.across.badges import badge
from grading.across.saved import merged, runs
from grading.across.site import missing
from grading.cli import app
from tests.html_class import HOSTILE, SAMPLE, data_of
from tests.matrix_runs import JUDGED, hostile_report, made, report_of, saved
from tests.test_html import Reader

CHEN, EMIL, ADA = (report_of(next(r for r in SAMPLE if r.student == name)) for name in ("chen", "emil", "ada"))
run = CliRunner().invoke


def parted(report, *ids):
    """The same report with these properties only."""
    return {**report, "properties": [v for v in report["properties"] if v["id"] in ids]}


def test_the_reports_of_these_tests_are_reports():
    """They follow the schema of `check --json`."""
    schema = json.loads(formats.SCHEMA_FILE.read_text())
    for result in JUDGED:
        jsonschema.validate(report_of(result), schema)


def test_every_harness_and_every_property_has_a_page(tmp_path):
    """A page each, a badge for each harness, and a file for each counterexample."""
    files = made(tmp_path, *map(report_of, JUDGED))
    ids = {v.id for result in JUDGED for v in result.verdicts}
    assert {f"properties/{id_}.html" for id_ in ids} <= files.keys()
    for result in JUDGED:
        folder = f"harnesses/{result.student}-1.0"
        shown = {f"{folder}/counterexample-{v.id}.json" for v in result.verdicts if v.counterexample}
        assert {f"{folder}/index.html", f"badges/{result.student}-1.0.svg", *shown} <= files.keys()
    assert len(files) == 2 + len(ids) + 2 * len(JUDGED) + sum(bool(v.counterexample) for r in JUDGED for v in r.verdicts)


def test_the_same_verdicts_give_the_same_site(tmp_path):
    """Neither the order of the files nor the moment changes a byte."""
    assert made(tmp_path, CHEN, EMIL, ADA) == made(tmp_path, ADA, CHEN, EMIL)


def test_a_failure_leads_to_its_script(tmp_path):
    """The matrix, the harness's page and the property's page hold the smallest script, and how to replay it."""
    files = made(tmp_path, CHEN, ADA)
    held = data_of(files["index.html"])
    chen = held["students"][1]
    assert (chen["name"], chen["page"]) == ("chen 1.0", "harnesses/chen-1.0/index.html")
    column = [c["id"] for c in held["columns"]].index("CUT-04")
    assert held["shown"][chen["told"][str(column)][1]]["python"] == "Cut('1\\n', 1000000)"
    assert chen["replay"] == ["harness-props replay harnesses/chen-1.0", " --target adapter:chen"]
    command = "harness-props replay harnesses/chen-1.0/counterexample-CUT-04.json --target adapter:chen"
    for page in ("harnesses/chen-1.0/index.html", "properties/CUT-04.html"):
        assert "Cut(&#39;1\\n&#39;, 1000000)" in files[page]
        assert command in files[page]
        assert 'index.html#s1/CUT-04"' in files[page]
    assert json.loads(files["harnesses/chen-1.0/counterexample-CUT-04.json"])["property"] == "CUT-04"


def test_what_does_not_apply_says_why(tmp_path):
    """The reason stands on the harness's page and on the property's."""
    report = parted(ADA, "LOOP-01", "LOOP-02")
    report["properties"][0] |= {"verdict": "not applicable", "message": "the harness does not offer loop"}
    files = made(tmp_path, report, CHEN)
    for page in ("harnesses/ada-1.0/index.html", "properties/LOOP-01.html"):
        assert "the harness does not offer loop" in files[page]
    assert "the harness does not offer loop" in data_of(files["index.html"])["texts"]


def test_every_link_leads_to_a_file_of_the_site(tmp_path):
    """No page sends its reader to a file, or a place in it, that is not there, nor out of the site."""
    files = made(tmp_path, *map(report_of, JUDGED))
    for name, text in files.items():
        if not name.endswith(".html"):
            continue
        folder = name.rpartition("/")[0]
        for tag, key, value in Reader(text).attributes:
            if key == "href" and not (name == "index.html" and value.startswith("#")):
                path, _, place = value.partition("#")
                parts = [p for p in folder.split("/") if p]
                for step in path.split("/"):
                    parts = parts[:-1] if step == ".." else [*parts, step]
                target = "/".join(parts)
                assert target in files, (name, value)
                if place and target != "index.html":
                    assert f'id="{place}"' in files[target], (name, tag, value)


def test_static_pages_run_and_load_nothing(tmp_path):
    """No script, no handler, no style in an attribute; the policy leaves the site's own style and nothing else."""
    for name, text in made(tmp_path, CHEN, EMIL).items():
        if name.endswith(".html") and name != "index.html":
            read = Reader(text)
            assert "default-src 'none'; style-src 'self' file:" in text
            assert not {"script", "img", "iframe", "object", "base", "style"} & set(read.tags)
            assert not [k for _, k, _ in read.attributes if k.startswith("on") or k == "style"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_report_holds_stays_text(tmp_path, text):
    """Markup, escapes and bidi controls do nothing on any page, in any badge and in any file name."""
    plain, evil = made(tmp_path, hostile_report("plain")), made(tmp_path, hostile_report(text))
    assert len(plain) == len(evil)
    names = [sorted(files, key=lambda name: (name.partition("/")[0], name.rpartition("/")[2])) for files in (plain, evil)]
    for one, other in zip(*names, strict=True):
        assert ".." not in other
        assert re.fullmatch(r"[\w .,+@=()'/-]+", other)
        if other.endswith(".json"):
            continue
        evil[other].encode()
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\ud800-\udfff]", evil[other])
        if other.endswith(".svg"):
            root = ET.fromstring(evil[other])
            assert [e.tag for e in root.iter()] == [e.tag for e in ET.fromstring(plain[one]).iter()]
        elif other.endswith(".html"):
            before, after = Reader(plain[one]), Reader(evil[other])
            assert after.tags == before.tags, other
            assert [(t, k) for t, k, _ in after.attributes] == [(t, k) for t, k, _ in before.attributes]
            assert not [v for _, k, v in after.attributes if k == "href" and ":" in v.partition("/")[0]]


# ---- many runs ----------------------------------------------------------------------------


def test_runs_of_one_harness_are_put_together(tmp_path):
    """Other properties of the same target and version make one row; another version is another row."""
    first, second = parted(CHEN, "LOOP-01"), {**parted(CHEN, "CUT-04"), "seed": 7}
    other = {**CHEN, "harness": {"name": "chen", "version": "2.0"}}
    found = merged(runs(saved(tmp_path, second, first, other, [first])))
    assert [one.label for one in found] == ["chen 1.0", "chen 2.0"]
    assert set(found[0].verdicts) == {"LOOP-01", "CUT-04"}
    assert found[0].seed == "7 and 0"


def test_two_opinions_on_one_property_are_refused(tmp_path):
    """The same harness judged twice, and not the same, is nobody's verdict."""
    changed = parted(CHEN, "LOOP-01")
    changed["properties"] = [{**changed["properties"][0], "verdict": "error", "message": "ours"}]
    said = run(app, ["matrix", *saved(tmp_path, CHEN, changed), "-o", str(tmp_path / "site")])
    assert said.exit_code == 2
    assert "LOOP-01 of chen 1.0 is one thing in" in said.stderr
    assert not (tmp_path / "site").exists()


def test_mixed_versions_of_the_suite_are_refused(tmp_path):
    """The versions are named with the files that they stand in."""
    files = saved(tmp_path, CHEN, {**EMIL, "suite_version": "9.9"})
    said = run(app, ["matrix", *files, "-o", str(tmp_path / "site")])
    assert said.exit_code == 2
    assert f"0.1.0 in {files[0]}, 9.9 in {files[1]}" in said.stderr
    assert not (tmp_path / "site").exists()


def test_what_is_missing_is_said(tmp_path):
    """On the terminal and in the page: harnesses that were not judged, properties that one of them lacks."""
    gone = report_of(replace(JUDGED[0], student="gone", verdicts=()), problem="adapter:gone: not installed here")
    half = parted({**EMIL, "suite_version": "0.1.0"}, "LOOP-01", "LOOP-02")
    files = saved(tmp_path, gone, half, CHEN)
    said = run(app, ["matrix", *files, "-o", str(tmp_path / "site")])
    assert said.exit_code == 0
    assert "missing: gone 1.0: adapter:gone: not installed here" in said.stdout
    assert "missing: emil 1.0: no verdict on LOOP-0" in said.stdout
    page = (tmp_path / "site" / "index.html").read_text()
    assert "What is missing" in page
    assert "adapter:gone: not installed here" in page
    assert "not judged" in (tmp_path / "site" / "badges" / "gone-1.0.svg").read_text()
    one = replace(merged(runs(files[2:]))[0], suite="another")
    assert missing([one]) == []


def test_the_site_is_written_over_an_earlier_one(tmp_path):
    """Pages of harnesses that are gone go; what is not the matrix's stays."""
    site = tmp_path / "site"
    assert run(app, ["matrix", *saved(tmp_path, CHEN, ADA), "-o", str(site)]).exit_code == 0
    (site / "harnesses" / "chen-1.0" / "notes.txt").write_text("mine")
    (site / "CNAME").write_text("mine")
    said = run(app, ["matrix", *saved(tmp_path, EMIL), "-o", str(site), "--note", "Made by hand."])
    assert said.exit_code == 0
    assert {p.name for p in (site / "harnesses").iterdir()} == {"chen-1.0", "emil-1.0"}
    assert [p.name for p in (site / "harnesses" / "chen-1.0").iterdir()] == ["notes.txt"]
    assert (site / "CNAME").exists()
    assert [p.name for p in (site / "badges").iterdir()] == ["emil-1.0.svg"]
    assert "Made by hand." in (site / "index.html").read_text()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"schema": "other"}, "its schema is 'other', not 'harness-props/verdicts/v1'"),
        ([], "no report is in there"),
        ([3], "[0]: here should be an object, not a whole number"),
        ({**CHEN, "harness": 3}, ".harness: here should be an object, not a whole number"),
        ({**CHEN, "properties": [{"id": "LOOP-01"}]}, "properties[0]: lacks 'tier'"),
        ({**CHEN, "properties": [CHEN["properties"][0]] * 2}, "properties[1]: LOOP-01 is there twice"),
        ({**CHEN, "properties": [{**CHEN["properties"][0], "id": "../x"}]}, "'../x' is not a property's id"),
        ({**CHEN, "properties": [{**CHEN["properties"][0], "verdict": "fine"}]}, "'fine' is not one of holds, fails"),
        ({**CHEN, "properties": [{**CHEN["properties"][0], "counterexample": {"script": {}}}]}, "lacks 'python'"),
    ],
)
def test_a_file_that_is_no_report(tmp_path, data, words):
    """Status 2, naming the place, and nothing is written."""
    said = run(app, ["matrix", *saved(tmp_path, data), "-o", str(tmp_path / "site")])
    assert said.exit_code == 2
    assert words in said.stderr
    assert not (tmp_path / "site").exists()


def test_a_folder_that_cannot_be_written(tmp_path):
    """Status 2 and the folder's name."""
    (tmp_path / "site").write_text("a file")
    said = run(app, ["matrix", *saved(tmp_path, CHEN), "-o", str(tmp_path / "site")])
    assert said.exit_code == 2
    assert f"{tmp_path / 'site'}" in said.stderr
    assert "cannot be written" in said.stderr


# ---- badges -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "words", "colour"),
    [
        (("holds", "holds"), "2 hold", "#1d6b35"), (("holds", "fails"), "1 hold, 1 fail", "#b3261e"),
        (("holds", "error"), "1 hold, 1 error", "#6b2fa0"), (("not applicable",), "not judged", "#555d66"),
        ((), "not judged", "#555d66"),
    ],
)  # fmt: skip
def test_a_badge_says_how_many_hold(tmp_path, verdicts, words, colour):
    """In words and in colour; it is a picture of its own that asks nobody for anything."""
    entries = [{**CHEN["properties"][0], "id": f"LOOP-{n:02}", "verdict": v} for n, v in enumerate(verdicts, 1)]
    [one] = runs(saved(tmp_path, {**CHEN, "properties": entries}))
    picture = badge(one)
    assert ET.fromstring(picture).get("aria-label") == f"chen 1.0: {words}"
    assert colour in picture
    assert picture.count("http") == 1
