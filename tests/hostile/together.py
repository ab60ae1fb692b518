"""All hostile files as one class, graded by the command, and what is left behind afterwards."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from adapters.watch import family
from grading.batch.record import GRADED, Result, read
from grading.isolation.inside import calls
from tests.hostile.run import ROOT, Scene, leftovers, scene, submission
from tests.hostile.table import Attack

SOUND = ("a_sound_one", "zz_another_sound_one")  # the first and the last of the class
PATIENCE = 10.0  # seconds after which a process that outlives the grader is left behind
ADA = "ada"  # whose work others look for: a comment, and nothing else
# What fails an attack fails one of these; and one attack behaves for a hundred calls, two for each example.
RUBRIC = """\
only = ["LOOP-01", "LOOP-13", "CUT-01", "CUT-04"]
examples = 45
"""


@dataclass(frozen=True)
class Graded:
    """What came of a class: by student, and what was done to others or left behind."""

    status: int
    said: str
    results: dict[str, Result]
    harm: tuple[str, ...]
    left: tuple[str, ...]
    seconds: float  # CPU time


def cell(attack: Attack, result: Result) -> str:
    """The letter of the table that stands for this result."""
    full = result.status == GRADED and result.score == result.max_score
    if "BREACH" in told(result) or (full and attack.wrong):
        return "N"
    return "C" if full else "D"


def told(result: Result) -> str:
    """All that the result says of what is wrong."""
    return "\n".join([result.problem, *(one.message for one in result.verdicts)])


def hand_in(attacks: list[Attack], place: Scene, grader: int) -> Path:
    """Write the class: the attacks, sound work at both ends, and Ada's."""
    folder = place.folder / "others"  # where the attacks look for other submissions
    for attack in (*attacks, *(Attack(name, "CCCCC") for name in SOUND)):
        text = b"from sound import *\n" if attack.name in SOUND else None
        for path, data in submission(attack, {**place.aim, "grader": grader}, text).files:
            (folder / attack.name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / attack.name / path).write_bytes(data)
    return folder


def grade(attacks: list[Attack], rung: str, *options: str) -> Graded:
    """Grade these attacks as one class on this rung, with two jobs."""
    with tempfile.TemporaryDirectory(prefix="class-", dir="/tmp") as name:
        top = Path(name)
        top.chmod(0o755)
        for part in ("scene", "children"):
            (top / part).mkdir()
        (top / "rubric.toml").write_text(RUBRIC)
        with scene(top / "scene") as place:
            return _graded(attacks, rung, options, top, place)


def _graded(attacks: list[Attack], rung: str, options: tuple[str, ...], top: Path, place: Scene) -> Graded:
    calls.prctl(calls.PR_SET_CHILD_SUBREAPER, 1)  # what nobody ends is found below this process
    before, used, known = leftovers(place.mark), _used(), {pid for pid, _ in family(os.getpid())}
    command = [sys.executable, "-m", "tests.hostile.grader", str(top / "numbers"), str(place.folder / "others"),
               "-o", str(top / "results"), "--rubric", str(top / "rubric.toml"), "--isolation", rung, "-j", "2",
               "--quiet", *options]  # fmt: skip
    waiting = ["sh", "-c", 'read _ && exec "$@"', "sh", *command]  # its number is known before it begins
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(top / "children"), "HOSTILE_SECRET": "of the grader"}
    try:
        with subprocess.Popen(waiting, text=True, cwd=ROOT, env=environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:  # fmt: skip
            hand_in(attacks, place, process.pid)
            said, _ = process.communicate("now\n")
        _bury({pid for pid, _ in family(os.getpid())} - known)
        numbers = {int(line) for line in (top / "numbers").read_text().split()} if os.geteuid() == 0 else set()
        left = leftovers(place.mark, numbers) - before
        left |= {str(path) for path in (top / "children").iterdir()}
        file = top / "results" / "results.jsonl"
        results = {one.student: one for one in read(file)} if file.exists() else {}
        return Graded(process.returncode, said, results, tuple(place.harm()), tuple(sorted(left)), _used() - used)
    finally:
        calls.prctl(calls.PR_SET_CHILD_SUBREAPER, 0)


def _bury(orphans: set[int]) -> None:
    """Wait for what ends by itself once the grader has gone: whoever starts its workers does."""
    for pid in orphans:
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            if select.select([handle], [], [], PATIENCE)[0]:
                os.waitpid(pid, 0)
            os.close(handle)


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
