"""Small classes of submissions for the tests of grading: a folder, a rubric that is quickly judged."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from grading.batch.command import Wanted, grade_class
from grading.batch.record import Result, read
from grading.batch.task import Job, Part, judge
from tests.test_cli import GOOD, ROOT

# What each is worth, and what its judging costs: little.
RUBRIC = """\
examples = 5
only = ["LOOP-01", "LOOP-03", "LOOP-05", "HELP-01", "CUT-01", "CUT-04", "CUT-05"]
"""
RIGHT = GOOD.replace("size += len(line)", "size += len(line.encode())")
BROKEN = "def run_agent(:\n"
CRASHES = "import os\nos._exit(3)\n"


def submissions(folder: Path, **files: str) -> Path:
    """A folder of submissions, one file for each keyword."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def rubric(folder: Path, text: str = RUBRIC) -> str:
    """A rubric file."""
    path = folder / "rubric.toml"
    path.write_text(text)
    return str(path)


def wanted(folder: Path, **more: object) -> Wanted:
    """A run over `folder/class` into `folder/results`, with the quick rubric, in this process."""
    usual = {
        "submissions": str(folder / "class"), "results": folder / "results", "trust": True, "jobs": 1, "quiet": True,
    }  # fmt: skip
    more.setdefault("rubric", None)
    more["rubric"] = more["rubric"] or rubric(folder)
    return Wanted(**{**usual, **more})  # type: ignore[arg-type]


def graded(folder: Path, **more: object) -> dict[str, Result]:
    """The results of such a run by student."""
    run = wanted(folder, **more)
    grade_class(run)
    return {result.student: result for result in read(run.results / "results.jsonl")}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but for the state of the run."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file() and ".grading" not in path.parts
    }


def command(*arguments: object, killing: Iterable[tuple[int, int]] = ()) -> "subprocess.Popen[str]":
    """`harness-props grade` in a process of its own; `killing` holds pairs of count and process, see `tests.killing`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    kills = ",".join(f"{count}:{pid}" for count, pid in killing)
    how = ["tests.killing", kills] if kills else ["grading.cli", "grade"]
    return subprocess.Popen([sys.executable, "-m", *how, *map(str, arguments)], text=True, env=environment,
                            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def deadly(job: Job) -> Part:
    """As `judge`, but the worker dies with a submission that says so, and breaks with another."""
    text = job.files[job.harness]
    if b"kill the worker" in text:
        os._exit(9)
    if b"break the suite" in text:
        raise OSError(28, "No space left on device")
    return judge(job)
