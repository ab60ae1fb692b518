"""What grading costs under each rung of isolation: `python -m benchmarks.grading [SUBMISSION.py …]`.

A class is made of these files (default: the shipped sample and a sound copy of it), each several
times with one more comment, so that no two are alike. It is graded by the real command, one job,
rung after rung and the whole round several times. Figures are medians; times are CPU seconds, of all
processes. On a shared machine look at the ratios: they are medians of paired runs.

*Outside judging* is what is spent neither in the student's code nor in the suite's judging: the command, the
probe, the pool and the reports (measured with a class that has nothing to judge), and each start and end of
a process for a student's code (counted, and measured one by one).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.watch import family
from benchmarks.check import SAMPLE, sound_copy
from grading.batch.record import GRADED, read
from grading.isolation.inside import calls
from grading.isolation.ladder import NAMES, Unavailable, choose

RUNGS = tuple(name for name in NAMES if name not in ("auto", "container"))
LOOK = 0.5  # seconds between looks at the memory


@dataclass(frozen=True)
class Run:
    """One real run: CPU seconds, grades given, processes started for students' code, bytes per job."""

    seconds: float
    grades: int
    starts: int
    memory: int


def adopt() -> None:
    """Make this process the parent of processes whose own has gone, so that their time counts."""
    calls.prctl(calls.PR_SET_CHILD_SUBREAPER, 1)


def spent() -> float:
    """CPU seconds of all processes that were started here and have ended; waits for the last of them."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def a_class(files: Sequence[Path], copies: int, folder: Path) -> None:
    """Write the submissions: `copies` of each file, no two with the same content."""
    for file in files:
        for number in range(copies):
            text = file.read_text(encoding="utf-8") + f"\n# copy {number}\n"
            (folder / f"{file.parent.name}-{file.stem}-{number}.py").write_text(text, encoding="utf-8")


def graded(folder: Path, rung: str, examples: int) -> Run:
    """One real run over the submissions in this folder."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "benchmarks.counting", f"{out}/starts", str(folder),
                   "-o", f"{out}/results", "--isolation", rung, "-j", "1", "--examples", str(examples),
                   "--quiet"]  # fmt: skip
        before = spent()
        process = subprocess.Popen(command, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        memory = 0
        while True:
            try:
                _, errors = process.communicate(timeout=LOOK)
                break
            except subprocess.TimeoutExpired:
                memory = max(memory, of_jobs(process.pid))
        took = spent() - before
        results = Path(out, "results", "results.jsonl")
        if not results.exists():
            raise SystemExit(f"grading under {rung} ended with status {process.returncode}: {errors}")
        starts = Path(out, "starts")
        count = starts.stat().st_size if starts.exists() else 0
        return Run(took, sum(r.status == GRADED for r in read(results)), count, memory)


def of_jobs(grader: int) -> int:
    """Bytes that the grader's workers and all below them hold, shared pages divided among their users."""
    parents = {pid: int(fields[1]) for pid, fields in family(grader)}
    total = 0
    for pid, parent in parents.items():
        if parent == grader or pid == grader:  # the grader, and who starts its workers
            continue
        with contextlib.suppress(OSError, IndexError, ValueError):
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
            total += int(rollup.split("\nPss:")[1].split()[0]) << 10
    return total


def start(rung: str, file: Path, times: int = 10) -> float:
    """CPU seconds of one start of a child under this rung, its end included, in the median."""

    def once() -> None:
        harness = opened.open(file)
        try:
            assert harness.capabilities
        finally:
            harness.close()

    opened = choose(rung, trust=True)
    return statistics.median(cost(once) for _ in range(times))


def cost(body: Callable[[], Any]) -> float:
    """CPU seconds of this process and its children that the body takes."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    before = used.ru_utime + used.ru_stime + spent()
    body()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + spent() - before


def measured(
    files: Sequence[Path], rungs: Sequence[str], copies: int, examples: int, rounds: int
) -> dict[str, Any]:
    """All figures, as they are written to JSON."""
    count = len(files) * copies
    took: dict[str, list[Run]] = {rung: [] for rung in rungs}
    empty: dict[str, list[float]] = {rung: [] for rung in rungs}
    with tempfile.TemporaryDirectory() as full, tempfile.TemporaryDirectory() as nobody:
        a_class(files, copies, Path(full))
        Path(nobody, "nobody.py").write_text("")
        for number in range(rounds):
            for rung in rungs[:: -1 if number % 2 else 1]:
                run = graded(Path(full), rung, examples)
                if run.grades != count:
                    raise SystemExit(f"{run.grades} of {count} submissions were graded under {rung}")
                took[rung].append(run)
                empty[rung].append(graded(Path(nobody), rung, examples).seconds)
    about = {"submissions": count, "examples": examples, "rounds": rounds, "rungs": {}}
    for rung in rungs:
        whole = statistics.median(run.seconds for run in took[rung])
        starts, one = took[rung][0].starts, start(rung, files[0])
        ratios = [a.seconds / b.seconds for a, b in zip(took[rung], took[rungs[0]], strict=True)]
        about["rungs"][rung] = {
            "submissions per CPU minute": round(60 * count / whole, 2),
            "memory per job, MB": round(max(run.memory for run in took[rung]) / 1e6),
            "starts per submission": round(starts / count, 1), "ms per start": round(1000 * one),
            "outside judging": round((statistics.median(empty[rung]) + starts * one) / whole, 4),
            f"CPU time against {rungs[0]}": round(statistics.median(ratios), 3),
        }  # fmt: skip
    return about


def main() -> None:
    """Measure and print a line for each rung."""
    adopt()
    options = argparse.ArgumentParser(prog="python -m benchmarks.grading")
    options.add_argument("files", nargs="*", type=Path, metavar="SUBMISSION")
    options.add_argument("--copies", type=int, default=2)
    options.add_argument("--examples", type=int, default=100)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--json", type=Path, metavar="FILE")
    given = options.parse_args()
    files = given.files or [SAMPLE, sound_copy()]
    rungs = [rung for rung in RUNGS if works(rung)]
    about = measured(files, rungs, given.copies, given.examples, given.rounds)
    print(f"{about['submissions']} submissions, {given.examples} examples, {given.rounds} rounds, 1 job")
    for rung, figures in about["rungs"].items():
        print(rung)
        for what, figure in figures.items():
            print(f"  {what:<32}{figure}")
    if given.json:
        given.json.write_text(json.dumps(about, indent=1) + "\n")


def works(rung: str) -> bool:
    """Whether this rung can be had here; says why not."""
    try:
        choose(rung, trust=True)
    except Unavailable as problem:
        print(problem)
        return False
    return True


if __name__ == "__main__":
    main()
