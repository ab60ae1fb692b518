"""What a run of a program costs: `python -m benchmarks.programs [NAME …] [--runs N] [--json FILE]`.

Each program that is installed here plays a conversation of three model calls and two tool runs, after one
that is not counted. Shown are seconds a run by the clock, the CPU time of one in the program (with all that
it starts), in the room (the provider, the name server, the log of tools) and in the suite, and the share of
the last two. With --json FILE, rows of other programs in that file are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from adapters.contract import Harness, Unusable
from adapters.programs.reading import known
from adapters.targets import resolve
from strategies.script import Call, Conversation, Prompt, Reply, Say

RUNS = 5
FIRST = Reply((Say("I look."), Call("c1", "echo", {"text": "one"})), "toolUse")
SECOND = Reply((Call("c2", "echo", {"text": "two"}),), "toolUse")
SCRIPT = Conversation((Prompt("Go.", (FIRST, SECOND, Reply((Say("Done."),), "stop"))),))


def spent() -> dict[str, float]:
    """CPU seconds until now of the suite, the room, and the program with all that it started."""
    me = psutil.Process()
    told = {"suite": sum(me.cpu_times()[:2]), "room": 0.0, "program": 0.0}
    for process in me.children(recursive=True):
        times = process.cpu_times()
        own, ended = times.user + times.system, times.children_user + times.children_system
        ours = process.name() == "bwrap" or "adapters.programs.inside.supervisor" in process.cmdline()
        told["room" if ours else "program"] += own
        told["program"] += ended
    return told


def measured(harness: Harness, runs: int) -> dict[str, Any]:
    """The figures of one program."""
    fit = getattr(harness, "fit", lambda script: script)
    script = fit(SCRIPT)
    ended = harness.converse(script).endings[-1].kind
    if ended != "returned":
        raise Unusable(f"a plain run ended with {ended}; see `harness-props smoke`")
    before, walls = spent(), []
    for _ in range(runs):
        began = time.perf_counter()
        harness.converse(script)
        walls.append(time.perf_counter() - began)
    after = spent()
    cpu = {who: (after[who] - before[who]) / runs for who in after}
    beside = (cpu["room"] + cpu["suite"]) / (sum(cpu.values()) or 1.0)
    return {
        "version": harness.about.version, "runs": runs, "seconds": round(statistics.median(walls), 3),
        "cpu": {who: round(part, 3) for who, part in cpu.items()}, "beside": round(beside, 3),
    }  # fmt: skip


def row(name: str, told: dict[str, Any]) -> str:
    """One line for people."""
    cpu = told["cpu"]
    return (f"{name:<21}{told['seconds']:7.3f} s a run; CPU: program {cpu['program']:.3f} s, "
            f"room {cpu['room']:.3f} s, suite {cpu['suite']:.3f} s, beside {told['beside']:.0%}")  # fmt: skip


def main() -> int:
    """Measure the programs that are asked for, or all that are here."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.programs")
    options.add_argument("names", nargs="*", metavar="NAME")
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--json", type=Path, metavar="FILE")
    asked = options.parse_args()
    file: Path | None = asked.json
    rows: dict[str, Any] = json.loads(file.read_text())["programs"] if file and file.exists() else {}
    status = 0
    for name in asked.names or known():
        try:
            harness = resolve(f"wire:{name}")
            try:
                rows[name] = measured(harness, asked.runs)
            finally:
                harness.close()
        except Unusable as problem:
            sys.stderr.write(f"{name}: {problem}\n")
            status = 2
            continue
        sys.stdout.write(row(name, rows[name]) + "\n")
        sys.stdout.flush()
        if file:
            about = {"cpus": os.cpu_count(), "programs": dict(sorted(rows.items()))}
            file.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
