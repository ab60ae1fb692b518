"""All the processes of a room but the supervisor: what they use, and the end of them.

Works in a pid namespace of its own alone, where every process there is was started by the program.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK")
EVERY = 0.2  # seconds between looks at what they use: looking costs
LAZY = 0.01  # whoever uses less than this share of a processor is idle, on a busy machine, too


class NoRoom(Exception):
    """This is not a pid namespace of its own, and nothing here may be ended."""


def alone() -> None:
    """Raise NoRoom unless the first process here is the room's own, and this one is among the first."""
    with open("/proc/1/comm") as file:
        first = file.read().strip()
    if first != "bwrap" or os.getpid() > 20:
        raise NoRoom(f"the first process is {first}, and this one has the number {os.getpid()}")


def others() -> Iterator[int]:
    """The processes of this namespace without its first one and without this one."""
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            yield int(name)


def used(pid: int) -> float:
    """Seconds that a process and those it waited for have worked."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return sum(map(int, file.read().rpartition(b")")[2].split()[11:15])) / TICKS
    except (OSError, ValueError):
        return 0.0


def sweep() -> None:
    """End every process of the room but this one, whatever it calls itself and however it hides."""
    alone()
    while left := [pid for pid in others() if not _over(pid)]:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _over(pid: int) -> bool:
    """Whether a process has ended; one that nobody waited for may stand in the list for a moment."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except OSError:
        return True


class Endless(Exception):
    """The program does not come to an end."""


@dataclass
class Limits:
    """What one prompt may take: seconds of CPU time, and seconds in which nothing happens at all."""

    cpu: float = 60.0
    idle: float = 30.0


class Vigil:
    """Watches a program that is waited for; `look` says in words why it does not come to an end."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seen: dict[int, float] = {}
        self._base, self._next = self._sum(), 0.0
        self.stirred()

    def stirred(self) -> None:
        """Something happened, a request for one: the silence begins anew."""
        self._then, self._before = time.monotonic(), self._sum()

    def _sum(self) -> float:
        """What all of them used so far, those that are gone included."""
        for pid in others():
            self._seen[pid] = max(self._seen.get(pid, 0.0), used(pid))
        return sum(self._seen.values())

    def look(self) -> str | None:
        """Why the program has to be ended, None as long as it has not."""
        now = time.monotonic()
        if now < self._next:
            return None
        self._next = now + EVERY
        busy = self._sum()
        if busy - self._base > self._limits.cpu:
            return f"it used more than {self._limits.cpu:g} s of CPU time on one prompt"
        silence = now - self._then
        if silence > self._limits.idle:
            if busy - self._before < LAZY * silence:
                return f"it did nothing for {self._limits.idle:g} s"
            self._then, self._before = now, busy
        return None
