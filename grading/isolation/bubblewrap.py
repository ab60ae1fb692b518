"""The command line of bubblewrap: namespaces, and a file system in which little is to be seen."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from grading.isolation import visible

PROGRAM = "bwrap"
ALONE = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")


def command(folder: Path, own: Sequence[str], disk: int, *, as_root: bool) -> list[str]:
    """The launcher of a child whose folder this is.

    `own` are the folders it may write to: in memory, of `disk` bytes in all. `program` and
    `submission` can be read, nothing else that lies in the folder for temporary files. As root
    only the rights to become another user are kept, which the child then does.
    """
    rights = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    parts = [PROGRAM, *ALONE, "--die-with-parent", "--as-pid-1", *(rights if as_root else ["--unshare-user"])]
    parts += _machine()
    for path in _parents([*map(str, (folder / "program",))]):
        parts += ["--perms", "0755", "--dir", path]
    for name in ("program", "submission"):
        parts += ["--ro-bind", str(folder / name), str(folder / name)]
    share = str(disk // (len(own) + 1))
    for path in (*own, "/dev/shm"):
        parts += ["--perms", "0777", "--size", share, "--tmpfs", path]
    return [*parts, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", own[0], "--"]


@lru_cache(maxsize=1)
def _machine() -> tuple[str, ...]:
    """The part that is the same for every child: the system, the interpreter, and not the suite."""
    parts: list[str] = []
    paths = [p for p in (*visible.SYSTEM, *visible.interpreter(), *visible.SETTINGS) if os.path.lexists(p)]
    for path in _parents(paths):
        parts += ["--perms", "0755", "--dir", path]
    for path in paths:
        if os.path.islink(path) and path in visible.SYSTEM:
            parts += ["--symlink", os.readlink(path), path]
        else:
            parts += ["--ro-bind", path, path]
    for path in visible.hidden():
        if any(path.startswith(kept.rstrip("/") + "/") for kept in paths):
            parts += ["--perms", "0755", "--size", "4096", "--tmpfs", path, "--remount-ro", path]
    return (*parts, "--proc", "/proc", "--dev", "/dev")


def _parents(paths: Iterable[str]) -> Iterator[str]:
    """Every folder on the way to these paths, outermost first: those made by mounting are closed."""
    found = {str(parent) for path in paths for parent in Path(path).parents if str(parent) != "/"}
    return iter(sorted(p for p in found if not any(p.startswith(s + "/") or p == s for s in visible.SYSTEM)))
