"""Findings: data that is whole, scripts that stand alone and still show the defect, pages made of both."""

import ast
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.frameworks.javascript import Library
from adapters.frameworks.table import FRAMEWORKS
from adapters.programs.reading import known
from grading.serving import script_in
from strategies.script import Conversation
from tests.test_layers import PARTS, imported

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "findings"
FILES = sorted(file for file in FOLDER.glob("*/*.json") if not file.name.endswith(".script.json"))
EACH = pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}/{file.stem}" for file in FILES])
OURS = {*PARTS, "docs", "benchmarks", "examples", "conftest"}
CPU = 120  # seconds, imports of the framework included
BROKE = 70  # the status of a script that ends in an exception; Python's own is 1, which here says something
RUN = f"""
import runpy, sys, traceback
try:
    runpy.run_path(sys.argv[1], run_name="__main__")
except Exception:
    traceback.print_exc()
    sys.exit({BROKE})
"""
CATCH = f"process.on('uncaughtException', (e) => {{ console.error(e); process.exit({BROKE}); }});"
GOOD = {
    "id": "toyland/loses", "framework": "toyland", "distribution": "toyland", "version": "1.0", "title": "A_b `c_d` is lost",
    "property": "LOOP-03", "severity": "data lost or side effect repeated", "happens": "It is lost.", "should": "It is kept.",
    "matters": "It is <gone>.", "where": "toyland/loop.py, run", "docs": "Nothing.", "reported": None, "script": {"kind": "Conversation"},
}  # fmt: skip


@pytest.fixture(scope="module")
def pages():
    """The file that writes the pages."""
    pytest.importorskip("jsonschema", reason="the schema is checked where jsonschema is installed")
    spec = importlib.util.spec_from_file_location("docs_findings", ROOT / "docs" / "findings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def planted(folder: Path, source: str = "import toyland\n", **changes) -> Path:
    """A folder of findings with one in it."""
    place = folder / "toyland"
    place.mkdir()
    (place / "loses.json").write_text(json.dumps({**GOOD, **changes}))
    (place / "loses.py").write_text(source)
    return folder


# ---- what is in the folder ----------------------------------------------------------------


def test_every_finding_is_whole(pages):
    """Each follows the schema, is called as its files are, has its script, and names laws that there are."""
    found = pages.read()
    assert len(found) == len(FILES)
    named = ",".join(re.findall(r"\[testenv:fuzz-\{([^}]+)\}\]", (ROOT / "tox.ini").read_text()))
    assert {one["framework"] for one in found} <= {*named.split(","), *known()}


@EACH
def test_a_script_of_the_suite_can_be_read_back(file, pages):
    """What a finding has as its smallest script is one."""
    data = json.loads(file.read_text())
    assert data["script"] is None or pages.script_of(data) is not None


@EACH
def test_a_finding_is_of_the_version_that_is_pinned(file):
    """The environment that runs a finding's script has the version that the finding names."""
    data = json.loads(file.read_text())
    one = FRAMEWORKS.get(data["framework"])
    if "command" in data:
        program = known()[data["framework"]]
        assert data["version"] == program.version
        assert f"{data['distribution']}@{data['version']}" in " ".join(program.install.commands).replace("==", "@")
        return
    if isinstance(one, Library):
        packages = json.loads((ROOT / one.requirements).read_text())["packages"]
        assert packages[f"node_modules/{data['distribution']}"]["version"] == data["version"]
        return
    pins = (ROOT / "requirements" / f"fuzz-{data['framework']}.txt").read_text().splitlines()
    assert f"{data['distribution']}=={data['version']}" in [line.partition("[")[0] + line.partition("]")[2] if "[" in line else line for line in pins]


def test_no_two_findings_are_one():
    """No two of one framework have the same place in its source."""
    places = [(d["framework"], " ".join(d["where"].lower().split())) for d in (json.loads(f.read_text()) for f in FILES)]
    assert not {place for place in places if places.count(place) > 1}


@EACH
def test_a_script_stands_alone(file):
    """It is whole Python and imports nothing of this suite; one in JavaScript imports no file."""
    script = file.with_suffix(".py")
    if file.with_suffix(".script.json").is_file():
        assert isinstance(script_in(str(file.with_suffix(".script.json"))), Conversation)
        return
    if not script.is_file():
        assert not re.search(r"""(from|import)\s*\(?["'][./]""", file.with_suffix(".mjs").read_text())
        return
    ast.parse(script.read_text())
    assert not imported(script) & OURS


def ended(script: Path, home: Path) -> "subprocess.CompletedProcess[str]":
    """A script, run to its end in a fresh process of its own in an empty folder, its CPU time bounded."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHASHSEED")}
    return subprocess.run(
        [sys.executable, "-P", "-c", RUN, str(script)], cwd=home, env={**environment, "HOME": str(home)}, text=True, capture_output=True,
        check=False, timeout=900, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU + 5)),
    )  # fmt: skip


def ended_in_node(script: Path, home: Path, library: Library) -> "subprocess.CompletedProcess[str]":
    """The same for a script in JavaScript, in a folder where the library is installed."""
    (home / "node_modules").symlink_to(library.place)
    (home / script.name).write_text(script.read_text())
    node, *_ = library.words()
    return subprocess.run(
        [node, "--import", f"data:text/javascript,{CATCH}", script.name], cwd=home, env={**os.environ, "HOME": str(home)}, text=True,
        capture_output=True, check=False, timeout=900, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU + 5)),
    )  # fmt: skip


@EACH
def test_the_defect_is_there(file, tmp_path):
    """Where its framework is installed, a finding's script ends with status 1."""
    data = json.loads(file.read_text())
    one = FRAMEWORKS.get(data["framework"])
    if "command" in data:
        pytest.skip("a command-line agent: `harness-props serve` shows it")
    if one is None:
        pytest.skip(f"{data['framework']} is no framework of the table")
    version = one.version()
    if not version:
        pytest.skip(f"{data['distribution']} is not installed; tox -e {one.env} has it")
    if version != data["version"]:
        pytest.skip(f"{data['distribution']} {version} is installed; tox -e {one.env} has {data['version']}")
    if isinstance(one, Library):
        done = ended_in_node(file.with_suffix(".mjs"), tmp_path, one)
    else:
        done = ended(file.with_suffix(".py"), tmp_path)
    assert done.returncode == 1, f"status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    assert done.stdout.strip(), "it says nothing of what happens"


# ---- pages --------------------------------------------------------------------------------


def test_pages_are_made_of_data_and_script(pages, tmp_path):
    """The index counts by severity and links to a page; the page tells it all and shows both scripts."""
    made = pages.findings(planted(tmp_path))
    index, page = made[tmp_path / "README.md"], made[tmp_path / "toyland" / "loses.md"]
    assert "1 finding in 1 framework." in index
    assert "| [toyland](#toyland) |  | 1 |  |  |  |  | 1 |" in index
    assert "[A\\_b `c_d` is lost](toyland/loses.md)" in index
    assert page.startswith("# A\\_b `c_d` is lost\n")
    for words in ("It is \\<gone\\>.", "No public report was found.", "LOOP-03", "```python\nimport toyland\n```", "Conversation()"):
        assert words in page
    assert pages.script_of(GOOD) == Conversation()


def test_a_whole_counterexample_is_a_script_as_well(pages):
    """The script may come in what `check --json` has round it."""
    whole = {"schema": "harness-props/counterexample/v1", "property": "LOOP-03", "stage": 0, "script": {"kind": "Conversation"}}
    assert pages.script_of({**GOOD, "script": whole}) == Conversation()


def test_an_empty_folder_has_an_index(pages, tmp_path):
    """Without findings the page says so."""
    assert "0 findings in 0 frameworks." in pages.findings(tmp_path)[tmp_path / "README.md"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"severity": "bad"}, r"loses\.json: \$\.severity: 'bad' is not one of"),
        ({"docs": " "}, r"loses\.json: \$\.docs: ' ' does not match"),
        ({"more": 1}, "'more' was unexpected"),
        ({"id": "toyland/other"}, "here they should be 'toyland/loses'"),
        ({"property": "LOOP-99"}, "there is no property 'LOOP-99'"),
        ({"reported": "somewhere"}, r"\$\.reported"),
    ],
)  # fmt: skip
def test_a_finding_that_is_not_as_it_should_be_is_named(pages, tmp_path, changes, words):
    """The file, the place in it and what is wrong are told."""
    with pytest.raises(SystemExit, match=words):
        pages.read(planted(tmp_path, **changes))


def test_what_belongs_to_no_finding_is_named(pages, tmp_path):
    """A script without data, data without a script, what is no JSON, a page that is left over."""
    planted(tmp_path)
    script, data = tmp_path / "toyland" / "loses.py", tmp_path / "toyland" / "loses.json"
    script.unlink()
    with pytest.raises(SystemExit, match=r"there is no loses\.py beside it"):
        pages.read(tmp_path)
    data.write_text("{")
    with pytest.raises(SystemExit, match=r"loses\.json: not JSON"):
        pages.read(tmp_path)
    data.unlink()
    (tmp_path / "toyland" / "loses.md").write_text("old")
    with pytest.raises(SystemExit, match=r"loses\.md: there is no loses\.json"):
        pages.read(tmp_path)


def test_a_page_may_have_a_script_in_javascript(pages, tmp_path):
    """The page then says how to run it in Node."""
    planted(tmp_path)
    (tmp_path / "toyland" / "loses.py").unlink()
    (tmp_path / "toyland" / "loses.mjs").write_text('import "toyland";\n')
    page = pages.findings(tmp_path)[tmp_path / "toyland" / "loses.md"]
    assert "npm install toyland@1.0\nnode loses.mjs" in page
    assert '```javascript\nimport "toyland";\n```' in page


@pytest.mark.parametrize(("text", "status"), [("1 / 0", BROKE), ("raise SystemExit(1)", 1), ("print('fine')", 0)])
def test_a_script_that_breaks_shows_no_defect(tmp_path, text, status):
    """An exception is told from the status that stands for a defect."""
    (tmp_path / "script.py").write_text(text)
    assert ended(tmp_path / "script.py", tmp_path).returncode == status


def test_a_script_that_computes_without_end_is_ended(tmp_path, monkeypatch):
    """The bound is on CPU time, and the status is then not the one that stands for a defect."""
    monkeypatch.setitem(globals(), "CPU", 1)
    (tmp_path / "endless.py").write_text("while True: pass\n")
    assert ended(tmp_path / "endless.py", tmp_path).returncode < 0
