"""Where the time of testing a framework goes: `python -m benchmarks.shares [NAME …] [--json FILE]`.

The scripts that the properties of LOOP, TOOL and LIMIT draw are judged on each framework that is installed
here. CPU time is told apart into the framework's own (its dependencies included), the adapter's and the
suite's; wall time, too, where what the child does is divided as its CPU time is. The start of the child and
the framework's import are left out. With --json FILE, rows of other frameworks in that file are kept.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.child import codec
from adapters.contract import About, HarnessFault, Unplayable, Unusable
from adapters.course import Process
from adapters.frameworks.process import LOADING, installed, policies_of
from adapters.frameworks.table import FRAMEWORKS, Framework
from adapters.shape import CourseShape, Declared
from grading.engine import draw
from properties.checks import Violation
from properties.registry import load

CHAPTERS = ("LOOP", "TOOL", "LIMIT")
SLOW = 5.0  # milliseconds a run: from here on at most SHARE may be the adapter's and the suite's
SHARE = 0.30


class Timed:
    """A channel that counts runs and the wall seconds that the child has the word."""

    def __init__(self, channel: Process) -> None:
        self._channel = channel
        self.runs, self.theirs = 0, 0.0

    def run(self, job: dict[str, Any], answer: Callable[[dict[str, Any]], Any], cpu_seconds: float) -> Any:
        """Do one job, on the clock."""
        began, inside = time.perf_counter(), 0.0

        def timed(event: dict[str, Any]) -> Any:
            nonlocal inside
            asked = time.perf_counter()
            try:
                return answer(event)
            finally:
                inside += time.perf_counter() - asked

        self.runs += job["op"] == "converse"
        try:
            return self._channel.run(job, timed, cpu_seconds)
        finally:
            self.theirs += time.perf_counter() - began - inside

    def restart(self) -> None:
        """Nothing: a fresh child would begin its counts anew, and start-up is not what is measured."""

    def close(self) -> None:
        """End the child."""
        self._channel.close()


def measured(one: Framework, examples: int) -> dict[str, Any]:
    """The figures of one framework."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(__file__).with_name("sampling.py").read_text(encoding="utf-8")
        file = Path(folder, f"sampled_{one.file.name}")
        file.write_text(source.replace('ADAPTER = ""', f"ADAPTER = {str(one.file)!r}"), encoding="utf-8")
        channel = Timed(Process(file, loading=LOADING))
        declared = Declared(one.capabilities, policies_of(one), one.pace)
        harness = CourseShape(channel, About(one.distribution, installed(one), f"adapter:{one.name}"),
                              declared=declared)  # fmt: skip
        try:
            return _figures(harness, channel, examples)
        finally:
            harness.close()


def _figures(harness: CourseShape, channel: Timed, examples: int) -> dict[str, Any]:
    laws = load().values()
    _sampled(channel)  # starts the child
    channel.runs, channel.theirs = 0, 0.0
    cpu, wall, ticks = _own_cpu(), time.perf_counter(), {"framework": 0, "adapter": 0, "suite": 0}
    theirs = 0.0
    for prop in laws:
        if prop.chapter not in CHAPTERS or not prop.needs <= harness.capabilities:
            continue
        stage = prop.stages[0]
        if stage.unless is not None and stage.unless(harness.policies):
            continue
        before = _sampled(channel)["cpu"]
        draw(lambda script, stage=stage: _judge(stage, script, harness), stage.draws, examples, prop.id)
        told = _sampled(channel)
        if told["cpu"] < before:  # a fault ended the child; the new one's import is no part of this
            continue
        theirs += told["cpu"] - before
        for who, count in told["ticks"].items():
            ticks[who] += count
    ours, wall = _own_cpu() - cpu, time.perf_counter() - wall
    seen = sum(ticks.values()) or 1
    part = {who: count / seen for who, count in ticks.items()}
    whole, waited = ours + theirs, channel.theirs
    return {
        "version": harness.about.version, "runs": channel.runs, "ticks": seen,
        "ms a run": round(1000 * theirs * part["framework"] / max(1, channel.runs), 2),
        "cpu": {"framework": round(theirs * part["framework"] / whole, 3),
                "adapter": round(theirs * part["adapter"] / whole, 3),
                "suite": round((ours + theirs * part["suite"]) / whole, 3)},
        "wall": {"framework": round(waited * part["framework"] / wall, 3),
                 "adapter": round(waited * part["adapter"] / wall, 3),
                 "suite": round((wall - waited + waited * part["suite"]) / wall, 3)},
    }  # fmt: skip


def _judge(stage: Any, script: Any, harness: CourseShape) -> None:
    """Judge once; what comes of it is of no interest here."""
    with contextlib.suppress(Violation, HarnessFault, Unplayable):
        stage.judge(script, harness)


def _sampled(channel: Timed) -> Any:
    job = {"op": "call", "function": "sampled", "args": codec.encode([])}
    return codec.decode(channel.run(job, lambda _: {}, 60.0)["value"])


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def row(name: str, told: dict[str, Any]) -> str:
    """One line for people."""
    cpu = told["cpu"]
    beside = cpu["adapter"] + cpu["suite"]
    kept = "" if told["ms a run"] <= SLOW else "  kept" if beside <= SHARE else f"  MORE THAN {SHARE:.0%}"
    return (f"{name:<18}{told['ms a run']:8.2f} ms a run   CPU: framework {cpu['framework']:.0%}, "
            f"adapter {cpu['adapter']:.0%}, suite {cpu['suite']:.0%}{kept}")  # fmt: skip


def main() -> None:
    """Measure the frameworks that are asked for, or all that are here."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.shares")
    options.add_argument("names", nargs="*", metavar="NAME")
    options.add_argument("--examples", type=int, default=20)
    options.add_argument("--json", type=Path, metavar="FILE")
    given = options.parse_args()
    found: dict[str, Any] = json.loads(given.json.read_text()) if given.json and given.json.exists() else {}
    for name in given.names or FRAMEWORKS:
        try:
            installed(FRAMEWORKS[name])
        except Unusable as problem:
            print(problem)
            continue
        found[name] = {**measured(FRAMEWORKS[name], given.examples), "examples": given.examples}
        print(row(name, found[name]), flush=True)
        if given.json:
            given.json.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
