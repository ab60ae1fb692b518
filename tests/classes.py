"""Small classes of submissions for the tests of grading: a folder, a rubric that is quickly judged."""

import os
import subprocess
import sys
from pathlib import Path

from grading.batch.command import Wanted, grade_class
from grading.batch.record import Result, read
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
        "submissions": str(folder / "class"), "results": folder / "results", "rubric": rubric(folder),
        "trust": True, "jobs": 1, "quiet": True,
    }  # fmt: skip
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


def command(*arguments: object, **more: object) -> "subprocess.Popen[str]":
    """`harness-props grade` in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", "grading.cli", "grade", *map(str, arguments)], text=True,
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)  # type: ignore[call-overload]

