"""Where submissions lie: an entry for each file or folder that was handed in, not read yet."""

from __future__ import annotations

import fnmatch
import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grading.batch.trees import MOST_BYTES, Archive, Tree, Unreadable, folder, leftover, regular, shown

STANDARD = "harness.py"
LINK, NO_FILE, NO_WORK = (
    "is a link, and links are not followed", "is no ordinary file", "is no Python file, folder or zip",
)  # fmt: skip
Skipped = list[tuple[str, str]]


@dataclass(frozen=True)
class Entry:
    """One file or folder handed in: its name, its place, and how its files are come by.

    `single` is one file, whatever it is called. `tree` raises Unreadable or OSError.
    """

    name: str
    place: str
    tree: Callable[[], Tree]
    single: bool = False

    @property
    def stem(self) -> str:
        """The name without the suffix that says what it is."""
        suffix = ".py" if self.single else ".zip"
        cut = self.name.lower().endswith(suffix) and len(self.name) > len(suffix)
        return self.name[: -len(suffix)] if cut else self.name


def zipped(name: str) -> bool:
    """Whether a file is called like a zip."""
    return name.lower().endswith(".zip")


# ---- in a folder --------------------------------------------------------------------------


def in_folder(top: Path, skipped: Skipped) -> list[Entry]:
    """An entry for each file and folder.

    What is no submission goes to `skipped`, with the reason. Raises OSError.
    """
    return _some_of(sorted(top.iterdir(), key=os.fsencode), top, skipped)


def given(paths: Iterable[Path], file_name: str, skipped: Skipped) -> list[Entry]:
    """An entry for each path; if all are harness files by name, their folders stand for them."""
    kept = list(paths)
    if len(kept) > 1 and all(fnmatch.fnmatchcase(path.name, file_name) and path.parent.name for path in kept):
        kept = list(dict.fromkeys(path.parent for path in kept))
    top = Path(os.path.commonpath([path.parent for path in kept])) if kept else Path()
    return _some_of(kept, top, skipped)


def _some_of(paths: Iterable[Path], top: Path, skipped: Skipped) -> list[Entry]:
    found = []
    for path in paths:
        if leftover(path.name):
            continue
        name, place = shown(path.name), shown(path.relative_to(top).as_posix())
        if path.is_symlink():
            skipped.append((place, LINK))
        elif path.is_dir():
            found.append(Entry(name, place, partial(folder, path)))
        elif not path.is_file():
            skipped.append((place, NO_FILE))
        elif zipped(name):
            found.append(Entry(name, place, partial(_packed, path)))
        elif name.endswith(".py"):
            found.append(Entry(name, place, partial(_one, partial(regular, path)), single=True))
        else:
            skipped.append((place, NO_WORK))
    return found


def _packed(path: Path) -> Tree:
    if path.stat().st_size > MOST_BYTES:
        raise Unreadable(f"is larger than {MOST_BYTES >> 20} MiB")
    return Archive(path).tree()


def _one(read: Callable[[], bytes]) -> Tree:
    """A single file, as a submission that holds nothing else."""
    tree = Tree()
    tree.add(STANDARD, read())
    return tree


# ---- in an archive ------------------------------------------------------------------------


def _holds_class(names: set[str], file_name: str) -> bool:
    """Whether a folder with these names in it holds submissions, and is not itself one."""
    return len(names) > 1 and not any(fnmatch.fnmatchcase(name, file_name) for name in names)


def in_archive(path: Path, file_name: str, skipped: Skipped) -> list[Entry]:
    """An entry for each file and folder at the top of a zip, below a folder that is alone there.

    Raises Unreadable if the zip must not be opened.
    """
    archive = Archive(path)
    under = ""
    while True:
        names, folders = _tops(archive, under)
        if len(names) != 1 or names != folders:
            break
        inside = f"{under}{next(iter(names))}/"
        if not _holds_class(_tops(archive, inside)[0], file_name):
            break
        under = inside
    found = []
    for name in sorted(names):
        place = under + name
        if name in folders:
            found.append(Entry(name, place, partial(archive.tree, f"{place}/")))
        elif zipped(name):
            found.append(Entry(name, place, partial(_nested, archive, place)))
        elif name.endswith(".py"):
            found.append(Entry(name, place, partial(_one, partial(archive.read, place)), single=True))
        else:
            skipped.append((place, NO_WORK))
    skipped += [(link, LINK) for link in archive.links if "/" not in link.removeprefix(under)]
    return found


def _tops(archive: Archive, under: str) -> tuple[set[str], set[str]]:
    """The names directly below a folder of the archive, and those of them that are folders."""
    below = [path.removeprefix(under) for path in archive.entries if path.startswith(under)]
    return {p.partition("/")[0] for p in below}, {p.partition("/")[0] for p in below if "/" in p}


def _nested(archive: Archive, place: str) -> Tree:
    return Archive(archive.read(place)).tree()


# ---- names --------------------------------------------------------------------------------


def distinct(entries: list[Entry]) -> list[Entry]:
    """The entries under names that no two share: the stem, else the whole name, else the place."""
    stems, names = Counter(e.stem for e in entries), Counter(e.name for e in entries)
    chosen = [
        e.stem if stems[e.stem] == 1 else e.name if names[e.name] == 1 else e.place for e in entries
    ]
    count = Counter(chosen)
    return [
        replace(e, name=name if count[name] == 1 else e.place)
        for e, name in zip(entries, chosen, strict=True)
    ]
