"""From what was found to results: folded, with points, under the students' names.

A pure function of submissions, verdicts and rubric, so that results are the same however and
wherever they were come by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grading.batch.found import Found, clean
from grading.batch.points import PLACES, Plan, points, required
from grading.batch.record import ERROR, GRADED, UNUSABLE, Isolation, Judged, Result
from grading.batch.submissions import Submission
from grading.batch.task import Versions
from grading.run import told
from grading.verdicts import Options


def result(submission: Submission, found: Found | None, plan: Plan, isolation: Isolation,
           made: Versions) -> Result:  # fmt: skip
    """One submission's result; `found` is None if it could not be judged at all."""
    rubric = plan.rubric
    status, problem = GRADED, ""
    if found is None:
        status, problem = UNUSABLE, clean(submission.problem)
    elif found.problem:
        status, problem = (UNUSABLE if found.unusable else ERROR), found.problem
    verdicts: list[Judged] = []
    score = 0.0
    most = float(round(plan.most, PLACES))
    if found is not None and (found.verdicts or not found.problem):
        options = Options(int(rubric.tier), rubric.lesson, rubric.examples)
        folded = told(found.verdicts, plan.properties, options, found.cut_short or problem)
        verdicts, score, most = points(required(folded, plan), plan)
    return Result(
        student=submission.student, submission=submission.path, content=submission.content, status=status,
        problem=problem, score=score if status == GRADED else 0.0, max_score=most, isolation=isolation,
        set=rubric.set, tier=rubric.tier.word, lesson=rubric.lesson, examples=rubric.examples,
        seed=rubric.seed, seed_digest=rubric.seed_digest(), suite_version=made.suite, python=made.python,
        hypothesis=made.hypothesis, rubric=rubric.digest,
        capabilities=found.capabilities if found else (), policies=dict(found.policies) if found else {},
        verdicts=tuple(verdicts),
    )  # fmt: skip


def results(submissions: Iterable[Submission], found: Mapping[str, Found], plan: Plan,
            isolation: Isolation, made: Versions) -> list[Result]:  # fmt: skip
    """The results of a class, in the order of students' names."""
    return [
        result(one, None if one.problem else found[one.content], plan, isolation, made)
        for one in sorted(submissions, key=lambda one: one.student)
    ]
