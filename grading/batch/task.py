"""What a worker does: judge some properties of one submission and give back the verdicts.

It needs nothing but what it is given, so that it may run in any process on any machine.
"""

from __future__ import annotations

import platform
import threading
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import hypothesis
from hypothesis.errors import HypothesisDeprecationWarning

from adapters.course import course
from grading.batch.found import bounded
from grading.isolation.ladder import Rung, choose
from grading.isolation.submission import Submission as Files
from grading.judging import introduced, not_loading, unloaded
from grading.run import in_turn, selected
from grading.verdicts import Options, Report, Verdict
from grading.version import suite_version

_ALONE = threading.Lock()  # drawing is not made for several threads of one process


@dataclass(frozen=True)
class Versions:
    """What a grade depends on beside submission, rubric and seed."""

    suite: str
    python: str
    hypothesis: str

    def __str__(self) -> str:
        return f"harness-props {self.suite}, Python {self.python}, Hypothesis {self.hypothesis}"


def versions() -> Versions:
    """Those of this process; of Python the minor version, as micro releases draw the same."""
    minor = ".".join(platform.python_version_tuple()[:2])
    return Versions(suite_version(), minor, hypothesis.__version__)


@dataclass(frozen=True)
class Job:
    """A part of one submission's check: the properties `ids`, after those in `found`.

    `files` are the submission's by path, `harness` is the path of the file that is judged.
    `remote` says that it may run on a machine where the rung was not tried yet. Properties that
    are begun after `seconds` are left.
    """

    files: Mapping[str, bytes] = field(repr=False)
    harness: str
    options: Options = field(repr=False)
    rung: Rung
    ids: frozenset[str]
    found: Mapping[str, Verdict] = field(repr=False)
    seconds: float
    remote: bool = False


@dataclass(frozen=True)
class Part:
    """What came of a job. `done` says that nothing is left to judge, `late` that time ran out."""

    verdicts: dict[str, Verdict]
    capabilities: tuple[str, ...]
    policies: dict[str, str]
    versions: Versions
    unloadable: str = ""
    done: bool = False
    late: bool = False
    seconds: float = 0.0


def judge(job: Job) -> Part:
    """Do one job. What the student's code does is in the verdicts.

    Raises Unavailable if the rung does not work here, OSError if there is no room for the files.
    """
    if job.remote:
        _tried(job.rung.name)
        # Other threads of a cluster's worker use Python's random numbers meanwhile. No draw does, but
        # Hypothesis would take it for that and fill the worker's log.
        warnings.filterwarnings("ignore", "Do not use the `random` module", HypothesisDeprecationWarning)
    with _ALONE:
        return _judged(job)


@lru_cache(maxsize=8)
def _tried(rung: str) -> None:
    choose(rung, trust=True)


def _judged(job: Job) -> Part:
    started = time.monotonic()
    late = False

    def going_on(id_: str) -> bool:
        nonlocal late
        late = id_ in job.ids and time.monotonic() - started > job.seconds
        return id_ in job.ids and not late

    properties, found = selected(job.options), dict(job.found)
    wall = job.rung.wall(Files(job.harness, tuple(sorted(job.files.items()))))
    harness = course(Path(job.harness), job.options.lesson, wall=wall)
    report = Report("", harness.about.name, "", job.options)
    problem = ""
    try:
        fault = introduced(harness, report)
        if fault is not None:
            problem = not_loading(harness, fault)
            found.update((id_, unloaded(prop, harness, fault)) for id_, prop in properties.items())
        done = fault is not None or in_turn(harness, properties, job.options, found, going_on=going_on)
    finally:
        harness.close()
    new = {id_: bounded(verdict) for id_, verdict in found.items() if id_ not in job.found}
    done = done or len(found) == len(properties)
    return Part(new, report.capabilities, report.policies, versions(), problem, done, late,
                time.monotonic() - started)  # fmt: skip
