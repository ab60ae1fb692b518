"""A submission's files, read once: what is judged cannot change while it is judged."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adapters.contract import Unusable

MOST_BYTES, MOST_FILES = 16 << 20, 2000
PASSED_OVER = {"__pycache__", "__MACOSX", "node_modules"}


@dataclass(frozen=True)
class Submission:
    """The harness's file by its path inside the submission, and every file's content."""

    harness: str
    files: tuple[tuple[str, bytes], ...] = field(repr=False)

    def put(self, folder: Path) -> Path:
        """Write the files into this folder, readable for all and writable for none but us.

        Returns where the harness's file is. Raises OSError if the folder cannot be written.
        """
        made = {folder}
        for name, content in self.files:
            path = folder / name
            parents = (path.parent, *path.parent.parents)
            missing = [p for p in parents if p not in made and folder in p.parents]
            for parent in reversed(missing):
                parent.mkdir(exist_ok=True)
                parent.chmod(0o755)
                made.add(parent)
            path.write_bytes(content)
            path.chmod(0o644)
        return folder / self.harness


def read(path: Path, root: Path | None = None) -> Submission:
    """The submission at `path`: this file alone, or all of the folder `root` that it lies in.

    Links, hidden entries and what is no plain file are passed over. Raises Unusable if a file
    cannot be read or there is more than anybody writes for a harness.
    """
    if root is None:
        return Submission(path.name, ((path.name, _content(path, MOST_BYTES)),))
    try:
        harness = path.relative_to(root).as_posix()
    except ValueError:
        raise Unusable(f"{path} does not lie in {root}") from None
    files: dict[str, bytes] = {harness: _content(path, MOST_BYTES)}
    left = MOST_BYTES - len(files[harness])
    for one in _plain(root):
        if len(files) > MOST_FILES:
            raise Unusable(f"{root}: more than {MOST_FILES} files; hand in the harness alone")
        content = _content(one, left)
        left -= len(content)
        files[one.relative_to(root).as_posix()] = content
    return Submission(harness, tuple(sorted(files.items())))


def _content(path: Path, most: int) -> bytes:
    """The bytes of a plain file; no link is followed, no device waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unusable(f"{path}: not a plain file")
        content = file.read(most + 1)
    if len(content) > most:
        raise Unusable(f"{path}: more than {MOST_BYTES >> 20} MiB in all; hand in the harness alone")
    return content


def _plain(folder: Path) -> Iterator[Path]:
    """The plain files at or below this folder, in the order of their names."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        raise Unusable(f"{folder}: cannot be read: {error.strerror}") from error
    for entry in entries:
        if entry.name.startswith(".") or entry.name in PASSED_OVER:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _plain(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
