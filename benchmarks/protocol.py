"""How fast the process protocol is: `python -m benchmarks.protocol [CALLBACKS]`.

The reference, served in another process, and the templates play conversations of a hundred turns, each a
model call and a tool run. Printed are callbacks a second by the clock, and by the CPU time of all processes
together, which others on the same machine do not change. Only one process works at a time, so the second is
what the first is on an idle machine. The figure to hold is 1,000 a second.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import adapters
from adapters.reference import reference
from adapters.targets import resolve
from strategies.script import Call, Conversation, Prompt, Reply, Say

TURNS, WANTED = 100, 1_000
TEMPLATES = Path(adapters.__file__).parent / "remote" / "templates"
SCRIPT = Conversation((
    Prompt("Go.", (
        Reply((Say("I look."), Call("c1", "echo", {"text": "a"})), "toolUse", times=TURNS),
        Reply((Say("Done."),)),
    )),
))  # fmt: skip


def cpu() -> float:
    """CPU seconds of this process and of all that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(name: str, harness: Any, callbacks: int) -> float:
    """Play until so many callbacks are served; prints how many came, and returns those of a CPU second."""
    done, before = 0, cpu()
    harness.converse(SCRIPT)  # what is done once is not counted
    started = time.perf_counter()
    while done < callbacks:
        trace = harness.converse(SCRIPT)
        done += len(trace.requests) + len(trace.executions)
    seconds = time.perf_counter() - started
    harness.close()  # only what was waited for has its time counted
    rate = (done + 2 * TURNS + 1) / (cpu() - before)
    print(f"{name:<32} {done / seconds:8.0f} callbacks a second by the clock {rate:8.0f} a second of CPU")
    return rate


def main(callbacks: int = 5_000) -> int:
    """Measure each way; the status is 1 if the protocol is slower than it has to be."""
    measure("reference, in this process", reference(), callbacks)
    served = resolve(f"process:{sys.executable} -m tests.serve_module")
    rate = measure("reference, through the protocol", served, callbacks)
    measure("template in Python", resolve(f"process:{sys.executable} {TEMPLATES / 'python.py'}"), callbacks)
    if shutil.which("node"):
        measure("template in JavaScript", resolve(f"process:node {TEMPLATES / 'javascript.mjs'}"), callbacks)
    print(f"{'fast enough' if rate >= WANTED else 'TOO SLOW'}: {WANTED} callbacks a second are wanted")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
