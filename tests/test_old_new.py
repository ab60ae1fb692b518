"""Old against new: the rows, how each is run and judged, what is kept, and the page."""

import configparser
import importlib.util
import json
import sys

import pytest

from adapters.frameworks.table import FRAMEWORKS
from grading.leave import BadCall
from tests.matrix_runs import JUDGED, report_of
from tests.test_docs import ROOT

pytest.importorskip("jsonschema", reason="the schema is checked where jsonschema is installed")
_spec = importlib.util.spec_from_file_location("docs_old_new", ROOT / "docs" / "old_new.py")
old_new = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(old_new)
ROW = {
    "framework": "haystack", "distribution": "haystack-ai", "old": "1.0", "new": "1.1", "property": "LOOP-01",
    "issue": "https://example.org/issues/7", "title": "A [bug] of *loops*", "did": "It stops | too early.",
    "shows": "is called again", "seed": 3, "examples": 5,
}  # fmt: skip
OLD, NEW = ({"verdict": "fails", "message": "the model is called again"}, {"verdict": "holds", "message": ""})


def written(folder, *rows):
    """A file with these rows."""
    file = folder / "rows.json"
    file.write_text(json.dumps(rows))
    return file


@pytest.fixture
def running(monkeypatch, tmp_path):
    """Checks that write a verdict at once; what they were asked, and what they answer for each version."""
    asked, answers = [], {"1.0": OLD, "1.1": NEW}

    def environment(row, end, places, newer):
        version, answer = row[end], answers[row[end]]
        report = {**report_of(JUDGED[0]), "harness": {"name": row["distribution"], "version": version}}
        report["properties"] = [{"id": row["property"], "tier": "course", "examples": 5, **answer}]
        programs = tmp_path / version / "bin"
        programs.mkdir(parents=True, exist_ok=True)
        (programs / "report.json").write_text(json.dumps(report) if answer["verdict"] else "")
        program = programs / "harness-props"
        program.write_text(
            f"#!{sys.executable}\nimport pathlib, sys\nbeside = pathlib.Path(__file__).with_name('report.json').read_text()\n"
            "if beside: pathlib.Path(sys.argv[-1]).write_text(beside)\nelse: sys.exit('adapter:haystack: cannot be loaded')\n"
        )
        program.chmod(0o755)
        asked.append((version, newer))
        return programs

    monkeypatch.setattr(old_new, "environment", environment)
    monkeypatch.setattr(old_new, "read", lambda: [ROW, {**ROW, "framework": "tau", "distribution": "tau-ai"}])
    return asked, answers


def test_the_rows_of_the_project_are_right():
    """They follow the schema, and there are at least eight over four frameworks."""
    rows = old_new.read()
    assert len(rows) >= 8
    assert len({row["framework"] for row in rows}) >= 4
    for row in rows:
        assert row["distribution"] == FRAMEWORKS[row["framework"]].distribution


def test_every_row_of_the_project_was_shown():
    """What is kept belongs to the rows as they stand: failing on the old version with its words, holding on the new."""
    found = old_new.kept(old_new.KEPT)
    for row in old_new.read():
        one = found[old_new.key(row)]
        assert one["wrong"] == ""
        assert old_new.judged(row, one) == ""
    assert "## Missing" not in old_new.old_new()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{**ROW, "framework": "nothing"}], "no framework is called 'nothing'"),
        ([{**ROW, "property": "LOOP-99"}], "there is no property 'LOOP-99'"),
        ([{**ROW, "new": "1.0"}], "compares nothing"),
        ([ROW, {**ROW, "seed": 4}], "stands there twice"),
        ([{**ROW, "old": "1.0; rm"}], "$[0].old"),
        ([{**ROW, "beside": {"old": ["git+https://x"], "new": []}}], "$[0].beside.old[0]"),
        ([{key: value for key, value in ROW.items() if key != "shows"}], "'shows' is a required property"),
    ],
)
def test_a_row_that_is_not_right_is_named(tmp_path, rows, said):
    """File and place are told, and what is wrong there."""
    file = written(tmp_path, *rows)
    with pytest.raises(BadCall) as told:
        old_new.read(file)
    assert str(told.value).startswith(f"{file}: ")
    assert said in str(told.value)


def test_a_file_that_is_no_json_is_named(tmp_path):
    """Neither rows nor what is kept end in a traceback."""
    (tmp_path / "x.json").write_text("[")
    for reading in (old_new.read, old_new.kept):
        with pytest.raises(BadCall, match="x.json"):
            reading(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (OLD, NEW, ""),
        (NEW, NEW, "LOOP-01 holds on 1.0, the version before the fix"),
        ({**OLD, "message": "boom"}, NEW, "fails on 1.0 with other words than 'is called again': boom"),
        (OLD, OLD, "LOOP-01 fails on 1.1, the version with the fix: the model is called again"),
        (OLD, {"verdict": "error", "message": "broke"}, "LOOP-01 error on 1.1"),
    ],
)
def test_a_row_is_judged(old, new, said):
    """It is shown only if the old version fails with the row's words and the new one holds."""
    judged = old_new.judged(ROW, {"old": old, "new": new})
    assert judged == "" if said == "" else said in judged


def test_rows_are_run_and_kept(tmp_path, running, capsys):
    """Each row's two versions are checked; what was not run again stays, and what is no row any more goes."""
    file = tmp_path / "kept.json"
    file.write_text(json.dumps([{"key": "gone 1 2 LOOP-01", "wrong": ""}, {"key": "tau-ai 1.0 1.1 LOOP-01", "wrong": "was bad"}]))
    assert old_new.main(["haystack", "--json", str(file), "--python", "python3.99"]) == 0
    assert running[0] == [("1.0", "python3.99"), ("1.1", "python3.99")]
    first, second = json.loads(file.read_text())
    assert (first["key"], first["wrong"]) == ("haystack-ai 1.0 1.1 LOOP-01", "")
    assert (first["old"]["verdict"], first["old"]["message"], first["new"]["verdict"]) == ("fails", OLD["message"], "holds")
    assert second == {"key": "tau-ai 1.0 1.1 LOOP-01", "wrong": "was bad"}
    assert "[1/1] haystack-ai 1.0 1.1 LOOP-01 ... fails, then holds\n1 of 1 rows are shown" in capsys.readouterr().out


def test_what_goes_wrong_is_kept_and_the_others_are_run(tmp_path, running, capsys):
    """A version that cannot be judged makes its row wrong, with the reason; the status is 1."""
    asked, answers = running
    answers["1.1"] = {"verdict": "", "message": ""}
    file = tmp_path / "kept.json"
    assert old_new.main(["--json", str(file)]) == 1
    assert len(asked) == 4
    said = "haystack-ai 1.1: the check wrote no verdict (adapter:haystack: cannot be loaded)"
    assert json.loads(file.read_text())[0]["wrong"] == said
    assert said in capsys.readouterr().out


def test_an_environment_is_made_once(tmp_path, monkeypatch):
    """Suite and version are installed together; the same pins are not installed again, other ones are."""
    done = []
    monkeypatch.setattr(old_new, "_done", lambda command, otherwise: done.append(command))
    row = {**ROW, "beside": {"old": ["other==2"], "new": []}}
    place = tmp_path / "haystack-ai-1.0"
    place.mkdir()
    assert old_new.environment(row, "old", tmp_path, "") == place / "bin"
    venv, pip = done
    assert venv == [sys.executable, "-m", "venv", "--clear", str(place)]
    assert pip[-4:] == ["--editable", str(ROOT), "haystack-ai==1.0", "other==2"]
    old_new.environment(row, "old", tmp_path, "")
    assert len(done) == 2
    old_new.environment(ROW, "old", tmp_path, "")
    assert len(done) == 4


def test_a_command_that_fails_says_why(tmp_path):
    """The line of pip's that tells the error is in the sentence, not what it says after it."""
    code = "import sys; sys.exit('ERROR: no such version\\nWARNING: old pip')"
    with pytest.raises(BadCall, match=r"^x==1: cannot be had \(ERROR: no such version\)$"):
        old_new._done([sys.executable, "-c", code], "x==1: cannot be had")


def test_a_python_that_is_too_old_is_said(monkeypatch):
    """A framework that needs a later one is run by the program that is named, if that is late enough."""
    assert old_new.interpreter(ROW, "nothing") == sys.executable
    monkeypatch.setitem(old_new.FRAMEWORKS, "haystack", type("F", (), {"python": (99, 0)}))
    for program in ("nothing-is-called-so", sys.executable):
        with pytest.raises(BadCall, match="haystack needs Python 99.0; name one"):
            old_new.interpreter(ROW, program)


def test_the_page_shows_what_was_seen(tmp_path):
    """Rows that are shown stand in the table, the failure below it; others are missing, with the reason."""
    about = {"python": "3.11.7", "hypothesis": "6.155.0", "suite": "0.1.0"}
    found = {"key": old_new.key(ROW), "date": "2026-01-02", "wrong": "", "old": {**OLD, **about}, "new": {**NEW, **about}}
    (tmp_path / "kept.json").write_text(json.dumps([found]))
    page = old_new.old_new(written(tmp_path, ROW, {**ROW, "old": "0.9"}), tmp_path / "kept.json")
    row = next(line for line in page.splitlines() if line.startswith("| haystack |"))
    assert "1 bugs in 1 frameworks" not in page
    assert "1 bug in 1 framework" in page
    assert "](https://example.org/issues/7)" in row
    assert "*loops*" not in row.replace("\\*", "")
    assert "    harness-props check adapter:haystack --only LOOP-01 --examples 5 --seed 3\n    the model is called again" in page
    assert "- haystack-ai 0.9 1.1 LOOP-01: was not run" in page


def test_tox_has_the_environment_that_makes_it():
    """`tox -e old-new` runs this file, and an unknown framework is refused."""
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    assert tox["testenv:old-new"]["commands"] == "python docs/old_new.py {posargs}"
    with pytest.raises(SystemExit) as left:
        old_new.main(["nothing"])
    assert left.value.code == 2
