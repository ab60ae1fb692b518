"""What of the machine a harness may see: the system's libraries and the interpreter, not the suite."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
SETTINGS = (
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/passwd", "/etc/group",
    "/etc/nsswitch.conf", "/etc/mime.types", "/etc/ssl/certs", "/etc/alternatives", "/etc/os-release",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
COUNTS = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu")
PARTS = ("adapters", "strategies", "properties", "grading", "harness_ref")
SUITE = Path(__file__).resolve().parents[2]


@lru_cache(maxsize=1)
def interpreter() -> tuple[str, ...]:
    """The folders that this Python runs from, in the order in which one may hide another."""
    found = {sys.prefix, sys.base_prefix, sys.exec_prefix, *site.getsitepackages()}
    found |= {os.path.realpath(path) for path in found}
    found |= {str(Path(os.path.realpath(sys.executable)).parents[1])}
    found = {path for path in found if path != "/" and Path(path).is_dir()}
    return tuple(path for path in sorted(found) if not _below_one_of(path, {*found, *SYSTEM} - {path}))


@lru_cache(maxsize=1)
def hidden() -> tuple[str, ...]:
    """The suite's own folders, and what tells where it lies."""
    found = [SUITE / part for part in PARTS if (SUITE / part).is_dir()]
    if SUITE.name.endswith("-packages"):
        found += SUITE.glob("harness_props-*.dist-info")
    else:
        found += [path for name in ("tests", "docs", "examples", ".git") if (path := SUITE / name).is_dir()]
    return tuple(sorted(map(str, found)))


@lru_cache(maxsize=1)
def readable() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths to be read with all that is below them, and folders that are listed only.

    Whatever holds a hidden folder is taken apart down to it.
    """
    read: list[str] = []
    listed: list[str] = []
    for path in (*SYSTEM, *interpreter(), *SETTINGS, *DEVICES, *COUNTS):
        if os.path.lexists(path):
            for kept, whole in _apart(path):
                (read if whole else listed).append(kept)
    return tuple(dict.fromkeys(read)), tuple(dict.fromkeys(listed))


def _apart(path: str) -> Iterator[tuple[str, bool]]:
    real = os.path.realpath(path)
    if _below_one_of(real, set(hidden())) or real in hidden():
        return
    if not any(_below_one_of(one, {real}) for one in hidden()):
        yield path, True
        return
    yield path, False
    for name in sorted(os.listdir(path)):
        yield from _apart(os.path.join(path, name))


def _below_one_of(path: str, folders: set[str]) -> bool:
    return any(path.startswith(folder.rstrip("/") + "/") for folder in folders)


def open_to_all(path: str) -> bool:
    """Whether any user may enter every folder on the way to this path."""
    parents = [Path(path), *Path(path).parents] if Path(path).is_dir() else [*Path(path).parents]
    return all(parent.stat().st_mode & 0o001 for parent in parents)
