"""The watch on a child: its CPU time, its silence and, behind a wall, what it takes of the machine."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator

from adapters.contract import Hung
from adapters.wall import Bounds

TICK = 0.05  # seconds between looks at a process that says nothing
LAZY = 0.05  # a process that uses less than this share of a processor is idle
STOPPED = 0.5  # seconds after which a child whose processes are all stopped is given up
MEASURE = 0.2  # seconds between looks at a child's files
MIB = 1 << 20
_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


class Greedy(Hung):
    """The harness took more of the machine than it may; told and counted like a hang."""


class Watch:
    """Keeps the time of one job: CPU seconds of the child and of what it has started.

    `waited` is for how long this child has been waited for, earlier jobs included; `inner` is the first
    process that its launcher started, 0 as long as that is not known: looking for it costs.
    """

    def __init__(
        self, pid: int, cpu_seconds: float, idle_seconds: float,
        bounds: Bounds | None = None, waited: float = 0.0, inner: int = 0,
    ) -> None:  # fmt: skip
        self._pid, self._most, self._idle = pid, cpu_seconds, idle_seconds
        self._bounds, self.waited, self.inner = bounds, waited, inner
        self._base: float | None = None  # read when there is first cause to: reading costs
        self._started = time.monotonic()
        self._next_look = self._started + TICK
        self._next_measure = 0.0
        self._stopped_since = 0.0
        self.heard()

    def heard(self) -> None:
        """A message has come, or is waited for from now on: the silence begins anew."""
        self._silent_since, self._used_then = self.waited, -1.0

    def rested(self, seconds: float) -> None:
        """The child was waited for so long; more than a turn was the suite's own, stopped or starved."""
        self.waited += min(seconds, 2 * TICK)

    def glance(self) -> None:
        """Look if it is time to: a child that never stops talking is watched, too."""
        if time.monotonic() >= self._next_look:
            self.look()

    def look(self) -> None:
        """Raise `Hung` if a limit is passed."""
        now = time.monotonic()
        self._next_look = now + TICK
        census = Census(self._pid)
        if self._base is None:  # of what it has used, it can have used this much since the start
            self._base = max(0.0, census.seconds - (now - self._started))
        used = census.seconds - self._base
        if used > self._most:
            raise Hung(f"the harness used more than {self._most:g} s of CPU time on one run")
        if self._bounds is not None:
            self._measure(self._bounds, census, now)
        busy = used + census.starved
        if self._used_then < 0:
            self._used_then = busy
        silence = self.waited - self._silent_since
        if silence > self._idle:
            if busy - self._used_then < LAZY * silence:
                raise Hung(f"the harness did nothing for {self._idle:g} s")
            self.heard()

    def _measure(self, bounds: Bounds, census: Census, now: float) -> None:
        if bounds.memory and census.resident > bounds.memory:
            most = bounds.memory // MIB
            raise Greedy(f"the harness and what it started held more than {most} MiB of memory")
        if not census.stopped:
            self._stopped_since = 0.0
        elif not self._stopped_since:
            self._stopped_since = now
        elif now - self._stopped_since > STOPPED:
            raise Hung("the harness stopped its own process (SIGSTOP)")
        if bounds.idle_seconds and self.waited - census.seconds - census.starved > bounds.idle_seconds:
            raise Hung(f"the harness did nothing for {bounds.idle_seconds:g} s in all")
        if now >= self._next_measure:
            self._next_measure = now + MEASURE
            self.files()

    def files(self) -> None:
        """Raise `Greedy` if the child's files are more or larger than they may be."""
        bounds = self._bounds
        if bounds is None or not bounds.writable:
            return
        size = count = 0
        base = f"/proc/{self._inner()}/root" if bounds.private else ""
        for folder in bounds.writable:
            for one in sizes(base + folder):
                size, count = size + one, count + 1
                if bounds.disk and size > bounds.disk:
                    raise Greedy(f"the harness wrote more than {bounds.disk // MIB} MiB of files")
                if bounds.entries and count > bounds.entries:
                    raise Greedy(f"the harness made more than {bounds.entries} files")

    def _inner(self) -> int:
        """The first process that the launcher started; the launcher itself before there is one."""
        self.inner = self.inner or next((pid for pid, _ in family(self._pid) if pid != self._pid), 0)
        return self.inner or self._pid


class Census:
    """A process and its living descendants, counted once.

    `seconds` is their CPU time with that of those they waited for, `starved` the seconds that they
    could have worked and had no processor, `resident` their bytes of memory, `stopped` whether a
    process is stopped and none is running. All is 0 where there is no /proc to read, so that only
    idleness is noticed there.
    """

    def __init__(self, pid: int) -> None:
        ticks = pages = 0
        self.starved = 0.0
        states = set()
        for one, fields in family(pid):
            self.starved += _starved(one)
            ticks += sum(map(int, fields[11:15]))
            pages += int(fields[21])
            states.add(fields[0])
        self.seconds = ticks / _TICKS
        self.resident = pages * _PAGE
        self.stopped = b"T" in states and not states & {b"R", b"D"}


def _starved(pid: int) -> float:
    """Seconds that a process waited for a processor; 0 where the kernel does not count them."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def family(pid: int) -> Iterator[tuple[int, list[bytes]]]:
    """The process and its living descendants: number, and the fields of its `stat` from the state on."""
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        try:
            with open(f"/proc/{one}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            for task in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{task}/children") as names:
                    waiting += map(int, names.read().split())
        except OSError:
            continue
        yield one, fields


def sizes(folder: str) -> Iterator[int]:
    """The bytes that each entry below this folder takes, links not followed."""
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    yield entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # folders in folders, to hide what lies in the last
                yield sys.maxsize
