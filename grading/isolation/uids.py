"""A user number for one child alone, so that its limits, files and signals are its own.

Only root can hand them out. A number is held by a name in the kernel's list of abstract sockets:
it is free again the moment its holder dies, and nothing has to be tidied up.
"""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

RANGES = ((0x70000000, 1 << 20), (30_000, 30_000))  # first number, how many; the first range that is mapped


class Uid:
    """A user number nobody else on this machine is given, until `free` is called."""

    def __init__(self, number: int, name: socket.socket) -> None:
        self.number, self._name = number, name

    def free(self) -> None:
        """Give the number back."""
        self._name.close()


def take() -> Uid | None:
    """A number of its own; None if this process is not root or no such number is mapped here."""
    span = mapped() if os.geteuid() == 0 else None
    if span is None:
        return None
    first, count = span
    for step in range(1000):
        number = first + (os.getpid() * 7 + step) % count
        name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            name.bind(f"\0harness-props/uid/{number}")
        except OSError as error:
            name.close()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return Uid(number, name)
    return None


def mapped(table: str | None = None) -> tuple[int, int] | None:
    """The range to take numbers from, given the text of /proc/self/uid_map; None if all are too small."""
    if table is None:
        try:
            table = Path("/proc/self/uid_map").read_text(encoding="ascii")
        except OSError:
            return None
    spans = [tuple(map(int, line.split())) for line in table.splitlines()]
    for first, count in RANGES:
        if any(begin <= first and first + count <= begin + length for begin, _, length in spans):
            return first, count
    return None
