"""Nothing is lost: killed at any moment, full disks, folders that are not ours, two ways of grading."""

import errno
import fcntl
import json
import os
import select
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grading.batch.command import grade_class
from grading.batch.found import Found, clean
from grading.batch.record import read
from grading.batch.store import STATE, Store
from grading.cli import app
from grading.formats import Unwritable
from grading.leave import BadCall
from grading.verdicts import Counterexample, Verdict
from tests.classes import BROKEN, GOOD, RIGHT, RUBRIC, command, contents, graded, rubric, submissions, wanted

run = CliRunner().invoke


def test_a_grader_that_is_killed_again_and_again_loses_nothing(tmp_path):
    """SIGKILL while something is being written, every few writes: in the end the same files, and no process left."""
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD, cy=f"{GOOD}\n", dee=BROKEN)
    arguments = [tmp_path / "class", "-o", tmp_path / "results", "--rubric", rubric(tmp_path), "--trust", "-q"]
    kills = 0
    while True:
        process = command(*arguments, "-j", "2", killing=[(4, 0)])
        workers = _descendants_at_the_end(process)
        out, err = process.communicate(timeout=120)
        _gone(workers)
        if process.returncode >= 0:
            assert out + err == ""
            break
        assert process.returncode == -9
        assert not (tmp_path / "results" / "results.jsonl").exists()
        kills += 1
    assert process.returncode == 1
    assert kills >= 2
    submissions(tmp_path / "calm" / "class", ada=RIGHT, bob=GOOD, cy=f"{GOOD}\n", dee=BROKEN)
    graded(tmp_path / "calm")
    assert contents(tmp_path / "results") == contents(tmp_path / "calm" / "results")
    assert not [p for p in (tmp_path / "results").rglob(".*") if p.name != STATE]


def _descendants_at_the_end(process) -> list[int]:
    """Handles of all processes that the grader has started, taken while it runs until it has gone."""
    handles: dict[int, int] = {}
    ended = os.pidfd_open(process.pid)
    while not select.select([ended], [], [], 0.05)[0]:
        for pid in _below(process.pid):
            if pid not in handles:
                try:
                    handles[pid] = os.pidfd_open(pid)
                except OSError:
                    continue
    os.close(ended)
    return list(handles.values())


def _below(pid: int) -> list[int]:
    found = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    except OSError:
        return found
    return found + [below for child in found for below in _below(child)]


def _gone(handles: list[int]) -> None:
    """Wait until all these processes have ended."""
    for handle in handles:
        assert select.select([handle], [], [], 30)[0], "a process is left behind"
        os.close(handle)


def test_partial_results_are_used(tmp_path):
    """After a kill there is a chapter in the state, and what is in it is not judged again."""
    submissions(tmp_path / "class", ada=RIGHT)
    path = rubric(tmp_path, 'examples = 5\nonly = ["LOOP-01", "HELP-01", "CUT-01"]\n')
    arguments = [tmp_path / "class", "-o", tmp_path / "results", "--rubric", path, "--trust", "-q"]
    with command(*arguments, "-j", "1", killing=[(2, 0)]) as process:
        process.communicate(timeout=120)
    assert process.returncode == -9
    (state,) = [p for p in (tmp_path / "results" / STATE).glob("*.json") if p.name != "run.json"]
    data = json.loads(state.read_text())
    assert [v["id"] for v in data["verdicts"]] == ["LOOP-01"]
    data["verdicts"][0]["message"] = "as it was found before"
    state.write_text(json.dumps(data))
    told = graded(tmp_path, rubric=path)["ada"]
    assert next((v.id, v.message) for v in told.verdicts) == ("LOOP-01", "as it was found before")
    assert told.score == 3


def test_what_is_done_is_not_judged_again(tmp_path):
    """A second run changes no file, and only what is new is judged."""
    submissions(tmp_path / "class", ada=RIGHT)
    graded(tmp_path)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "results").rglob("*") if p.is_file()}
    graded(tmp_path)
    assert {p: t for p, t in before.items() if p.stat().st_mtime_ns != t and p.name not in ("run.json", "lock")} == {}


def test_a_state_that_cannot_be_read_is_judged_anew(tmp_path):
    """A damaged file costs time and nothing else."""
    submissions(tmp_path / "class", ada=RIGHT)
    first = graded(tmp_path)
    for state in (tmp_path / "results" / STATE).glob("*.json"):
        if state.name != "run.json":
            state.write_text('{"half')
    assert graded(tmp_path) == first


def test_a_student_who_hands_in_again_has_the_new_files_alone(tmp_path):
    """Old counterexamples go, and so do folders of whoever is not in the class any more."""
    submissions(tmp_path / "class", ada=GOOD, bob=RIGHT)
    graded(tmp_path)
    submissions(tmp_path / "class", ada=RIGHT)
    (tmp_path / "class" / "bob.py").unlink()
    there = tmp_path / "results" / "submissions"
    (there / "ada" / "my-notes.txt").write_text("of the teacher")
    assert graded(tmp_path)["ada"].score == 7
    assert sorted(p.name for p in there.iterdir()) == ["ada"]
    assert sorted(p.name for p in (there / "ada").iterdir()) == ["my-notes.txt", "report.md", "verdicts.json"]


# ---- two ways of grading ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 7}, "seed 0 (now 7)"),
        ({"examples": 6}, "examples 5 (now 6)"),
        ({"isolation": "process"}, "isolation"),
        ({"rubric": "points"}, "rubric"),
    ],
)
def test_a_class_is_not_graded_in_two_ways(tmp_path, change, words):
    """Another seed, number of examples, isolation or rubric is refused with what differs; --fresh begins anew."""
    submissions(tmp_path / "class", ada=RIGHT)
    graded(tmp_path, isolation="auto")
    kept = contents(tmp_path / "results")
    if change.get("rubric"):
        change = {"rubric": rubric(tmp_path, f"{RUBRIC}[points]\nCUT = 10\n")}
    elif read(tmp_path / "results" / "results.jsonl")[0].isolation.rung == change.get("isolation"):
        # "auto" has come down to process already, so there are no two rungs that could differ
        pytest.skip("no stronger rung than process works here")
    with pytest.raises(BadCall) as raised:
        grade_class(wanted(tmp_path, **change))
    assert words in str(raised.value)
    assert "take another folder, or --fresh to begin anew there" in str(raised.value)
    assert contents(tmp_path / "results") == kept
    graded(tmp_path, fresh=True, **change)
    assert contents(tmp_path / "results") != kept


@pytest.mark.parametrize("key", ["suite_version", "python", "hypothesis", "set", "tier", "lesson"])
def test_versions_are_not_mixed(tmp_path, key):
    """What another suite, Python or Hypothesis has found is not gone on with."""
    made = {"suite_version": "1", "python": "3.11", "hypothesis": "6", "set": "2026.1", "tier": "course", "lesson": 6}
    with Store(tmp_path / "results", made).opened():
        pass
    with pytest.raises(BadCall, match=key.replace("_", " ")), Store(tmp_path / "results", {**made, key: "x"}).opened():
        pass


@pytest.mark.parametrize("state", ["", "{", "{}"])
def test_results_of_unknown_kind_are_not_gone_on_with(tmp_path, state):
    """Without a word on what they depend on, results are of another kind."""
    submissions(tmp_path / "class", ada=RIGHT)
    graded(tmp_path)
    path = tmp_path / "results" / STATE / "run.json"
    path.write_text(state) if state else path.unlink()
    with pytest.raises(BadCall, match="holds results with"):
        grade_class(wanted(tmp_path))
    assert graded(tmp_path, fresh=True)["ada"].score == 7


def test_fresh_leaves_what_is_not_of_grading(tmp_path):
    """--fresh removes results and nothing else; a folder without results is never touched."""
    submissions(tmp_path / "class", ada=RIGHT)
    graded(tmp_path)
    (tmp_path / "results" / "letter.txt").write_text("dear")
    said = run(app, ["grade", str(tmp_path / "class"), "-o", str(tmp_path / "results"), "--rubric", rubric(tmp_path),
                     "--trust", "--fresh", "-q", "--seed", "3"])  # fmt: skip
    assert said.exit_code == 0
    assert (tmp_path / "results" / "letter.txt").read_text() == "dear"
    assert read(tmp_path / "results" / "results.jsonl")[0].seed == 3


def test_two_graders_do_not_meet(tmp_path):
    """A folder in which another one is at work is refused."""
    submissions(tmp_path / "class", ada=RIGHT)
    graded(tmp_path)
    with (tmp_path / "results" / STATE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BadCall, match="another `harness-props grade` is at work there"):
            grade_class(wanted(tmp_path))


# ---- full disks ---------------------------------------------------------------------------


def test_a_full_disk_stops_and_keeps_what_is_there(tmp_path, monkeypatch):
    """The file and the reason are said; what was kept before stays and is gone on with."""
    submissions(tmp_path / "class", ada=RIGHT, bob=GOOD)
    left, real = 4, os.fsync

    def full(descriptor: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unwritable, match=r"\.(json|md): cannot be written, No space left on device"):
        grade_class(wanted(tmp_path))
    monkeypatch.undo()
    kept = [p for p in (tmp_path / "results" / STATE).glob("*.json") if p.name != "run.json"]
    assert kept
    assert all(json.loads(p.read_text())["verdicts"] for p in kept)
    assert graded(tmp_path)["ada"].score == 7


def test_what_was_found_reads_back(tmp_path):
    """State files hold everything, odd characters included, and refuse what is no state."""
    shown = Counterexample("CUT-04", "course", 0, {"kind": "Cut", "text": "\ud800"}, "Cut()", "A claim.", "m", "s", "h",
                           ("a", "b"), ({"kind": "Cut"},), 6)  # fmt: skip
    verdict = Verdict("CUT-04", "course", "fails", "m", shown, 7, "CUT-01", "key", True, "LOOP-14", 1.5)
    found = Found("ab" * 32, True, "p", True, "late", ("loop",), {"lines": "lf"}, {"CUT-04": verdict}, 2.5)
    assert Found.from_json(json.loads(json.dumps(found.to_json()))) == found
    for wrong in ({}, [], {"schema": "harness-props/found/v1"}, {**found.to_json(), "verdicts": [{"id": "x"}]}):
        with pytest.raises(ValueError, match="here should be|not whole"):
            Found.from_json(wrong)


def test_endless_messages_are_cut():
    """A message is as long as a report can bear, and holds nothing that cannot be written."""
    assert clean("a" * 5000) == "a" * 4000 + "… (1000 more characters)"
    assert clean("\ud800é") == "\\ud800é"
