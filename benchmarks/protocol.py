"""How fast the process protocol is: `python -m benchmarks.protocol [CALLBACKS]`.

The reference, served in another process, and the templates play conversations of ten turns (longer than most
that are drawn) and of a hundred, each turn a model call and a tool run. Printed are callbacks a second by the
clock, and by the CPU time of all processes together, which others on the same machine change less. Only one
process works at a time, so the second is about what the first is on an idle machine. The figure to hold is
1,000 a second with ten turns.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import adapters
from adapters.targets import resolve
from strategies.script import Call, Conversation, Prompt, Reply, Say

WANTED = 1_000
TEMPLATES = Path(adapters.__file__).parent / "remote" / "templates"


def script(turns: int) -> Conversation:
    """A conversation of so many turns."""
    asks = Reply((Say("I look."), Call("c1", "echo", {"text": "a"})), "toolUse", times=turns)
    return Conversation((Prompt("Go.", (asks, Reply((Say("Done."),)))),))


def cpu() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(name: str, target: str, turns: int, callbacks: int) -> float:
    """Play until so many callbacks are served; prints how many came, and returns those of a CPU second."""
    harness, played = resolve(target), script(turns)
    done, before, started = 0, cpu(), time.perf_counter()
    while done < callbacks:
        trace = harness.converse(played)
        done += len(trace.requests) + len(trace.executions)
    seconds = time.perf_counter() - started
    harness.close()  # only what was waited for has its time counted, from its start on
    rate = done / (cpu() - before)
    print(f"{name:<30} {turns:>4} turns {done / seconds:8.0f} a second by the clock {rate:8.0f} of CPU")
    return rate


def main(callbacks: int = 5_000) -> int:
    """Measure each way; the status is 1 if the protocol is slower than it has to be."""
    served = f"process:{sys.executable} -m tests.serve_module"
    ways = {"reference, in this process": "adapter:reference", "reference, through the protocol": served,
            "template in Python": f"process:{sys.executable} {TEMPLATES / 'python.py'}"}  # fmt: skip
    if shutil.which("node"):
        ways["template in JavaScript"] = f"process:node {TEMPLATES / 'javascript.mjs'}"
    rates = {
        (way, turns): measure(way, target, turns, callbacks)
        for way, target in ways.items()
        for turns in (10, 100)
    }
    fast = rates["reference, through the protocol", 10] >= WANTED
    print(f"{'fast enough' if fast else 'TOO SLOW'}: {WANTED} callbacks a second of CPU are wanted")
    return 0 if fast else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
