"""What may stand round a child's process: the seam between the worker and any isolation.

The worker prepares a folder and asks a `Wall` for the child's `Room` in it. Who builds the walls
is not the worker's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

LONGEST = 256 << 20  # bytes of one line, where nothing else is said


@dataclass(frozen=True)
class Bounds:
    """What the watch holds a walled child to, beside the worker's own limits; 0 for no bound.

    `memory` is bytes resident in the child and all it started, `disk` bytes and `entries` the
    number of files in the folders it may write to, `idle_seconds` all its time without work,
    `line` bytes of one message and `traffic` of all messages of a job. `private` says that the
    folders are to be looked for where the child sees them.
    """

    memory: int = 0
    disk: int = 0
    entries: int = 0
    idle_seconds: float = 0.0
    writable: tuple[str, ...] = ()
    private: bool = False
    line: int = LONGEST
    traffic: int = 0


@dataclass(frozen=True)
class Room:
    """One child's surroundings, in force until `leave` is called."""

    harness: str  # the harness's file as the child finds it
    launcher: Sequence[str] = ()  # what the child's own command is appended to
    python: str = ""  # another interpreter than the suite's
    inside: tuple[Path, ...] = ()  # modules that are put beside the child's program
    plan: dict[str, Any] | None = None  # what `walls.raise_walls`, one of them, is given
    leash: bool = False  # the started process ends all it has started when its standard input closes
    streams: bool = False  # the channel is standard input and output, no descriptors of its own
    relayed: bool = False  # a death by a signal shows as exit status 128 + the signal
    bounds: Bounds | None = None
    leave: Callable[[], None] = lambda: None  # gives back what is held outside the folder


class Wall(Protocol):
    """Builds rooms, all of the same kind."""

    def room(self, folder: Path) -> Room:
        """The room of a child whose own folder this is; it holds `home`, `tmp` and `program`.

        Raises OSError if it cannot be made.
        """
        ...
