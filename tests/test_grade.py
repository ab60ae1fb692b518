"""A class is graded: results, files, statuses, and what is said of it."""

import json
import re

import jsonschema
import pytest
from markdown_it import MarkdownIt
from referencing import Registry, Resource
from typer.testing import CliRunner

from grading import formats
from grading.batch import command as commands
from grading.batch import outputs, record, running, writing
from grading.batch.record import Judged, Result
from grading.batch.report import report
from grading.cli import app
from grading.isolation import probe
from grading.leave import BROKEN, FAILED, OK, BadCall
from tests.classes import BROKEN as NO_PYTHON
from tests.classes import GOOD, RIGHT, RUBRIC, contents, deadly, graded, rubric, submissions, wanted
from tests.terminal import on_a_terminal

run = CliRunner().invoke
SCHEMAS = [json.loads(file.read_text()) for file in (record.SCHEMA_FILE, formats.SCHEMA_FILE)]
KNOWN = Registry().with_resources((s["$id"], Resource.from_contents(s)) for s in SCHEMAS)
RESULT, VERDICTS = (jsonschema.Draft202012Validator(schema, registry=KNOWN) for schema in SCHEMAS)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A class that was graded once: right, wrong, the same once more, no Python, no harness."""
    folder = tmp_path_factory.mktemp("small")
    submissions(folder / "class", ada=RIGHT, bob=GOOD, cy=GOOD, dee=NO_PYTHON)
    (folder / "class" / "eve").mkdir()
    (folder / "class" / "eve" / "main.py").write_text(GOOD)
    return folder, graded(folder)


def test_everybody_has_a_result(small):
    """Right, wrong and unusable submissions, each with its score and in order of names."""
    _, results = small
    assert {s: (r.status, r.score, r.max_score) for s, r in results.items()} == {
        "ada": ("graded", 7, 7), "bob": ("graded", 5.5, 7), "cy": ("graded", 5.5, 7),
        "dee": ("unusable", 0, 7), "eve": ("unusable", 0, 7),
    }  # fmt: skip
    assert list(results) == sorted(results)
    assert "does not load: SyntaxError" in results["dee"].problem
    assert "there is no harness.py in it; it holds main.py" in results["eve"].problem


def test_results_follow_their_schema(small):
    """Every line is what the schema says, reads back as it was written, and is ASCII."""
    folder, results = small
    text = (folder / "results" / "results.jsonl").read_bytes()
    assert text.isascii()
    for line in text.decode().splitlines():
        data = json.loads(line)
        RESULT.validate(data)
        assert list(data) == sorted(data)
        assert results[data["student"]].to_json() == data


@pytest.mark.parametrize("wrong", [{"score": -1}, {"status": "fine"}, {"seed": None}, {"more": 1}, {"problem": "x"}])
def test_the_schema_refuses_what_is_no_result(small, wrong):
    """A negative score, another status, a hidden seed without digest, an unknown key, an odd problem."""
    data = small[1]["ada"].to_json()
    assert RESULT.is_valid(data)
    assert not RESULT.is_valid({**data, **wrong})


def test_a_line_that_is_no_result_is_named(tmp_path):
    """Whoever reads results.jsonl learns which line does not do."""
    path = tmp_path / "results.jsonl"
    path.write_text(record.line(Result("ada")) + '{"schema": "other"}\n')
    with pytest.raises(ValueError, match=r"results\.jsonl, line 2: not a result: its schema is 'other'"):
        record.read(path)


def test_what_fails_is_told_with_its_points(small):
    """The failing property earns nothing, what waits for it its chapter's share; sentence and hint are there."""
    bob = {v.id: v for v in small[1]["bob"].verdicts}
    assert (bob["CUT-04"].verdict, bob["CUT-04"].points) == ("fails", 0)
    assert (bob["CUT-05"].verdict, bob["CUT-05"].points) == ("not reached", 0.5)
    assert bob["CUT-04"].hint.startswith("Count what is kept")
    assert small[1]["bob"].score == 5.5


def test_each_student_has_a_folder(small):
    """Report, verdicts and a counterexample for each failure; alike submissions have alike files."""
    folder, _ = small
    there = folder / "results" / "submissions"
    assert sorted(path.name for path in there.iterdir()) == ["ada", "bob", "cy", "dee", "eve"]
    assert [p.name for p in sorted((there / "bob").iterdir())] == ["counterexample-CUT-04.json", "report.md", "verdicts.json"]
    for student in "ada", "bob", "dee", "eve":
        VERDICTS.validate(json.loads((there / student / "verdicts.json").read_text()))
    bob, cy = ((there / student / "report.md").read_text() for student in ("bob", "cy"))
    assert bob.replace("bob", "cy") == cy


def test_a_counterexample_can_be_played_again(small, tmp_path):
    """What a student is given replays on their file, and on a mended one."""
    shown = small[0] / "results" / "submissions" / "bob"
    for text, words in ((GOOD, "STILL FAILS CUT-04"), (RIGHT, "FIXED CUT-04")):
        (tmp_path / "harness.py").write_text(text)
        for file in ("counterexample-CUT-04.json", "verdicts.json"):
            said = run(app, ["replay", str(shown / file), "--target", str(tmp_path / "harness.py")])
            assert words in said.stdout


def test_the_table_of_grades(small):
    """A row for each student, with points by chapter."""
    rows = (small[0] / "results" / "grades.csv").read_text().splitlines()
    assert rows[0] == "student,score,max_score,status,LOOP,HELP,CUT,fails,problem,submission"
    assert rows[2] == "bob,5.5,7,graded,3,1,1.5,CUT-04,,bob.py"
    assert rows[5].startswith("eve,0,7,unusable,,,,,eve: there is no harness.py")


def test_alike_submissions_are_judged_once(small):
    """Four contents can be judged here, and two of them are the same."""
    kept = [p for p in (small[0] / "results" / ".grading").glob("*.json") if p.name != "run.json"]
    assert len(kept) == 3


def test_the_same_bytes_with_any_number_of_jobs(small, tmp_path):
    """Two at a time, out of a zip, in another place: every file is the same, byte for byte."""
    folder, _ = small
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD, cy=GOOD, dee=NO_PYTHON)
    (tmp_path / "class" / "eve").mkdir()
    (tmp_path / "class" / "eve" / "main.py").write_text(GOOD)
    graded(tmp_path, jobs=2)
    assert contents(tmp_path / "results") == contents(folder / "results")


def test_reports_render_as_text_whatever_students_write(tmp_path):
    """HTML, terminal escapes, fences and formulas in names and messages only show."""
    evil = '=1+1;@x <script>alert(1)</script> \x1b[31m\x07 ```\n# <img src=x onerror=alert(1)> [a](javascript:b)'
    one = Judged("CUT-04", "CUT", "course", "fails", evil, "A claim.", evil, 5, 0, 1, counterexample={
        "python": "Cut('```')", "trace": [evil], "before": [],
    })  # fmt: skip
    told = Result(evil, f"{evil}.py", problem=evil, status="error", verdicts=(one,))
    text = report(told, {"visible"})
    assert "\x1b" not in text
    page = MarkdownIt("commonmark", {"html": True}).render(text)
    assert not re.search(r"<(script|img|a)\b", page)
    assert page.count("<h1>") == 1
    row = writing.csv_text([told]).splitlines()[1]
    assert row.startswith("'=1+1;'@x")
    assert "\x1b" not in row


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", " =1", "\uff1d1", "|x", "a;=1", "a, -1"])
def test_no_cell_is_a_formula(text):
    """Whatever a spreadsheet may take for the beginning of one stands behind an apostrophe."""
    assert not writing.plain(text).lstrip().startswith(writing.FORMULAS)
    assert not re.search(r"[;,\t]\s*[=+@-]", writing.plain(text))


def test_names_are_folders_that_do_no_harm():
    """No name leaves the folder, hides in it, or shares its folder with another."""
    names = ["ada", "Ada", "..", "../x", ".hidden", "a/b", "a\\b", "x" * 300, "con\ntrol", "-rf", "", "Bj\u00f6rk (2)"]
    made = outputs.folders(names)
    assert len({name.casefold() for name in made.values()}) == len(names)
    for name in made.values():
        assert re.fullmatch(r"[\w(][\w .,+@=()'-]*[\w)]", name)
        assert len(name) < 120
    assert made["Bj\u00f6rk (2)"] == "Bj\u00f6rk (2)"


def test_what_is_hidden_is_not_in_the_report(tmp_path):
    """Hidden properties, and those that wait for the due date, are counted and not shown."""
    submissions(tmp_path / "class", bob=GOOD)
    text = f'{RUBRIC}[visibility]\nCUT = "after_due_date"\nHELP = "hidden"\n'
    graded(tmp_path, rubric=rubric(tmp_path, text))
    there = tmp_path / "results" / "submissions" / "bob"
    early, late = (there / "report.md").read_text(), (there / "report-after-due-date.md").read_text()
    assert "CUT" not in early
    assert "4 of 7 properties are not shown here" in early
    assert "## CUT-04 fails" in late
    assert "HELP" not in early + late


# ---- statuses and complaints --------------------------------------------------------------


def test_a_worker_that_dies_costs_its_submission_alone(tmp_path, monkeypatch):
    """A process that is gone is no verdict: the others have theirs, and the next run tries again."""
    monkeypatch.setattr(running, "judge", deadly)
    submissions(tmp_path / "class", ada=RIGHT, bob=f"# kill the worker\n{GOOD}", cy=f"# break the suite\n{GOOD}", dee=GOOD)
    assert commands.grade_class(wanted(tmp_path, jobs=2)) == BROKEN
    told = {r.student: r for r in record.read(tmp_path / "results" / "results.jsonl")}
    assert {s: r.status for s, r in told.items()} == {"ada": "graded", "bob": "error", "cy": "error", "dee": "graded"}
    assert told["bob"].problem == "the process that graded it died 2 times; the same command tries it again"
    assert told["cy"].problem == "the suite broke: OSError: [Errno 28] No space left on device"
    assert (told["bob"].score, told["bob"].max_score) == (0, 7)
    RESULT.validate(told["bob"].to_json())
    monkeypatch.undo()
    assert {s: r.status for s, r in graded(tmp_path).items()} == dict.fromkeys(told, "graded")


def test_a_crash_at_import_is_the_submissions_own(tmp_path):
    """A file that ends its process is unusable, and no fault of ours."""
    submissions(tmp_path / "class", ada="import os\nos._exit(3)\n")
    assert commands.grade_class(wanted(tmp_path)) == FAILED
    (told,) = record.read(tmp_path / "results" / "results.jsonl")
    assert told.problem == "harness.py does not load: the process ended with exit status 3 (os._exit or a crash)"


def test_time_that_is_over_ends_one_submission(tmp_path):
    """What is not reached in time says so and is worth nothing."""
    submissions(tmp_path / "class", ada=RIGHT)
    told = graded(tmp_path, rubric=rubric(tmp_path, f"minutes = 1e-9\n{RUBRIC}"))["ada"]
    assert {v.verdict for v in told.verdicts} == {"not reached"}
    assert "minutes for one submission were over" in told.verdicts[0].message
    assert (told.status, told.score, told.max_score) == ("graded", 0, 7)


def test_a_secret_seed_is_written_nowhere(tmp_path):
    """Not in results, reports or state, and not on the screen; its digest stands for it."""
    secret = "nobody may ever read this"
    submissions(tmp_path / "class", bob=GOOD)
    path = rubric(tmp_path, f"secret_seed = '{secret}'\n{RUBRIC}")
    said = run(app, ["grade", str(tmp_path / "class"), "-o", str(tmp_path / "results"), "--rubric", path, "--trust"])
    assert said.exit_code == OK
    number = str(commands.rubric.read(path).number())
    for text in [said.output, *(p.read_text() for p in (tmp_path / "results").rglob("*") if p.is_file())]:
        assert secret not in text
        assert number not in text
    (told,) = record.read(tmp_path / "results" / "results.jsonl")
    assert told.seed is None
    assert re.fullmatch("[0-9a-f]{12}", told.seed_digest)
    RESULT.validate(told.to_json())
    VERDICTS.validate(json.loads((tmp_path / "results" / "submissions" / "bob" / "verdicts.json").read_text()))


def test_a_summary_for_people(tmp_path):
    """How many were graded, how they did, what could not be judged or was left out, where it all is."""
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD, dee=NO_PYTHON)
    (tmp_path / "class" / "notes.txt").write_text("")
    arguments = ["grade", str(tmp_path / "class"), "-o", str(tmp_path / "results"), "--rubric", rubric(tmp_path)]
    said = run(app, [*arguments, "--isolation", "process", "-j", "99"])
    assert said.exit_code == FAILED
    for words in ("2 of 3 submissions graded", "1 with all points (7); lowest 5.5, median 6.25, highest 7",
                  "what fails most: CUT-04 (1)", "dee: harness.py does not load", "notes.txt: is no Python file",
                  "not contained (process): ", "results.jsonl"):  # fmt: skip
        assert words in said.stdout
    assert "-j 99: this machine has" in said.stderr
    again = run(app, [*arguments, "--isolation", "process", "--quiet"])
    assert (again.exit_code, again.output) == (FAILED, "")


def test_a_bar_for_somebody_who_looks_on(tmp_path):
    """On a terminal: how many are done, have failures, met a fault of ours, and how long it will take."""
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD, dee=NO_PYTHON)
    arguments = ["grade", tmp_path / "class", "-o", tmp_path / "results", "--rubric", rubric(tmp_path), "--trust"]
    status, seen = on_a_terminal(arguments, 100, NO_COLOR="1")
    assert status == FAILED
    assert re.search(r"\d of 3 done, \d failed, 0 errored", seen)
    assert "left" in seen
    assert "2 of 3 submissions graded" in seen


def test_what_is_asked_for_is_never_weakened(tmp_path, monkeypatch):
    """A rung that does not work here ends the call; `auto` does not settle for a process unless told to trust."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(probe, "landlock", lambda: "the kernel has no landlock")
    submissions(tmp_path / "class", ada=RIGHT)
    for rung in ("namespace", "landlock", "auto"):
        said = run(app, ["grade", str(tmp_path / "class"), "-o", str(tmp_path / "results"), "--isolation", rung])
        assert said.exit_code == 2
        assert not (tmp_path / "results").exists()
    told = graded(tmp_path, isolation="auto")["ada"]
    assert told.isolation.rung == "process"
    assert told.isolation.uncontained


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere: no submission there"),
        (["class", "--rubric", "no.toml"], "no.toml: cannot be read"),
        (["class", "--isolation", "magic"], "'magic' is not one of auto, process, landlock, namespace, container"),
        (["class", "--format", "pdf"], "--format: there is no format 'pdf'; known: jsonl, csv, html, report"),
        (["class", "-j", "0"], "0 is too small, a whole number from 1 on is accepted"),
        (["class", "--examples", "x"], "'x' is not a whole number"),
        (["class", "-o", "class/results"], "results and submissions cannot lie in one another"),
        (["class", "-o", "class"], "results and submissions cannot lie in one another"),
        (["class", "-o", "file"], "file: is there already and holds no results of grading"),
        (["class", "-o", "other"], "other: is there already and holds no results of grading"),
        (["class", "-o", "file/results"], "file/results: cannot be written, Not a directory"),
        (["class", "--cluster", "tcp://127.0.0.1:1", "-j", "2"], "-j and --cluster cannot be had together"),
    ],
)
def test_an_unusable_call_is_one_line(tmp_path, monkeypatch, arguments, words):
    """Status 2 before anything is judged: what, where, what to do."""
    monkeypatch.chdir(tmp_path)
    submissions(tmp_path / "class", ada=RIGHT)
    (tmp_path / "file").write_text("")
    submissions(tmp_path / "other", letter="dear")
    arguments = arguments if "-o" in arguments else [*arguments, "-o", "results"]
    said = run(app, ["grade", *arguments, "--trust"], env={"COLUMNS": "300"})
    assert said.exit_code == 2, said.output
    assert words in " ".join(said.output.split())
    assert "Traceback" not in said.output


def test_formats_and_the_default_rubric_are_shown():
    """Both without any other argument; the rubric can be used as it is."""
    assert "results.jsonl: all results, a line each, always written" in run(app, ["grade", "--formats"]).stdout
    assert run(app, ["grade", "--show-rubric"]).stdout == commands.rubric.DEFAULT.read_text()


def test_formats_are_chosen_by_name():
    """The standard ones are always there; a name adds, `all` adds all."""
    standard = [o.name for o in outputs.OUTPUTS if o.standard]
    assert [o.name for o in outputs.asked(())] == standard
    assert outputs.asked(("all",)) == outputs.OUTPUTS
    with pytest.raises(BadCall):
        outputs.asked(("csv,nothing",))
