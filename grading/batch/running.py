"""Judges a class: one chapter of one submission at a time, each kept the moment it is done.

Only this process writes. What a worker loses when it dies is one chapter of one submission; a
submission whose worker dies again and again is an error and costs nothing but itself.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field

from grading.batch.found import Found, clean
from grading.batch.points import Plan
from grading.batch.pools import Pool
from grading.batch.store import Store
from grading.batch.submissions import Submission
from grading.batch.task import Job, Part, Versions, judge, versions
from grading.isolation.ladder import Rung, Unavailable
from grading.leave import BadCall
from grading.verdicts import ERROR, Options, steady

LOOK = 20.0  # seconds of silence after which the workers are looked at
TRIES = 2  # times that a worker may die alone with a submission before it is left


@dataclass
class Work:
    """One content that is to be judged, and what is known of it."""

    submission: Submission
    found: Found
    deaths: int = 0
    alone: bool = False  # whether nothing else is under way


@dataclass
class Running:
    """A run under way. `heard` is called with each content after each of its chapters."""

    plan: Plan
    rung: Rung
    pool: Pool
    store: Store
    heard: Callable[[Found], None] = lambda _: None
    here: Versions = field(default_factory=versions)
    _suspects: deque[Work] = field(default_factory=deque)  # a worker died with one of them
    _every: dict[str, Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rubric, ids = self.plan.rubric, self.plan.ids
        self._options = Options(int(rubric.tier), rubric.lesson, rubric.examples, rubric.number(), ids)
        chapters: dict[str, set[str]] = {}
        for id_ in ids:
            chapters.setdefault(id_.partition("-")[0], set()).add(id_)
        self._chapters = tuple(map(frozenset, chapters.values()))

    def run(self, submissions: Iterable[Submission]) -> dict[str, Found]:
        """What was found, by content; what is known already is not judged again, but for errors.

        Raises Unwritable if something cannot be kept, BadCall or Unavailable if the workers cannot
        do it. What was kept until then stays.
        """
        waiting = deque(self._begun(submissions))
        running: dict[Future[Part], Work] = {}
        try:
            while waiting or running or self._suspects:
                self._fill(waiting, running)
                done, _ = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
                if not done:
                    self.pool.look()
                for future in done:
                    work = running.pop(future)
                    if self._heard(future, work) and not work.found.done:
                        waiting.appendleft(work)  # what is begun is finished first
        finally:
            for future in running:
                future.cancel()
        return self._every

    def _begun(self, submissions: Iterable[Submission]) -> Iterator[Work]:
        """A piece of work for each content that is not done."""
        for submission in submissions:
            if submission.problem or submission.content in self._every:
                continue
            found = self.store.load(submission.content)
            if found.problem and not found.unusable:
                found = Found(submission.content)
            self._every[submission.content] = found
            self.heard(found)
            if not found.done:
                yield Work(submission, found)

    def _fill(self, waiting: deque[Work], running: dict[Future[Part], Work]) -> None:
        """Give the pool work; a suspect gets it for itself alone."""
        if self._suspects:
            if not running:
                work = self._suspects.popleft()
                work.alone = True
                running[self._given(work)] = work
            return
        while waiting and len(running) < self.pool.width():
            work = waiting.popleft()
            work.alone = False
            running[self._given(work)] = work

    def _given(self, work: Work) -> Future[Part]:
        known = work.found.verdicts
        ids = next(chapter for chapter in self._chapters if not chapter <= known.keys())
        left = self.plan.rubric.minutes * 60 - work.found.seconds
        job = Job(work.submission.files, work.submission.harness, self._options, self.rung, ids, known,
                  left, self.pool.remote)  # fmt: skip
        try:
            return self.pool.submit(judge, job)
        except BrokenExecutor:
            self.pool.renew()
            return self.pool.submit(judge, job)

    def _heard(self, future: Future[Part], work: Work) -> bool:
        """Take in what came of a job; whether the submission is still to be gone on with."""
        try:
            part = future.result()
        except CancelledError as error:
            told = "the cluster has gone; the same command goes on from here once it is back"
            raise BadCall(told) from error
        except Unavailable:
            raise  # a worker that cannot isolate judges nothing
        except Exception as error:
            if isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":
                return self._died(work)
            told = clean(steady(" ".join(f"{type(error).__name__}: {error}".split())))
            self._keep(dataclasses.replace(work.found, problem=f"the suite broke: {told}"), work)
            return False
        if part.versions != self.here:
            raise BadCall(f"a worker has {part.versions}, and here are {self.here}; grades of two kinds are "
                          "not mixed, so install the same on both")  # fmt: skip
        work.deaths = 0
        self._keep(self._grown(work.found, part), work)
        return True

    def _grown(self, found: Found, part: Part) -> Found:
        """What is known after another part."""
        first = not found.verdicts
        verdicts = {**found.verdicts, **part.verdicts}
        broken = [id_ for id_, verdict in verdicts.items() if verdict.verdict == ERROR]
        problem = part.unloadable
        if not problem and part.done | part.late and broken:
            problem = f"the suite broke while judging {', '.join(broken)}"
        late = f"the {self.plan.rubric.minutes:g} minutes for one submission were over before this one"
        return Found(
            found.content, part.done or part.late, problem, bool(part.unloadable),
            late if part.late else "", part.capabilities if first else found.capabilities,
            part.policies if first else found.policies, verdicts, found.seconds + part.seconds,
        )  # fmt: skip

    def _keep(self, found: Found, work: Work) -> None:
        """Write down what is known and tell of it."""
        if found.problem and not found.unusable:
            found.done = True
        work.found = self._every[found.content] = found
        self.store.save(found)
        self.heard(found)

    def _died(self, work: Work) -> bool:
        """A worker died, with this submission or another: each of them is tried alone."""
        self.pool.renew()
        work.deaths += work.alone or self.pool.remote
        if work.deaths < TRIES:
            self._suspects.append(work)
            return False
        problem = f"the process that graded it died {TRIES} times; the same command tries it again"
        self._keep(dataclasses.replace(work.found, problem=problem), work)
        return False
