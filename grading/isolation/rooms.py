"""Builds the room of one child on the rungs that need no engine: process, landlock, namespace."""

from __future__ import annotations

import contextlib
import ctypes
import os
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from adapters.wall import Bounds, Room
from adapters.worker import MEMORY
from grading.isolation import uids, visible
from grading.isolation.bubblewrap import command
from grading.isolation.submission import Submission

INSIDE = tuple(sorted(p for p in Path(__file__).with_name("inside").glob("*.py") if p.stem != "__init__"))
PROCESSES = 64  # of one child's user: its own, its threads and all it starts
DISK, ENTRIES = 64 << 20, 4000  # bytes and number of files in the folders that a child may write to
LINE, TRAFFIC = 16 << 20, 64 << 20  # bytes of one message, and of all of one run
IDLE = 60.0  # seconds that one child may do nothing in all
LIMITS = {"files": 256, "bytes": 16 << 20, "seconds": 3600, "core": 0}
EVERYWHERE = ("/tmp", "/var/tmp", "/dev/shm")  # where any user may leave files


@dataclass(frozen=True)
class Walls:
    """A `Wall` of one of three rungs round one submission."""

    rung: str
    submission: Submission

    def room(self, folder: Path) -> Room:
        """The room in this folder; see `adapters.wall.Wall`."""
        held = uids.take()
        try:
            return self._room(folder, held)
        except BaseException:
            if held:
                held.free()
            raise

    def _room(self, folder: Path, held: uids.Uid | None) -> Room:
        harness = furnish(folder, self.submission, held.number if held else None)
        own = [str(folder / "home"), str(folder / "tmp")]
        plan: dict[str, Any] = {"keeper": True, "limits": {**LIMITS, **_processes(held, self.rung)}}
        if held:
            plan["uid"] = held.number
        if self.rung == "namespace":
            return Room(
                str(harness), command(folder, own, DISK, as_root=os.geteuid() == 0), inside=INSIDE,
                plan={**plan, "sieve": "outward"}, leash=True, relayed=True,
                bounds=Bounds(MEMORY, DISK, ENTRIES, IDLE, tuple(own), True, LINE, TRAFFIC),
                leave=_Leaving(held, ()),
            )  # fmt: skip
        if held and not reachable():
            plan["reads"] = True
        if self.rung == "landlock":
            read, listed = visible.readable()
            ours = [str(folder / "program"), str(folder / "submission")]
            plan["landlock"] = {"read": [*read, *ours], "list": listed, "write": [*own, "/dev/null"]}
            plan["sieve"] = "alone"
        return Room(
            str(harness), inside=INSIDE, plan=plan, leash=True,
            bounds=Bounds(MEMORY, DISK, ENTRIES, IDLE, tuple(own), False, LINE, TRAFFIC),
            leave=_Leaving(held, EVERYWHERE if self.rung == "process" else ()),
        )  # fmt: skip


def furnish(folder: Path, submission: Submission, uid: int | None) -> Path:
    """Put the submission into the folder and give each part its owner; returns the harness's file.

    Only `home` and `tmp` can be written to by the child. Raises OSError.
    """
    place = folder / "submission"
    place.mkdir()
    place.chmod(0o755)
    harness = submission.put(place)
    if uid is not None:
        for name in ("home", "tmp"):
            os.chown(folder / name, uid, uid)
            (folder / name).chmod(0o700)
        os.chown(folder, -1, uid)
        folder.chmod(0o710)  # its own child may pass, other children may not
    return harness


def _processes(held: uids.Uid | None, rung: str) -> dict[str, int]:
    """The limit on processes: it counts all of a user's, so without a user of its own these come on top."""
    if held or rung == "namespace":
        return {"processes": PROCESSES}
    return {"processes": PROCESSES + threads_of(os.getuid())} if os.getuid() else {}


def threads_of(uid: int) -> int:
    """How many threads this user has at the moment."""
    count = 0
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and Path("/proc", name).stat().st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


@lru_cache(maxsize=1)
def reachable() -> bool:
    """Whether any user may run this interpreter and enter the folder for temporary files."""
    return all(map(visible.open_to_all, (*visible.interpreter(), tempfile.gettempdir())))


@dataclass(frozen=True)
class _Leaving:
    """Gives the user number back, after what its child left in the machine's shared folders is removed."""

    held: uids.Uid | None
    folders: tuple[str, ...]

    def __call__(self) -> None:
        if self.held is None:
            return
        for folder in self.folders:
            with contextlib.suppress(OSError):
                for entry in list(os.scandir(folder)):
                    if entry.stat(follow_symlinks=False).st_uid == self.held.number:
                        _remove(entry)
        if self.folders:
            _remove_segments(self.held.number)
        self.held.free()


def _remove_segments(uid: int) -> None:
    """Remove the shared memory of a user, which no process has to hold."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/sysvipc/shm").read_text(encoding="ascii").splitlines()
        titles = lines[0].split()
        for line in lines[1:]:
            segment = dict(zip(titles, line.split(), strict=True))
            if segment["uid"] == str(uid):
                ctypes.CDLL(None).shmctl(int(segment["shmid"]), 0, None)


def _remove(entry: os.DirEntry[str]) -> None:
    import shutil

    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            Path(entry.path).unlink()
