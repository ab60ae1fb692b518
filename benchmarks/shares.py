"""Where the time of testing a framework goes: `python -m benchmarks.shares [NAME …] [--json FILE]`.

The properties of LOOP, TOOL and LIMIT are judged on each framework that is installed here, on the scripts
that they draw and on the examples that every check plays beside those, of which some are long. CPU time is
told apart into the framework's own (its dependencies included), the adapter's and the suite's; so is wall
time, where what the child does is divided as its CPU time is. The start of the child and the framework's
import are left out. "drawn" is the CPU time of the drawn scripts alone. With --json FILE, rows of other
frameworks in that file are kept.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
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
from properties.registry import Stage, load

CHAPTERS = ("LOOP", "TOOL", "LIMIT")
SLOW = 5.0  # milliseconds a run: from here on at most SHARE may be the adapter's and the suite's
SHARE = 0.30
OWNERS = ("framework", "adapter", "suite")


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
            _sampled(channel)  # starts the child
            drawn = Spent(channel)
            for stage, name in _stages(harness):
                drawn.on(lambda stage=stage, name=name: draw(
                    lambda script: _judge(stage, script, harness), stage.draws, examples, name))  # fmt: skip
            fixed = Spent(channel)
            for stage, _ in _stages(harness):
                fixed.on(lambda stage=stage: [_judge(stage, script, harness) for script in stage.examples])
            return {
                "version": harness.about.version, "examples": examples, "runs": drawn.runs,
                "ms a run": round(1000 * drawn.cpu("framework") / max(1, drawn.runs), 2),
                **_parts("cpu", drawn.cpu, fixed.cpu), **_parts("wall", drawn.wall, fixed.wall),
                **_parts("drawn", drawn.cpu),
            }  # fmt: skip
        finally:
            harness.close()


def _stages(harness: CourseShape) -> Iterator[tuple[Stage, str]]:
    """The first reading of each property that this harness can be asked about, and the property's id."""
    for prop in load().values():
        stage = prop.stages[0]
        able = prop.chapter in CHAPTERS and prop.needs <= harness.capabilities
        if able and not (stage.unless and stage.unless(harness.policies)):
            yield stage, prop.id


class Spent:
    """What work cost so far, in seconds: ours, the child's, and of that whose."""

    def __init__(self, channel: Timed) -> None:
        self._channel = channel
        self.runs, self._ours, self._theirs, self._wall, self._waited = 0, 0.0, 0.0, 0.0, 0.0
        self._ticks = dict.fromkeys(OWNERS, 0)

    def on(self, work: Callable[[], Any]) -> None:
        """Do this, and count it, unless a fault ended the child: a new one's import is no part of it."""
        before, ours, began = _sampled(self._channel)["cpu"], _own_cpu(), time.perf_counter()
        self._channel.runs, self._channel.theirs = 0, 0.0
        work()
        spent, wall, waited = _own_cpu() - ours, time.perf_counter() - began, self._channel.theirs
        runs, told = self._channel.runs, _sampled(self._channel)
        if told["cpu"] < before:
            return
        self.runs, self._ours = self.runs + runs, self._ours + spent
        self._theirs += told["cpu"] - before
        self._wall, self._waited = self._wall + wall, self._waited + waited
        for who, count in told["ticks"].items():
            self._ticks[who] += count

    def cpu(self, who: str) -> float:
        """Seconds of CPU time."""
        return self._part(who) * self._theirs + (self._ours if who == "suite" else 0.0)

    def wall(self, who: str) -> float:
        """Seconds by the clock; what the child took is divided as its CPU time is."""
        return self._part(who) * self._waited + (self._wall - self._waited if who == "suite" else 0.0)

    def _part(self, who: str) -> float:
        return self._ticks[who] / (sum(self._ticks.values()) or 1)


def _parts(name: str, *of: Callable[[str], float]) -> dict[str, dict[str, float]]:
    """The share of each owner in these figures together."""
    seconds = {who: sum(each(who) for each in of) for who in OWNERS}
    whole = sum(seconds.values()) or 1.0
    return {name: {who: round(spent / whole, 3) for who, spent in seconds.items()}}


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
    cpu, drawn = told["cpu"], told["drawn"]
    beside = cpu["adapter"] + cpu["suite"]
    kept = "" if told["ms a run"] <= SLOW else "  kept" if beside <= SHARE else f"  MORE THAN {SHARE:.0%}"
    return (f"{name:<18}{told['ms a run']:8.2f} ms a run   CPU: framework {cpu['framework']:.0%}, "
            f"adapter {cpu['adapter']:.0%}, suite {cpu['suite']:.0%}{kept}; "
            f"drawn scripts alone: framework {drawn['framework']:.0%}")  # fmt: skip


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
        found[name] = measured(FRAMEWORKS[name], given.examples)
        print(row(name, found[name]), flush=True)
        if given.json:
            given.json.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
