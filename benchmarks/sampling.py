"""Runs in the child in place of a framework's adapter: the adapter itself, and a sampler of where time goes.

`benchmarks.shares` fills in ADAPTER. A timer counts the CPU time of this process; at each tick the innermost
function that belongs to anybody says whose the time was. The standard library is whoever's called it.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

ADAPTER = ""
FOLDER = str(Path(ADAPTER).parent)
TICK = 0.002  # CPU seconds
IDLE = ("wait", "select", "acquire", "_worker", "poll", "get", "_wait_for_tstate_lock")

sys.path.insert(0, FOLDER)
counts: Counter[str] = Counter()


def whose(frame: FrameType | None) -> str:
    """"adapter", "suite" or "framework": the owner of the innermost frame that has one, else ""."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(FOLDER):
            return "adapter"
        if "_harness_props" in frame.f_globals.get("__name__", "") or "/program/" in file:
            return "suite"
        if "site-packages" in file:
            return "framework"
        frame = frame.f_back
    return ""


def tick(_: int, frame: FrameType | None) -> None:
    """Count one tick for the thread that works: the main one, else the first that is not waiting."""
    working: FrameType | None = frame
    if frame is not None and frame.f_code.co_name in IDLE:
        others = (f for f in sys._current_frames().values() if f is not frame)  # noqa: SLF001
        working = next((f for f in others if f.f_code.co_name not in IDLE), frame)
    counts[whose(working) or "framework"] += 1


def sampled() -> dict[str, Any]:
    """Ticks by owner and the CPU seconds of this process so far; counts from here on begin anew."""
    told = {"ticks": dict(counts), "cpu": time.process_time()}
    counts.clear()
    return told


exec(compile(Path(ADAPTER).read_bytes(), ADAPTER, "exec"), globals())  # here come the names of the course
signal.signal(signal.SIGPROF, tick)
signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
