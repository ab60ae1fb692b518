"""One harness in a process of its own, driven over two pipes.

What the harness does wrong at this level (it dies, hangs, scribbles on the channel) is a
`HarnessFault` whose text is one sentence for a student. What the suite does wrong is `Broken`.
`adapters/child/main.py` is the program at the other end and describes the lines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from adapters import stub
from adapters.contract import Died, Garbage, HarnessFault
from adapters.pipes import Lines
from adapters.process import Broken, Child
from adapters.protocol import Meddled
from adapters.wall import Wall
from adapters.watch import Watch

__all__ = ["MEMORY", "Broken", "Unloadable", "Worker"]

MEMORY = 2 << 30  # bytes of address space


class Unloadable(HarnessFault):
    """The harness's file did not run; `line` is a line of `file`, `missing` the absent imports."""

    key = "unloadable"

    def __init__(self, event: dict[str, Any]) -> None:
        self.error, self.text = str(event.get("error")), str(event.get("text"))
        self.file, self.line = str(event.get("file")), event.get("line")
        self.missing: list[str] = list(event.get("missing") or [])
        where = f" (line {self.line})" if self.line is not None else ""
        super().__init__(f"{os.path.basename(self.file)} does not load: {self.error}: {self.text}{where}")


class Worker:
    """Starts the child for the harness at `path` and puts jobs to it, one at a time.

    `cpu_seconds` bounds the loading of the file, `idle_seconds` every silence without work,
    `memory` (bytes, 0 for none) the child's address space. `launcher` is a command that the
    child's own command is appended to; it must pass descriptors and standard error on and keep
    the child in its process group. `wall` builds what isolates the child, and takes the launcher's
    place. After any exception the child is gone; `start` starts a new one.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        cpu_seconds: float = 10.0,
        idle_seconds: float = 30.0,
        memory: int = MEMORY,
        python: str = sys.executable,
        launcher: Sequence[str] = (),
        driver: str | Path = stub.DRIVER,
        wall: Wall | None = None,
    ) -> None:
        self.path = Path(path).absolute()
        self.ready: dict[str, Any] = {}  # the child's own words: "pid" and "python"
        self._cpu_seconds, self._idle_seconds = cpu_seconds, idle_seconds
        self._child = Child(self.path, memory, python, launcher, Path(driver).absolute(), wall)
        self._lines = Lines(self._child)
        self._number = 0  # of the last job

    @property
    def pid(self) -> int | None:
        """The process that was started (the launcher's, if there is one); None if none runs."""
        return self._child.pid

    def start(self) -> None:
        """Start the child and load the harness, in place of a child that may still be running.

        Raises `Unloadable`, or another `HarnessFault` when the file ends, blocks or garbles the
        process while it loads; `Broken` when the child's program itself does not come up.
        """
        self.close()
        try:
            self._child.start()
            bounds = self._child.room.bounds
            self._lines.begin(Watch(self.pid or 0, self._cpu_seconds, self._idle_seconds, bounds))
            try:
                started = self._lines.event()
            except (Died, Garbage) as fault:
                raise Broken(f"the child did not start: {fault}\n{self._child.said()}") from None
            if started["event"] != "started":
                raise Broken(f"the child began with {started!r}")
            event = self._lines.event()
            if event["event"] == "unloadable":
                raise Unloadable(event)
            if event["event"] != "ready":
                raise Garbage(f"the harness wrote {event['event']!r} on the suite's channel")
            self.ready = event
        except BaseException:
            self.close()
            raise

    def run(
        self, job: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]], *, cpu_seconds: float
    ) -> Any:
        """Do one job: every event of the child's goes to `answer`, and what it gives goes back.

        Returns what the driver's `perform` returned. Raises a `HarnessFault`, `Broken`, or
        whatever `answer` raised. `cpu_seconds` is the child's for the whole job.
        """
        pid = self._child.pid
        if pid is None:
            raise Broken("the worker has not been started")
        before, bounds = self._lines.watch, self._child.room.bounds
        watch = Watch(pid, cpu_seconds, self._idle_seconds, bounds, before.waited, before.inner)
        self._lines.begin(watch)
        try:
            fault = self._lines.unasked()
            if fault is not None:
                raise fault
            self._number += 1
            self._lines.send({"job": job, "number": self._number})
            while True:
                event = self._lines.event()
                if "ask" in event:
                    ask = event.pop("ask")
                    self._lines.send({"answer": answer(event), "ask": ask})
                elif event["event"] == "finished":
                    if event.get("number") != self._number:  # one that was forged has come before it
                        raise Garbage("the harness wrote the end of a run on the suite's channel")
                    self._lines.watch.files()
                    return event.get("value")
                elif event["event"] == "broken" and event.get("meddled"):
                    raise Meddled(list(map(str, event["meddled"])))
                elif event["event"] == "broken":
                    raise Broken(str(event.get("text")))
                else:
                    raise Garbage(f"the harness wrote {event['event']!r} on the suite's channel")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the child and its process group and remove its folder; nothing if none runs."""
        self._child.close()
        self._lines.forget()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
