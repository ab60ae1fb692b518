"""The exporters, against what each platform has published of its format."""

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from grading.cli import app
from grading.export import classroom50, ctrf, gradescope, prairielearn
from tests.exported import (
    ALL,
    BROKEN,
    CLASSES,
    FORMATS,
    HALVES,
    HOSTILE,
    ORDINARY,
    UNUSABLE,
    counterexample,
    judged,
    result,
    text,
)
from tests.test_cli import FIRST_ONLY, GOOD

DATA = Path(__file__).parent / "data"
RUNNER = {
    "CLASSROOM": "harnesses", "ASSIGNMENT": "six", "OWNER": "ada", "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://h/c", "RELEASE_URL": "https://h/r",
}  # fmt: skip
# what junit-10.xsd of the Jenkins xUnit plugin accepts: children, required attributes, other attributes
JUNIT = {
    "testsuites": ({"testsuite"}, set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"testsuite", "properties", "testcase", "system-out", "system-err"}, {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
    ),
    "properties": ({"property"}, set(), set()),
    "property": (set(), {"name", "value"}, set()),
    "testcase": ({"skipped", "error", "failure", "system-out", "system-err"}, {"name"}, {"time", "classname", "group"}),
    "skipped": (set(), set(), {"type", "message"}),
    "failure": (set(), set(), {"type", "message"}),
    "error": (set(), set(), {"type", "message"}),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _runner(monkeypatch):
    for name, value in RUNNER.items():
        monkeypatch.setenv(name, value)


def schema(name: str) -> jsonschema.protocols.Validator:
    """The validator of one format; the folder of published schemas may be named to be used as well."""
    data = json.loads((DATA / f"{name}.schema.json").read_text())
    kind = jsonschema.validators.validator_for(data)
    kind.check_schema(data)
    return kind(data)


@pytest.mark.parametrize("name", ["gradescope", "classroom50", "ctrf", "prairielearn", "github-classroom"])
@pytest.mark.parametrize("which", range(len(ALL)))
def test_a_json_format_follows_its_schema(name, which):
    """Graded, ungraded, broken and hostile submissions all give what the platform describes."""
    schema(name).validate(json.loads(text(name, ALL[which])))


@pytest.mark.parametrize("name", ["gradescope", "classroom50", "ctrf", "prairielearn", "github-classroom"])
def test_a_schema_refuses_what_is_not_the_format(name):
    """The schemas say no, too: to an unknown field and to a test without what it needs."""
    made = json.loads(text(name, ORDINARY))
    checks = schema(name)
    assert not checks.is_valid({**made, "more": 1})
    inner = made["results"] if name == "ctrf" else made
    inner["tests"] = [{}]
    assert not checks.is_valid(made)


# The platforms' own schema files are theirs to give out and are not in this repository; whoever has copies
# names their folder. Without them the field lists above are what the output is held to.
published = pytest.mark.skipif(
    "HARNESS_PROPS_FORMATS" not in os.environ, reason="HARNESS_PROPS_FORMATS names no folder of schemas"
)



@published
@pytest.mark.parametrize(("name", "file"), [("classroom50", "result-v1.schema.json"), ("ctrf", "ctrf.schema.json")])
def test_the_published_schemas_accept_it_as_they_stand(name, file):
    """The platforms' own files, where a folder with copies of them is named, accept every submission."""
    wanted = json.loads((Path(os.environ["HARNESS_PROPS_FORMATS"]) / file).read_text())
    for graded in ALL:
        jsonschema.validate(json.loads(text(name, graded)), wanted)


@published
def test_the_published_junit_schema_accepts_it():
    """Jenkins' own XSD accepts the whole class, if xmlschema is installed."""
    xmlschema = pytest.importorskip("xmlschema")
    made = text("junit", ALL)
    xmlschema.XMLSchema(str(Path(os.environ["HARNESS_PROPS_FORMATS"]) / "junit-10.xsd")).validate(made)


def test_junit_holds_what_jenkins_accepts():
    """Every element stands where it may, with the attributes it must have and no other."""
    root = ET.fromstring(text("junit", ALL))
    assert root.tag == "testsuites"
    for element in root.iter():
        children, must, may = JUNIT[element.tag]
        assert {child.tag for child in element} <= children
        assert must <= set(element.attrib) <= must | may
    assert [s.get("name")[:3] for s in root][:4] == ["ada", "bo", "cy", "di"]


def test_junit_counts_what_it_lists():
    """A suite's counts are the number of its cases, and of those that failed, broke or were skipped."""
    for suite in ET.fromstring(text("junit", ALL)):
        found = {kind: len(suite.findall(f"testcase/{tag}")) for kind, tag in
                 (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))}  # fmt: skip
        assert {kind: int(suite.get(kind)) for kind in found} == found
        assert int(suite.get("tests")) == len(suite.findall("testcase"))


def test_gradescope_shows_one_test_for_each_property():
    """Number, points, visibility, tags, law, script and hint stand where the platform looks for them."""
    made = json.loads(text("gradescope", ORDINARY))
    assert made["score"] == 2.0
    tests = {test["extra_data"]["id"]: test for test in made["tests"]}
    assert list(tests) == [v.id for v in ORDINARY.verdicts]
    failed = tests["CUT-04"]
    assert (failed["number"], failed["score"], failed["max_score"], failed["status"]) == ("5.4", 0.0, 1.0, "failed")
    assert failed["visibility"] == "after_due_date"
    assert failed["tags"] == ["CUT", "course", "fails"]
    assert failed["output_format"] == "md"
    for shown in ("At most max\\_lines lines", "    something is wrong", "    Conversation(seen)", "    U A", "**Hint:** Look there."):
        assert shown in failed["output"]
    assert tests["LOOP-01"]["status"] == "passed"
    assert "max_score" not in tests["TOOL-09"]
    assert tests["TOOL-09"]["status"] == "passed"
    assert tests["BASH-01"]["status"] == "failed"
    assert "The grader is at fault" in tests["BASH-01"]["output"]


def test_the_page_on_formats_lists_them_all():
    """docs/formats.md has a row for each format with its file, and names no schema that is not there."""
    page = (DATA.parents[1] / "docs" / "formats.md").read_text()
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `([\w.-]+)` \|", page, re.MULTILINE))
    assert rows == {name: made.file for name, made in FORMATS.items()}
    named = set(re.findall(r"`tests/data/([\w.-]+)`", page))
    assert named == {path.name for path in DATA.glob("*.schema.json")} == {f"{n}.schema.json" for n in rows} - {"junit.schema.json"}


def test_a_verdict_kept_back_is_not_told_by_another():
    """What waits for a property that is shown later does not name it; what waits for a visible one does."""
    tests = {t["extra_data"]["id"]: t for t in json.loads(text("gradescope", ORDINARY))["tests"]}
    assert "LOOP-03 fails" in tests["LOOP-05"]["output"]
    assert "CUT-04" not in tests["CUT-05"]["output"]
    for name in ("prairielearn", "classroom50", "github-classroom"):
        made = text(name, ORDINARY)
        assert "CUT-04" not in made
        assert "READ-01" not in made
        assert "Checks that are not shown" in made


def test_a_counterexample_in_the_file_can_be_replayed():
    """Gradescope's extra data holds the script as it was, characters included that no database takes."""
    made = json.loads(gradescope.text(HOSTILE))
    kept = json.loads(made["tests"][0]["extra_data"]["counterexample"])
    assert kept["script"] == HOSTILE.verdicts[0].counterexample["script"]


def test_the_summary_for_a_submission_without_a_grade():
    """What could not be graded says why, and a fault of the grader's is told as one."""
    assert "there is no harness.py" in json.loads(gradescope.text(UNUSABLE))["output"]
    assert "The grader broke" in json.loads(gradescope.text(BROKEN))["output"]
    assert json.loads(prairielearn.text(BROKEN))["gradable"] is False


def test_prairielearn_takes_a_share_and_a_limited_file():
    """The score is a share of the points, and the file stays below a megabyte however much there is to say."""
    assert json.loads(prairielearn.text(ORDINARY))["score"] == round(2 / 7, 9)
    talk = "\U0001f600" * 100_000
    ids = [f"LOOP-{n:02}" for n in range(1, 22)] * 5
    big = result(*(judged(id_, "fails", message=talk, counterexample=counterexample(id_, talk)) for id_ in ids))
    made = prairielearn.text(big)
    assert len(made.encode()) <= prairielearn.LIMIT
    assert len(json.loads(made)["tests"]) == len(ids)


def test_classroom50_counts_in_whole_points():
    """Points that are fractions are counted in hundredths, never above what is possible; times come from the tag."""
    made = json.loads(classroom50.text(HALVES, RUNNER))
    assert (made["score"], made["max-score"]) == (175, 250)
    assert [t["score"] for t in made["tests"]] == [150, 25]
    assert made["datetime"] == "2026-06-01T14:32:05Z"
    assert json.loads(classroom50.text(UNUSABLE, RUNNER))["max-score"] == 50
    assert json.loads(classroom50.text(BROKEN, RUNNER))["max-score"] == 0


def test_classroom50_without_a_runner():
    """Where the runner's variables are not set the file has its form all the same, and says so."""
    made = json.loads(classroom50.text(ORDINARY, {}))
    schema("classroom50").validate(made)
    assert (made["classroom"], made["submission"], made["owner"]) == ("unset", "submit/unset", "ada")


def test_ctrf_tells_a_whole_class():
    """Counts are sums over all students, and the original verdict stands beside the format's word."""
    made = json.loads(ctrf.class_text(ALL[:4]))["results"]
    counted = {k: made["summary"][k] for k in ("tests", "passed", "failed", "skipped", "other")}
    assert counted == {"tests": 12, "passed": 3, "failed": 4, "skipped": 3, "other": 2}
    assert {t["rawStatus"] for t in made["tests"]} >= {"holds", "fails", "not reached", "not applicable", "error"}


def test_grade_writes_every_format(tmp_path):
    """A class graded with --format all has each format's file for each student, and the class's own."""
    for student, program in (("ada", GOOD), ("bo", FIRST_ONLY)):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "harness.py").write_text(program)
    (tmp_path / "rubric.toml").write_text('only = ["LOOP-03", "HELP-01"]\n')
    out = tmp_path / "results"
    said = CliRunner().invoke(app, ["grade", str(tmp_path / "class"), "-o", str(out), "--rubric", str(tmp_path / "rubric.toml"),
                                    "--isolation", "process", "--examples", "5", "-j", "1", "--format", "all", "-q"])  # fmt: skip
    assert said.exit_code == 0, said.output
    for student in ("ada", "bo"):
        for made in FORMATS.values():
            assert (out / "submissions" / student / made.file).stat().st_size > 100
    schema("ctrf").validate(json.loads((out / "ctrf.json").read_text()))
    told = json.loads((out / "submissions" / "bo" / "gradescope-results.json").read_text())
    assert [t["extra_data"]["verdict"] for t in told["tests"]] == ["fails", "holds"]
    assert len(ET.parse(out / "junit.xml").getroot()) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_result_gives_the_same_bytes(name):
    """Nothing but the result decides, and no two formats share a file name."""
    assert [text(name, r) for r in ALL] == [text(name, r) for r in ALL]
    assert sum(FORMATS[name].file == other.file for other in FORMATS.values()) == 1
    assert set(CLASSES) == {"junit", "ctrf"}
