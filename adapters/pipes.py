"""Messages over the two pipes of a child, each one line of JSON, under the eyes of a watch."""

from __future__ import annotations

import json
import os
import select
import time
from typing import Any

from adapters.contract import Garbage, HarnessFault
from adapters.process import Child
from adapters.wall import Bounds
from adapters.watch import TICK, Watch

CHUNK = 1 << 16  # bytes read at once: what a pipe holds; larger buffers cost more than they save


class Lines:
    """What is said to a child and what it says. `watch` keeps the time of the job under way.

    Each method raises `Died` when the child has ended, and `Hung` when the watch has had enough.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._received = bytearray()
        self._heard = 0  # bytes of the job under way
        self.watch = Watch(0, 0.0, 0.0)

    def begin(self, watch: Watch) -> None:
        """A job begins: from now on this watch counts."""
        self.watch, self._heard = watch, 0

    def forget(self) -> None:
        """The child has gone, and with it what was not read yet."""
        self._received.clear()

    def unasked(self) -> HarnessFault | None:
        """What is wrong if something has come between two jobs: the end, or a message of nobody's."""
        if not self._received and not select.select([self._child.source], [], [], 0)[0]:
            return None
        if not self._received and not os.read(self._child.source, 1):
            return self._child.died()
        return Garbage("the harness wrote on the suite's channel while it was asked nothing")

    def send(self, message: dict[str, Any]) -> None:
        """Say this."""
        rest = memoryview(json.dumps(message).encode() + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._child.sink, rest) :]
            except BlockingIOError:
                self._wait(self._child.sink, select.POLLOUT)
            except BrokenPipeError:
                raise self._child.died() from None

    def event(self) -> dict[str, Any]:
        """The next message; raises Garbage for what is none."""
        self.watch.heard()
        line = self._line()
        try:
            event = json.loads(line.decode())
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            shown = line[:80].decode(errors="backslashreplace")
            raise Garbage(f"the harness wrote on the suite's channel: {shown!r}")
        return event

    def _wait(self, descriptor: int, event: int) -> None:
        """Return when the pipe can be used; raises `Hung` or `Died` when it never will be."""
        poll = select.poll()
        poll.register(descriptor, event)
        began = time.monotonic()
        while not poll.poll(TICK * 1000):
            self.watch.rested(time.monotonic() - began)
            began = time.monotonic()
            self.watch.look()
            if self._child.gone() and not poll.poll(0):
                raise self._child.died()
        self.watch.rested(time.monotonic() - began)
        self.watch.glance()

    def _measure(self, line: int) -> None:
        """Raise Garbage if the message under way, or all of this job's, are longer than they may be."""
        bounds = self._child.room.bounds or Bounds()
        if line > bounds.line:
            raise Garbage(f"a message of more than {bounds.line >> 20} MiB came over the suite's channel")
        if bounds.traffic and self._heard > bounds.traffic:
            raise Garbage(f"messages of more than {bounds.traffic >> 20} MiB came of one run")

    def _line(self) -> bytes:
        received, searched = self._received, 0
        while (end := received.find(b"\n", searched)) < 0:
            searched = len(received)
            self._measure(searched)
            self._wait(self._child.source, select.POLLIN)
            part = os.read(self._child.source, CHUNK)
            if not part:
                raise self._child.died()
            received += part
            self._heard += len(part)
        line = bytes(received[:end])
        del received[: end + 1]
        return line
