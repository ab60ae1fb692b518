"""Chooses a rung of the ladder of isolation, and never a weaker one than was asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adapters.contract import Unusable
from adapters.course import course
from adapters.shape import CourseShape
from adapters.wall import Wall
from grading.isolation import engine, probe
from grading.isolation.gaps import sentences
from grading.isolation.rooms import Walls
from grading.isolation.submission import Submission, read

AUTO, PROCESS, LANDLOCK, NAMESPACE, CONTAINER = "auto", "process", "landlock", "namespace", "container"
NAMES = (AUTO, PROCESS, LANDLOCK, NAMESPACE, CONTAINER)
STRONGEST_FIRST = (NAMESPACE, CONTAINER, LANDLOCK)  # the first two keep out the same; the cheaper first


class Unavailable(Unusable):
    """This machine does not have the rung; the message says what is missing and what to do."""


@dataclass(frozen=True)
class Rung:
    """A rung that was found to work. `uncontained` says, in sentences, what gets through all the same.

    `image` is the container's, "" elsewhere.
    """

    name: str
    uncontained: tuple[str, ...]
    image: str = ""

    def open(self, path: str | Path, *, lesson: int = 6, root: str | Path | None = None) -> CourseShape:
        """The harness in this file, isolated; nothing of it runs before the first job.

        `root` is the folder that belongs to the submission and comes along; without it the file
        comes alone. Raises Unusable if that cannot be read.
        """
        file = Path(path).absolute()
        submission = read(file, Path(root).absolute() if root is not None else None)
        return course(file, lesson, wall=self.wall(submission))

    def wall(self, submission: Submission) -> Wall:
        """What a worker needs to start a child of this submission here."""
        if self.name == CONTAINER:
            return engine.Container(submission, engine.found() or engine.ENGINES[0], self.image)
        return Walls(self.name, submission)


def choose(name: str, *, trust: bool = False, image: str = "") -> Rung:
    """The rung of this name, or with "auto" the strongest that works here.

    `trust` lets "auto" fall back to `process`; `image` is the container's, by default one with
    this Python. A rung works if a child that was really started in it says so. Raises
    Unavailable, and ValueError for another name than those of `NAMES`.
    """
    if name not in NAMES:
        raise ValueError(f"no isolation is called {name!r}; there are {', '.join(NAMES)}")
    if name != AUTO:
        rung = _rung(name, image)
        problem = _try(rung)
        if problem:
            raise Unavailable(f"isolation {name} is not available: {problem}")
        return rung
    problems = []
    for one in (*STRONGEST_FIRST, *([PROCESS] if trust else [])):
        rung = _rung(one, image)
        problem = _try(rung)
        if not problem:
            return rung
        problems.append(f"{one}: {problem}")
    advice = "" if trust else "; or trust the files, and the rung process will do (--trust)"
    raise Unavailable(f"no isolation works here ({'; '.join(problems)}){advice}")


def beside(target: str) -> str | None:
    """The folder that comes along with a target checked alone: the one named, or a harness.py's own."""
    path = Path(target)
    if path.is_dir():
        return str(path.resolve())
    return str(path.resolve().parent) if path.name == "harness.py" else None


def _rung(name: str, image: str) -> Rung:
    return Rung(name, sentences(name), (image or engine.default_image()) if name == CONTAINER else "")


def _try(rung: Rung) -> str:
    """What keeps this rung from working here and what to do about it; "" if it works."""
    lacking: Callable[[], str] = {
        PROCESS: probe.process, LANDLOCK: probe.landlock, NAMESPACE: probe.namespace,
        CONTAINER: lambda: engine.lacking(rung.image),
    }[rung.name]  # fmt: skip
    return lacking() or probe.started(rung.wall(probe.SUBMISSION), rung.name)
