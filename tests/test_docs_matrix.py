"""The matrix of all harnesses: what is run for it, what is kept, and what its table says."""

import configparser
import importlib.util
import json
import sys

import pytest

from adapters.frameworks.table import FRAMEWORKS
from grading.across.saved import runs
from tests.matrix_runs import JUDGED, report_of
from tests.test_docs import ROOT

_spec = importlib.util.spec_from_file_location("docs_matrix", ROOT / "docs" / "matrix.py")
matrix = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(matrix)
HAYSTACK, TAU = (matrix.subjects()[name] for name in ("haystack", "tau"))


def told(name):
    """A report on a framework, with verdicts that were found on something else."""
    one = FRAMEWORKS[name]
    return {**report_of(JUDGED[1]), "target": f"adapter:{one.env}", "harness": {"name": one.distribution, "version": "1.2"}}


@pytest.fixture
def running(monkeypatch):
    """Checks that write a report at once, or end with this status if there is none."""
    reports = {}

    def command(one, options, file, *, here):
        code = "import pathlib, sys\nif sys.argv[2]: pathlib.Path(sys.argv[1]).write_text(sys.argv[2])\nsys.exit(1)"
        return [sys.executable, "-c", code, str(file), json.dumps(reports[one.name]) if one.name in reports else ""]

    monkeypatch.setattr(matrix, "command", command)
    return reports


def test_a_framework_is_checked_in_its_own_environment(tmp_path):
    """By its tox environment, or by this one's interpreter; a person types it with the path in the checkout."""
    file = tmp_path / "x.json"
    assert matrix.command(HAYSTACK, ["-j", "2"], file, here=False)[1:] == [
        "-m", "tox", "-e", "fuzz-haystack", "--", "-j", "2", "--json", str(file)
    ]
    assert matrix.command(HAYSTACK, [], file, here=True)[3:] == ["check", "adapter:haystack", "--json", str(file)]
    typed = matrix.typed(TAU, ["--only", "LOOP-*"], here=False)
    assert typed == "tox -e fuzz-tau -- --only 'LOOP-*' --json docs/matrix/verdicts/tau.json"


def test_a_program_is_checked_where_it_is_installed(tmp_path, running, monkeypatch):
    """It has no environment of its own; one that is not installed is told as not run."""
    codex = matrix.subjects()["wire:codex"]
    said = "harness-props check wire:codex --json docs/matrix/verdicts/wire-codex.json"
    assert matrix.typed(codex, [], here=False) == said
    running["tau"] = told("tau")
    there = {"tau": matrix.subjects()["tau"], "wire:codex": codex._replace(is_here=False)}
    monkeypatch.setattr(matrix, "subjects", lambda: there)
    assert matrix.main(["-o", str(tmp_path)]) == 0
    assert "wire:codex: was not run" in (tmp_path / "README.md").read_text()


def test_tox_has_the_environment_that_makes_it():
    """`tox -e fuzz-all` runs this file."""
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    assert tox["testenv:fuzz-all"]["commands"] == "python docs/matrix.py {posargs}"


def test_verdicts_pages_and_the_table_are_written(tmp_path, running, capfd):
    """What was run is kept with day and command; what could not be run stands there with the reason."""
    running["haystack"] = told("haystack")
    assert matrix.main(["haystack", "tau", "-o", str(tmp_path), "--", "--examples", "5"]) == 0
    made = json.loads((tmp_path / "made.json").read_text())
    assert set(made) == {"haystack", "tau"}
    assert made["tau"]["command"] == "tox -e fuzz-tau -- --examples 5 --json docs/matrix/verdicts/tau.json"
    [kept] = runs([str(tmp_path / "verdicts" / "haystack.json")])
    assert kept.label == "haystack 1.2"
    table = (tmp_path / "README.md").read_text()
    row = next(line for line in table.splitlines() if line.startswith("| haystack |"))
    assert row.split(" | ")[1:4] == ["1.2", "3.11.7", "6.155.0"]
    assert row.endswith(f"| {made['haystack']['date']} |")
    assert made["haystack"]["command"] in table
    assert "ended with status 1 and wrote no verdicts" in table
    assert "strands: was not run" in table
    page = (tmp_path / "index.html").read_text()
    assert f"Run on {made['haystack']['date']} by docs/matrix.py" in page
    assert (tmp_path / "badges" / "haystack-1.2.svg").exists()
    assert "missing: tau: tox -e fuzz-tau" in capfd.readouterr().out


def test_what_is_not_run_again_stays(tmp_path, running):
    """One framework is run anew; the others keep their verdicts, days and commands."""
    running["haystack"] = running["tau"] = told("haystack")
    matrix.main(["haystack", "-o", str(tmp_path)])
    before = (tmp_path / "verdicts" / "haystack.json").read_bytes()
    record = tmp_path / "made.json"
    record.write_text(record.read_text().replace('"date": "', '"date": "1'))
    running["tau"] = told("tau")
    matrix.main(["tau", "-o", str(tmp_path)])
    assert (tmp_path / "verdicts" / "haystack.json").read_bytes() == before
    assert json.loads(record.read_text())["haystack"]["date"].startswith("12")
    assert {p.name for p in (tmp_path / "harnesses").iterdir()} == {"haystack-1.2", "tau-1.2"}
    page = (tmp_path / "index.html").read_bytes()
    assert matrix.main(["--pages", "-o", str(tmp_path)]) == 0
    assert (tmp_path / "index.html").read_bytes() == page


def test_here_runs_what_is_installed(tmp_path, running, monkeypatch):
    """Frameworks that are not in this environment are left out, and told as not run."""
    running["tau"] = told("tau")
    there = {name: one._replace(is_here=name == "tau") for name, one in matrix.subjects().items()}
    monkeypatch.setattr(matrix, "subjects", lambda: there)
    assert matrix.main(["--here", "-o", str(tmp_path)]) == 0
    assert [p.name for p in (tmp_path / "verdicts").iterdir()] == ["tau.json"]


def test_nothing_to_show_is_said(tmp_path, capsys):
    """No verdicts, or a name that no framework has: status 2 and what to do."""
    assert matrix.main(["--pages", "-o", str(tmp_path)]) == 2
    assert "no verdicts are kept there" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        matrix.main(["nothing", "-o", str(tmp_path)])
    assert left.value.code == 2
    assert "no harness is called nothing; known: " in capsys.readouterr().err
