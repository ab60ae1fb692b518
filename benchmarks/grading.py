"""What grading costs under each rung of isolation: `python -m benchmarks.grading [SUBMISSION.py …]`.

A class is made of these files (default: the shipped sample and a sound copy of it), each several
times with one more comment, so that no two are alike. It is graded by the real command, one job,
rung after rung and the whole round several times. Figures are medians; on a shared machine look at
the ratios.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.check import SAMPLE, sound_copy
from grading.batch.record import GRADED, read
from grading.isolation.inside import calls
from grading.isolation.ladder import NAMES, Unavailable, choose

RUNGS = tuple(name for name in NAMES if name not in ("auto", "container"))


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


def graded(folder: Path, rung: str, examples: int, only_start: bool) -> tuple[float, int]:
    """CPU seconds of one real run, and how many submissions have a grade.

    `only_start` grades a class of one file that does not load: the command, the probe, the pool and
    the reports, but no judging.
    """
    with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as nobody:
        Path(nobody, "nobody.py").write_text("")
        command = [sys.executable, "-m", "grading.cli", "grade", nobody if only_start else str(folder),
                   "-o", f"{out}/results", "--isolation", rung, "-j", "1", "--examples", str(examples),
                   "--quiet"]  # fmt: skip
        before = spent()
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode and not only_start:
            raise SystemExit(f"grading under {rung} ended with status {done.returncode}: {done.stderr}")
        took = spent() - before
        results = Path(out, "results", "results.jsonl")
        number = sum(r.status == GRADED for r in read(results)) if results.exists() else 0
        return took, number


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


def main() -> None:
    """Measure and print a line for each rung."""
    adopt()
    options = argparse.ArgumentParser(prog="python -m benchmarks.grading")
    options.add_argument("files", nargs="*", type=Path, metavar="SUBMISSION")
    options.add_argument("--copies", type=int, default=2)
    options.add_argument("--examples", type=int, default=100)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    files = given.files or [SAMPLE, sound_copy()]
    rungs = [rung for rung in RUNGS if works(rung)]
    took: dict[str, list[float]] = {rung: [] for rung in rungs}
    empty: dict[str, list[float]] = {rung: [] for rung in rungs}
    with tempfile.TemporaryDirectory() as name:
        a_class(files, given.copies, Path(name))
        count = len(files) * given.copies
        for _ in range(given.rounds):
            for rung in rungs:
                seconds, number = graded(Path(name), rung, given.examples, False)
                if number != count:
                    raise SystemExit(f"{number} of {count} submissions were graded under {rung}")
                took[rung].append(seconds)
                empty[rung].append(graded(Path(name), rung, given.examples, True)[0])
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{count} submissions, {given.examples} examples, {given.rounds} rounds, 1 job, "
          f"{os.cpu_count()} processors; largest process {largest:.0f} MB")  # fmt: skip
    print(f"{'rung':<12}{'per CPU minute':>16}{'child start':>14}{'outside judging':>17}{'ratio':>8}")
    for rung in rungs:
        whole, nothing = statistics.median(took[rung]), statistics.median(empty[rung])
        ratio = statistics.median(a / b for a, b in zip(took[rung], took[rungs[0]], strict=True))
        print(f"{rung:<12}{60 * count / whole:>16.2f}{1000 * start(rung, files[0]):>11.0f} ms"
              f"{nothing / whole:>17.1%}{ratio:>8.2f}")  # fmt: skip


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
