"""What was handed in: from a folder, a zip or a glob to one submission for each student.

A student's name is the name of the file or the folder. Nothing outside a submission is read as
part of it, and whatever cannot be used is listed with the reason, never dropped.
"""

from __future__ import annotations

import fnmatch
import glob
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from grading.batch.entries import STANDARD, Entry, distinct, given, in_archive, in_folder, zipped
from grading.batch.trees import Tree, Unreadable
from grading.leave import BadCall

NAMED = 6  # files that are named where none has the right name


@dataclass(frozen=True)
class Submission:
    """One student's work. `path` is the harness file's inside SUBMISSIONS, "" if there is none.

    `harness` is its path among `files`, `content` the sha256 of the files in hex, `problem` a
    sentence if it cannot be judged, and `skipped` what of it was left out, and why.
    """

    student: str
    path: str = ""
    harness: str = ""
    content: str = ""
    problem: str = ""
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    skipped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Class:
    """All submissions, in the order of students' names, and the entries that are none."""

    submissions: tuple[Submission, ...]
    skipped: tuple[tuple[str, str], ...] = ()


def collect(where: str, file_name: str = STANDARD) -> Class:
    """The class in a folder, a zip or a glob. `file_name` may be a pattern.

    Raises BadCall if there is nothing there, or a zip that must not be opened.
    """
    path = Path(where)
    skipped: list[tuple[str, str]] = []
    try:
        if path.is_dir():
            entries = in_folder(path, skipped)
        elif path.is_file() and zipped(where):
            entries = in_archive(path, file_name, skipped)
        else:
            found = [where] if path.is_file() else glob.glob(where, recursive=True)  # noqa: PTH207
            entries = given(map(Path, sorted(found)), file_name, skipped)
    except Unreadable as problem:
        raise BadCall(f"{where}: {problem}") from problem
    except OSError as error:
        raise BadCall(f"{where}: cannot be read, {error.strerror or error}") from error
    if not entries:
        told = f"; left out: {_some([f'{name} ({why})' for name, why in skipped])}" if skipped else ""
        raise BadCall(f"{where}: no submission there; give a folder of files or of folders, a zip, or a "
                      f"glob in quotes{told}")  # fmt: skip
    submissions = [_submission(entry, file_name) for entry in distinct(entries)]
    return Class(tuple(sorted(submissions, key=lambda one: one.student)), tuple(sorted(skipped)))


def _submission(entry: Entry, file_name: str) -> Submission:
    try:
        tree = entry.tree()
    except Unreadable as problem:
        return Submission(entry.name, problem=f"{entry.place}: {problem}")
    except OSError as error:
        return Submission(entry.name, problem=f"{entry.place}: cannot be read, {error.strerror or error}")
    path, skipped = entry.place, tuple(tree.skipped)
    base, harness = "", STANDARD
    if not entry.single:
        try:
            harness = _harness(tree, file_name)
        except Unreadable as problem:
            content = digest(tree.files, "") if tree.files else ""
            return Submission(entry.name, "", "", content, f"{entry.place}: {problem}", skipped=skipped)
        path, base = f"{entry.place}/{harness}", harness[: harness.rfind("/") + 1]
    files = {name.removeprefix(base): data for name, data in tree.files.items() if name.startswith(base)}
    inside = harness.removeprefix(base)
    return Submission(entry.name, path, inside, digest(files, inside), "", files, skipped)


def _harness(tree: Tree, file_name: str) -> str:
    """The path of the harness file: of all that fit the one that lies nearest to the top."""
    fitting = [path for path in sorted(tree.files) if fnmatch.fnmatchcase(path.rpartition("/")[2], file_name)]
    if fitting:
        depth = min(path.count("/") for path in fitting)
        nearest = [path for path in fitting if path.count("/") == depth]
        if len(nearest) == 1:
            return nearest[0]
        raise Unreadable(f"which of these is the harness: {_some(nearest)}? (--file-name NAME says it)")
    unread = [f"{path} ({why})" for path, why in tree.skipped]
    if not tree.files:
        raise Unreadable(f"there is no file in it that can be read{': ' * bool(unread)}{_some(unread)}")
    held = sorted(tree.files, key=lambda path: (not path.endswith(".py"), path))
    raise Unreadable(f"there is no {file_name} in it; it holds {_some(held + unread)} "
                     "(--file-name NAME is for another name)")  # fmt: skip


def _some(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def digest(files: dict[str, bytes], harness: str) -> str:
    """The sha256 in hex of these files and of which of them is the harness."""
    taken = hashlib.sha256()
    parts = [harness.encode("utf-8", "backslashreplace")]
    for path in sorted(files):
        parts += [path.encode("utf-8", "backslashreplace"), files[path]]
    for part in parts:
        taken.update(len(part).to_bytes(8, "big") + part)
    return taken.hexdigest()
