"""The reports for other programs: schema, sameness, and files that are whole or not there."""

import errno
import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from grading import formats
from grading.cli import app
from grading.verdicts import Options, Report, Verdict
from tests.test_cli import FIRST_ONLY, GOOD, QUICK, harness

SCHEMA = json.loads(formats.SCHEMA_FILE.read_text())
validator = jsonschema.Draft202012Validator(SCHEMA)
run = CliRunner().invoke


def report(*verdicts: Verdict) -> Report:
    return Report("some/harness.py", "harness.py", "", Options(), list(verdicts))


def test_the_schema_is_a_schema():
    """The shipped file is valid JSON Schema 2020-12."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_report_follows_the_schema(tmp_path):
    """Verdicts of every kind, with a counterexample, are what the schema says they are."""
    target = harness(tmp_path, FIRST_ONLY)
    said = run(app, ["check", target, "--only", "LOOP-0[1-5],HELP-01", *QUICK, "--json", "-"])
    data = json.loads(said.stdout)
    validator.validate(data)
    assert data["target"] == target
    assert data["harness"] == {"name": "harness.py", "version": ""}
    assert data["totals"]["fails"] == 1
    kinds = {v["id"]: v["verdict"] for v in data["properties"]}
    assert kinds["LOOP-03"] == "fails"
    assert kinds["LOOP-05"] == "not reached"
    assert kinds["HELP-01"] == "holds"


def test_several_targets_are_an_array(tmp_path):
    """One object for each target in the order given, unusable ones with the reason."""
    good = harness(tmp_path)
    said = run(app, ["check", good, "nowhere.py", "--only", "LOOP-10", *QUICK, "--json", "-"])
    data = json.loads(said.stdout)
    validator.validate(data)
    assert [part["target"] for part in data] == [good, "nowhere.py"]
    assert "problem" not in data[0]
    assert "no such file" in data[1]["problem"]
    assert said.exit_code == 2


@pytest.mark.parametrize("wrong", [{"seed": "0"}, {"totals": {}}, {"schema": "other"}, {"more": 1}])
def test_the_schema_refuses_what_is_not_a_report(wrong):
    """The schema says no, too: a wrong type, a missing count, another schema, an unknown key."""
    data = formats.to_json(report(Verdict("LOOP-01", "course", "holds")))
    validator.validate(data)
    assert not validator.is_valid({**data, **wrong})


def test_the_same_bytes_however_it_is_run(tmp_path):
    """Two runs, and one and two properties at a time, write the same file byte for byte."""
    text = FIRST_ONLY.replace("return [message for message in messages if", "return [message for message in messages[:9] if")
    target = harness(tmp_path, text)
    written = []
    for jobs in ("1", "1", "2"):
        path = tmp_path / f"{len(written)}.json"
        run(app, ["check", target, "--only", "LOOP-0[1-5],LOOP-14,TOOL-01", *QUICK, "-j", jobs, "--json", str(path)])
        written.append(path.read_bytes())
    assert written[0] == written[1] == written[2]
    assert written[0].endswith(b"}\n")
    written[0].decode("ascii")


def test_stopping_early_is_the_same_however_it_is_run(tmp_path):
    """With -x, what is run ahead side by side leaves no trace in the report."""
    target = harness(tmp_path, FIRST_ONLY.replace('"".join(block', '" ".join(block'))
    said = [
        run(app, ["check", target, "--only", "LOOP-0*,HELP-*", *QUICK, "-x", "-j", jobs, "--json", "-"]).stdout
        for jobs in ("1", "3")
    ]
    assert said[0] == said[1]


def test_junit_can_be_parsed(tmp_path):
    """One suite for each target, one case for each property, every verdict in its own element."""
    path = tmp_path / "report.xml"
    target = harness(tmp_path, FIRST_ONLY)
    run(app, ["check", target, "nowhere.py", "--only", "LOOP-0[1-5],HELP-01", *QUICK, "--junit", str(path)])
    first, second = ET.parse(path).getroot()
    assert first.get("name") == target
    assert (first.get("failures"), first.get("errors")) == ("1", "0")
    assert int(first.get("tests")) == len(first.findall("testcase")) == 6
    case = first.find("testcase[@name='LOOP-03']")
    assert case.get("classname") == "LOOP"
    assert "Conversation(" in case.find("failure").text
    assert first.find("testcase[@name='LOOP-05']/skipped").get("message").startswith("not reached")
    assert second.find("testcase/error").get("message").startswith("nowhere.py: no such file")


def test_junit_holds_no_character_that_xml_cannot(tmp_path):
    """Control characters and lone surrogates are replaced, everything else stays."""
    text = formats.junit_text([report(Verdict("LOOP-01", "course", "fails", "a\x00b\x1b\ud800c\tdé🚀"))])
    case = ET.fromstring(text.encode()).find(".//failure")
    assert case.get("message") == "a\ufffdb\ufffd\ufffdc\tdé🚀"


def test_errors_are_errors_and_not_failures():
    """A broken suite is an `error` element; failures count harnesses' faults alone."""
    root = ET.fromstring(formats.junit_text([report(Verdict("LOOP-01", "course", "error", "ours"))]))
    assert (root[0].get("errors"), root[0].get("failures")) == ("1", "0")


# ---- files --------------------------------------------------------------------------------


def test_a_file_is_replaced_whole(tmp_path):
    """The old report stays until the new one is there, and nothing is left beside it."""
    path = tmp_path / "report.json"
    path.write_text("old")
    path.chmod(0o600)
    formats.write(str(path), "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["report.json"]


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    """A write that fails names the file, says why, and leaves what was there."""
    path = tmp_path / "report.json"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(formats.Unwritable, match=r"report\.json: cannot be written, No space left on device"):
        formats.write(str(path), "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.json"]


def test_a_full_disk_is_status_2(tmp_path, monkeypatch):
    """The verdicts are shown all the same."""
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    path = tmp_path / "report.json"
    said = run(app, ["check", harness(tmp_path), "--only", "LOOP-10", *QUICK, "--json", str(path)])
    assert said.exit_code == 2
    assert f"{path}: cannot be written, No space left" in said.stderr
    assert "1 property holds" in said.stdout


@pytest.mark.parametrize(("path", "words"), [("", "it is a folder"), ("no/such/r.json", "there is no folder")])
def test_what_can_never_be_written_is_said_beforehand(tmp_path, path, words):
    """No check is run whose report has nowhere to go."""
    with pytest.raises(formats.Unwritable, match=words):
        formats.writable(str(tmp_path / path))


def test_a_device_is_written_to_as_it_is():
    """/dev/null stays what it is."""
    formats.writable("/dev/null")
    formats.write("/dev/null", "x")
    assert not Path("/dev/null").is_file()


def test_a_link_is_followed(tmp_path):
    """A report behind a symbolic link is replaced where it lies."""
    there = tmp_path / "there.json"
    there.write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to(there)
    formats.write(str(link), "new")
    assert link.is_symlink()
    assert there.read_text() == "new"


def test_the_sample_is_what_these_tests_take_it_for():
    """Every change that the tests make to the sample harness does change it."""
    assert FIRST_ONLY != GOOD
