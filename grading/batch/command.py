"""`harness-props grade`: from a folder of submissions to a folder of results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from grading.batch import outputs, rubric
from grading.batch.entries import STANDARD
from grading.batch.found import Found
from grading.batch.outputs import Output
from grading.batch.points import Plan, plan
from grading.batch.pools import Cluster, Local, Pool, cores
from grading.batch.record import ERROR, GRADED, Isolation, Result
from grading.batch.results import result, results
from grading.batch.running import Running
from grading.batch.store import Store
from grading.batch.submissions import Class, collect
from grading.batch.summary import bar, summary
from grading.batch.task import Versions, versions
from grading.isolation.ladder import Rung, choose
from grading.leave import BROKEN, FAILED, INTERRUPTED, OK, BadCall, complain
from properties.registry import load


@dataclass(frozen=True)
class Wanted:
    """What the command line asks of a run; None where the rubric's own value holds."""

    submissions: str
    results: Path
    rubric: str | None = None
    isolation: str = "auto"
    trust: bool = False
    jobs: int | None = None
    cluster: str | None = None
    seed: int | None = None
    examples: int | None = None
    fresh: bool = False
    formats: tuple[str, ...] = ()
    file_name: str = STANDARD
    quiet: bool = False


def grade_class(wanted: Wanted) -> int:
    """Grade a class and write the results; returns the status.

    0: every submission has its grade. 1: some could not be judged. 3: some met a fault of ours.
    Raises BadCall, Unusable or Unwritable; what was found until then is kept.
    """
    chosen = outputs.asked(wanted.formats)
    course = _plan(wanted)
    _apart(wanted)
    found_there = collect(wanted.submissions, wanted.file_name)
    rung = choose(wanted.isolation, trust=wanted.trust)
    made = versions()
    files = tuple(output.file for output in outputs.OUTPUTS if not output.each)
    store = Store(wanted.results, depends_on(course, rung, made), files=files)
    with store.opened(fresh=wanted.fresh):
        pool = _pool(wanted)
        try:
            every = _run(wanted, found_there, course, rung, pool, store, chosen)
        except KeyboardInterrupt:
            complain("interrupted; what was found is kept, and the same command goes on from there")
            return INTERRUPTED
        finally:
            pool.stop()
        around = Isolation(rung.name, rung.uncontained)
        told = results(found_there.submissions, every, course, around, made)
        outputs.write_all(told, wanted.results, chosen)
    summary(Console(quiet=wanted.quiet), told, found_there, wanted.results, course.rubric)
    return status_of(told)


def _plan(wanted: Wanted) -> Plan:
    """The rubric, with what the command line has to say against it."""
    read = rubric.read(wanted.rubric)
    if wanted.seed is not None:
        read = replace(read, seed=wanted.seed, secret="")
    if wanted.examples is not None:
        read = replace(read, examples=wanted.examples)
    return plan(read, load())


def _apart(wanted: Wanted) -> None:
    """Raise BadCall if the results would lie among the submissions, or the other way round."""
    there, here = Path(wanted.submissions).resolve(), wanted.results.resolve()
    if there.is_dir() and (here == there or there in here.parents or here in there.parents):
        raise BadCall(f"-o {wanted.results}: results and submissions cannot lie in one another")


def depends_on(course: Plan, rung: Rung, made: Versions) -> dict[str, Any]:
    """All that results depend on beside the submissions; results that differ in it are not mixed."""
    about = course.rubric
    secret = {"seed_digest": about.seed_digest()} if about.seed is None else {}
    return {
        "suite_version": made.suite, "python": made.python, "hypothesis": made.hypothesis,
        "rubric": about.digest, "set": about.set, "tier": about.tier.word, "lesson": about.lesson,
        "examples": about.examples, "seed": about.seed, "isolation": rung.name, **secret,
    }  # fmt: skip


def _pool(wanted: Wanted) -> Pool:
    if wanted.cluster is not None:
        if wanted.jobs is not None:
            raise BadCall("-j and --cluster cannot be had together: the cluster has its own workers")
        return Cluster(wanted.cluster)
    jobs = wanted.jobs or cores()
    if jobs > cores():
        complain(f"-j {jobs}: this machine has {cores()} processors, so {cores()} jobs run at a time")
    return Local(min(jobs, cores()))


def _run(wanted: Wanted, there: Class, course: Plan, rung: Rung, pool: Pool, store: Store,
         chosen: tuple[Output, ...]) -> dict[str, Found]:  # fmt: skip
    """Judge everything; the files of a submission are written as soon as it is done."""
    by: dict[str, list[Any]] = {}
    for one in there.submissions:
        by.setdefault(one.content if not one.problem else "", []).append(one)
    names = outputs.folders(one.student for one in there.submissions)
    around, made = Isolation(rung.name, rung.uncontained), versions()
    unusable = len(by.pop("", []))
    counts = {key: len(of) for key, of in by.items()}
    with bar(len(course.ids), counts, unusable, quiet=wanted.quiet) as shown:

        def heard(found: Found) -> None:
            shown(found)
            for one in by[found.content] if found.done else ():
                told = result(one, found, course, around, made)
                outputs.write_one(told, wanted.results / outputs.SUBMISSIONS / names[one.student], chosen)

        return Running(course, rung, pool, store, heard).run(there.submissions)


def status_of(told: list[Result]) -> int:
    """The exit status that stands for these results."""
    kinds = {one.status for one in told}
    return BROKEN if ERROR in kinds else OK if kinds <= {GRADED} else FAILED
