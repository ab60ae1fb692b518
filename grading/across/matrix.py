"""`harness-props matrix`: from files of verdicts to a folder of static pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from grading import formats
from grading.across.saved import Run, merged, runs
from grading.across.site import judged_ids, missing, site
from grading.leave import OK, BadCall
from grading.screen import Screen
from grading.verdicts import VERDICTS

OURS = ("harnesses/*/index.html", "harnesses/*/counterexample-*.json", "properties/*.html", "badges/*.svg")


def matrix(files: Sequence[str], folder: Path, *, note: str = "") -> int:
    """Write the site and say what is in it, and what is missing. Raises BadCall or Unwritable."""
    found = merged(runs(files))
    if not found:
        raise BadCall(f"{', '.join(files)}: no report is in there")
    write(site(found, note=note), folder)
    _say(Screen(Console()), found, folder)
    return OK


def write(made: Mapping[str, str], folder: Path) -> None:
    """Write every file; pages of an earlier matrix that are not among them go. Raises Unwritable."""
    try:
        for pattern in OURS:
            for old in folder.glob(pattern):
                if old.relative_to(folder).as_posix() not in made:
                    old.unlink()
        for name in made:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        at = error.filename or folder
        raise formats.Unwritable(f"{at}: cannot be written, {error.strerror or error}") from error
    for name, text in made.items():
        formats.write(str(folder / name), text.encode("utf-8", "backslashreplace"))
    for old in sorted((folder / "harnesses").iterdir()):
        if old.is_dir() and not any(old.iterdir()):
            old.rmdir()


def _say(screen: Screen, found: Sequence[Run], folder: Path) -> None:
    for run in found:
        counts = ", ".join(f"{n} {kind}" for kind in VERDICTS if (n := run.count(kind)))
        screen.line(f"{run.label}: {counts or run.problem or 'no verdicts'}")
    for sentence in missing(found):
        screen.line(f"missing: {sentence}", "yellow")
    many = "harness" if len(found) == 1 else "harnesses"
    screen.line(f"{folder / 'index.html'}: {len(found)} {many}, {len(judged_ids(found))} properties")
