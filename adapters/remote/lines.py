"""Lines of JSON over a command's pipes, under the eyes of a watch."""

from __future__ import annotations

import json
import os
import select
import time
from typing import Any

from adapters.contract import Garbage
from adapters.remote.command import Command
from adapters.remote.messages import Validator
from adapters.watch import TICK, Watch

CHUNK = 1 << 16  # bytes read at once: what a pipe holds
LONGEST = 64 << 20  # bytes of one line
SHOWN = 120  # characters shown of a line that is wrong


class Lines:
    """What is said to a command and what it says; `validator` is asked about every message if there is one.

    Until one of the two outputs has brought an answer, both are listened to; from then on that one alone.
    `noise` counts lines that are no messages, `last_noise` is the last of them.
    """

    def __init__(self, command: Command, validator: Validator | None) -> None:
        self._command, self._validator = command, validator
        self.watch = Watch(0, 0.0, 0.0)
        self.forget()

    def forget(self) -> None:
        """The command is gone, and with it what was not read yet."""
        self._buffers: dict[int, bytearray] = {}
        self._chosen: int | None = None
        self._count: dict[int, int] = {}
        self.noise, self.last_noise = 0, ""
        self.number = 0  # of the last message's line

    def begin(self, cpu_seconds: float, idle_seconds: float) -> None:
        """A job begins: from now on these bounds hold."""
        if not self._buffers:
            self._buffers = {source: bytearray() for source in self._command.sources}
            self._count = dict.fromkeys(self._command.sources, 0)
        self.watch = Watch(self._command.pid or 0, cpu_seconds, idle_seconds, None, self.watch.waited)

    def send(self, message: dict[str, Any]) -> None:
        """Say this. Raises Died if nobody is there any more, Hung if it is not taken."""
        if self._validator is not None:
            self._validator.sent(message)
        rest = memoryview(json.dumps(message).encode() + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._command.sink, rest) :]
            except BlockingIOError:
                self._wait_to_write()
            except BrokenPipeError:
                raise self._command.died() from None

    def receive(self) -> dict[str, Any]:
        """The next message. Raises Garbage for what should be one and is none, Died, or Hung."""
        self.watch.heard()
        while True:
            for source in self._buffers if self._chosen is None else (self._chosen,):
                message = self._taken(source)
                if message is not None:
                    self._chosen = source
                    return message
            if self._chosen is not None:
                self._drained()
            self._read()

    def _taken(self, source: int) -> dict[str, Any] | None:
        """The first message of what has come from here; lines of noise before it are counted."""
        buffer = self._buffers[source]
        while (end := buffer.find(b"\n")) >= 0:
            line = bytes(buffer[:end])
            del buffer[: end + 1]
            self._count[source] += 1
            if not line.startswith(b"{") or (self._chosen is None and not _answers(line)):
                self._noise(line)
                continue
            message = self._message(line, self._count[source])
            if self._validator is not None:
                self._validator.received(message, self._count[source], _begin(line))
            return message
        if len(buffer) > LONGEST:
            number = self._count[source] + 1
            most = LONGEST >> 20
            raise Garbage(f"line {number} is longer than {most} MiB; it begins with {_begin(buffer)}")
        return None

    def _message(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise Garbage(f"line {number} is not JSON ({said}); it begins with {_begin(line)}") from None
        if not isinstance(message.get("type"), str):
            raise Garbage(f"line {number} has no type; it begins with {_begin(line)}")
        self.number = number
        return message  # type: ignore[no-any-return]

    def _noise(self, line: bytes) -> None:
        if line.strip():
            self.noise += 1
            self.last_noise = line[:SHOWN].decode(errors="backslashreplace").strip()

    def _drained(self) -> None:
        """What comes from the output that carries no messages is noise."""
        for source, buffer in self._buffers.items():
            if source != self._chosen and buffer:
                *lines, rest = bytes(buffer).split(b"\n")
                for line in lines:
                    self._noise(line)
                buffer[:] = rest[-CHUNK:]

    def _read(self) -> None:
        """Read what there is, waiting for it; outputs that are closed are listened to no more."""
        poll = select.poll()
        for source in self._buffers:
            poll.register(source, select.POLLIN)
        began = time.monotonic()
        while not (ready := poll.poll(TICK * 1000)):
            self.watch.rested(time.monotonic() - began)
            began = time.monotonic()
            self.watch.look()
            if self._command.gone() and not poll.poll(0):
                raise self._command.died()
        self.watch.rested(time.monotonic() - began)
        self.watch.glance()
        for source, _ in ready:
            part = os.read(source, CHUNK)
            if part:
                self._buffers[source] += part
            else:
                rest = self._buffers.pop(source)
                if rest:  # a last line without an end
                    self._noise(bytes(rest))
                if source == self._chosen or not self._buffers:
                    raise self._command.died()

    def _wait_to_write(self) -> None:
        """Wait until more can be said. What is said meanwhile is read, so that no two wait for each other."""
        poll = select.poll()
        poll.register(self._command.sink, select.POLLOUT)
        for source in self._buffers:
            poll.register(source, select.POLLIN)
        began = time.monotonic()
        while not (ready := poll.poll(TICK * 1000)):
            self.watch.rested(time.monotonic() - began)
            began = time.monotonic()
            self.watch.look()
            if self._command.gone():
                raise self._command.died()
        self.watch.rested(time.monotonic() - began)
        self.watch.glance()
        if any(descriptor != self._command.sink for descriptor, _ in ready):
            self._read()


def _answers(line: bytes) -> bool:
    """Whether this is an answer, as the first message of all is; programs log in JSON, too."""
    try:
        return json.loads(line).get("type") in ("done", "error")
    except (ValueError, RecursionError):
        return False


def _begin(line: bytes | bytearray) -> str:
    text = bytes(line[:SHOWN]).decode(errors="backslashreplace")
    return repr(text) + ("…" if len(line) > SHOWN else "")
