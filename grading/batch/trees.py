"""The files of one submission, read from a folder, a file or a zip, and nothing outside it.

What is read was written by students: links are not followed, devices and pipes are not opened, an
archive that points outside itself or unpacks to far more than it may is refused.
"""

from __future__ import annotations

import io
import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

MOST_BYTES = 8 << 20  # of one submission, all files together
MOST_FILES = 1000
LONGEST_NAME = 250  # bytes
MOST_ENTRIES = 200_000  # of an archive that holds a whole class
MOST_UNPACKED = 4 << 30  # bytes that such an archive may say it unpacks to
LEFTOVERS = {"__MACOSX", ".DS_Store", "__pycache__", ".git", ".venv", "venv", "node_modules", "Thumbs.db",
             "desktop.ini", ".idea", ".vscode", ".pytest_cache", ".mypy_cache",
             ".ipynb_checkpoints"}  # fmt: skip
_DRIVE = re.compile(r"[A-Za-z]:")
# What zipfile raises for an archive it cannot read; NotImplementedError is a compression it does not know.
_BROKEN = (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError)


class Unreadable(Exception):
    """A submission, or an archive of them, cannot be used; the message says why in a sentence."""


@dataclass
class Tree:
    """Files by path (with slashes, relative, never outside), and what was left out and why."""

    files: dict[str, bytes] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)

    def add(self, path: str, data: bytes) -> None:
        """Take a file in. Raises Unreadable if it all becomes too much."""
        self.files[path] = data
        if len(self.files) > MOST_FILES:
            raise Unreadable(f"it holds more than {MOST_FILES} files")
        if sum(map(len, self.files.values())) > MOST_BYTES:
            raise Unreadable(f"its files are larger than {MOST_BYTES >> 20} MiB together")


def leftover(path: str) -> bool:
    """Whether a path is what editors, systems and tools leave behind, and no part of the work."""
    return any(part in LEFTOVERS or part.startswith("._") for part in path.split("/"))


def shown(name: str) -> str:
    """A file's name as text: in one normal form, bytes that are no UTF-8 written out."""
    told = os.fsencode(name).decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", told)


# ---- folders and files --------------------------------------------------------------------


def folder(path: Path) -> Tree:
    """Everything in a folder. Raises Unreadable if it cannot be listed or is too much."""
    tree = Tree()
    for found in _walk(path, tree):
        inside = shown(found.relative_to(path).as_posix())
        try:
            tree.add(inside, regular(found))
        except OSError as error:
            tree.skipped.append((inside, f"cannot be read, {error.strerror or error}"))
    return tree


def _walk(top: Path, tree: Tree) -> Iterator[Path]:
    try:
        with os.scandir(top) as listed:
            entries = sorted(listed, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        if not tree.files and not tree.skipped:
            raise Unreadable(f"cannot be listed, {error.strerror or error}") from error
        tree.skipped.append((shown(top.name), f"cannot be listed, {error.strerror or error}"))
        return
    for entry in entries:
        if leftover(entry.name):
            continue
        if entry.is_symlink():
            tree.skipped.append((shown(entry.name), "is a link, and links are not followed"))
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), tree)
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
        else:
            tree.skipped.append((shown(entry.name), "is no ordinary file"))


def regular(path: Path) -> bytes:
    """The bytes of an ordinary file. Raises OSError, or Unreadable if it is too large."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(None, "it is no ordinary file")
        return _limited(file)


def _limited(file: IO[bytes]) -> bytes:
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unreadable(f"its files are larger than {MOST_BYTES >> 20} MiB together")
    return data


# ---- archives -----------------------------------------------------------------------------


class Archive:
    """A zip whose entries are known to lie inside it; read one by one, never unpacked to disk."""

    def __init__(self, source: Path | bytes) -> None:
        """Raises Unreadable, naming the entry that is at fault."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
        except _BROKEN as error:
            raise Unreadable(f"is no zip file that can be read: {error}") from error
        self.entries: dict[str, zipfile.ZipInfo] = {}
        infos = self._zip.infolist()
        if len(infos) > MOST_ENTRIES:
            raise Unreadable(f"is refused: it has more than {MOST_ENTRIES} entries")
        if sum(info.file_size for info in infos) > MOST_UNPACKED:
            raise Unreadable(f"is refused: it would unpack to more than {MOST_UNPACKED >> 30} GiB")
        self.links: list[str] = []
        self._folders: set[str] = set()
        for info in infos:
            self._take(info)

    def _take(self, info: zipfile.ZipInfo) -> None:
        name = unicodedata.normalize("NFC", _utf8(info)).replace("\\", "/")
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or _DRIVE.match(name):
            raise Unreadable(f"is refused: its entry {name!r} points outside the archive")
        path = "/".join(parts)
        if name.endswith("/") or leftover(path):
            return
        if stat.S_ISLNK(info.external_attr >> 16):
            self.links.append(path)
        elif path in self.entries or path in self._folders:
            raise Unreadable(f"is refused: it has two entries called {name!r}")
        elif any(len(part.encode("utf-8", "backslashreplace")) > LONGEST_NAME for part in parts):
            raise Unreadable(f"is refused: the name of its entry {name[:60]!r}… is too long")
        else:
            self.entries[path] = info
            self._folders |= {"/".join(parts[:depth]) for depth in range(1, len(parts))}
            if not self._folders.isdisjoint(self.entries):
                raise Unreadable(f"is refused: a file and a folder in it have the same name, see {name!r}")

    def read(self, path: str) -> bytes:
        """One entry's bytes. Raises Unreadable if it is damaged, locked or too large."""
        try:
            with self._zip.open(self.entries[path]) as file:
                return _limited(file)
        except _BROKEN as error:
            raise Unreadable(f"its entry {path!r} is damaged: {error}") from error
        except RuntimeError as error:
            raise Unreadable(f"its entry {path!r} cannot be read: {error}") from error

    def tree(self, under: str = "") -> Tree:
        """All entries below a folder of the archive, paths counted from there."""
        tree = Tree()
        for path in sorted(self.entries):
            if path.startswith(under):
                tree.add(path.removeprefix(under), self.read(path))
        for path in self.links:
            if path.startswith(under):
                tree.skipped.append((path.removeprefix(under), "is a link, and links are not followed"))
        return tree


def _utf8(info: zipfile.ZipInfo) -> str:
    """The entry's name; some programs write UTF-8 and do not say so."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename
