"""What a person reads: one fault told once, with the smallest script that shows it.

On a terminal in colour and in lines that fit; in a pipe the same words, plain, one line a
sentence, so that two runs can be compared.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from typing import Any

import hypothesis
from rich.text import Text

from grading.pretty import clipped, pretty
from grading.screen import Screen, safe
from grading.verdicts import (
    BREAK,
    ERROR,
    FAILS,
    HOLDS,
    NOT_APPLICABLE,
    NOT_REACHED,
    Counterexample,
    Report,
    Verdict,
    root_of,
)  # fmt: skip
from grading.version import suite_version
from properties.registry import Tier, position

BLOCK = 25  # lines of one failure
ERRORS = 3  # of ours that are shown whole; they mostly have one cause
CODE, TRACE = 10, 9  # lines of its script and of its trace
COLOURS = {
    HOLDS: "green", FAILS: "bold red", NOT_REACHED: "yellow", NOT_APPLICABLE: "dim", ERROR: "bold magenta",
}  # fmt: skip
FAILING = ("FAILS", COLOURS[FAILS])
NOTATION = (
    (re.compile(r"(^|[ :])U( |$)"), "U = a prompt"),
    (re.compile(r"(^|[ >:])A( |$)"), "A = a reply without calls"),
    (re.compile(r"A\[\w"), "A[c1] = a reply that calls c1"),
    (re.compile(r"A\[\]"), "A[] = an empty reply"),
    (re.compile(r"R\("), "R(c1) = the result of c1"),
    (re.compile(r"R!\("), "R!(c1) = its error result"),
    (re.compile(r"A(\[[^\]]*\])?\(error\)"), "A(error) = a failed reply"),
)


# ---- before and after ---------------------------------------------------------------------


def header(screen: Screen, report: Report, count: int, jobs: int = 1) -> None:
    """What is checked, with what, and how: all that a run depends on."""
    options = report.options
    tiers = ", ".join(t.word for t in Tier if t <= options.tier)
    screen.line(Text.assemble((safe(report.target), "bold"), f"  lesson {options.lesson}"))
    only = f" (--only {','.join(options.only)})" if options.only else ""
    python = f"Python {platform.python_version()}, Hypothesis {hypothesis.__version__}"
    screen.line(f"harness-props {suite_version()}, {python}", "dim", 2)
    side = f", {jobs} at a time" if jobs > 1 else ""
    screen.line(
        f"{_many(count, 'property', 'properties')} of the tier{'s' * (', ' in tiers)} {tiers}{only}, "
        f"{_many(options.examples, 'example')} each, seed {options.seed}{side}", "dim", 2,
    )  # fmt: skip


def abilities(screen: Screen, report: Report) -> None:
    """What the harness can do and has chosen, once it is known."""
    if report.capabilities:
        screen.line(f"can: {', '.join(report.capabilities)}", "dim", 2)
    chosen = [f"{k}={v}" for k, v in report.policies.items() if k != "lesson"]
    if chosen:
        screen.line(f"does: {', '.join(chosen)}", "dim", 2)


def findings(screen: Screen, report: Report, again: str = "") -> None:
    """All that was found, one fault after the other, then the counts.

    `again` is the command that did it, for judging one property alone.
    """
    abilities(screen, report)
    waiting = _waiting(report.verdicts)
    lacking = [v for v in report.verdicts if v.verdict == FAILS and v.key.startswith("missing:")]
    if len(lacking) > 1:
        _incomplete(screen, lacking, waiting)
    for verdict in report.verdicts:
        if verdict.verdict == FAILS and (len(lacking) < 2 or verdict not in lacking):
            failure(screen, verdict, waiting.get(verdict.id, ()))
    legend = _legend(report.verdicts)
    if legend:
        screen.line()
        screen.line(f"In short: {legend}", "dim")
    broken = [v for v in report.verdicts if v.verdict == ERROR]
    for verdict in broken[:ERRORS]:
        _error(screen, verdict)
    if len(broken) > ERRORS:
        screen.line(f"and {len(broken) - ERRORS} more errors: {ranges([v.id for v in broken[ERRORS:]])}")
    screen.line()
    _unjudged(screen, report, waiting)
    _counts(screen, report, again)


def failure(screen: Screen, verdict: Verdict, waiting: Sequence[str] = ()) -> None:
    """One failing property, in about 25 lines at most."""
    known = verdict.counterexample
    screen.line()
    if known is None:
        screen.line(Text.assemble(FAILING, f" {verdict.id}  {safe(verdict.message)}"))
    else:
        named = verdict.id if known.property == verdict.id else f"{verdict.id} (seen by {known.property})"
        screen.line(Text.assemble(FAILING, (f" {named}", "bold"), f"  {safe(known.sentence)}"))
        _evidence(screen, known)
    if waiting:
        screen.labelled("", f"and because of it not reached: {ranges(waiting)}", "yellow")


def _evidence(screen: Screen, known: Counterexample) -> None:
    at = f" (at {known.step})" if known.step and known.step not in known.message else ""
    screen.labelled("seen", known.message + at, "bold")
    trace = clipped(list(known.trace), TRACE)
    code = pretty(known.python, screen.room).split("\n")
    screen.code("script", clipped(code, max(CODE, BLOCK - 7 - len(trace))))
    if known.before:
        earlier = _many(len(known.before), "other script")
        screen.labelled("", f"after {earlier} in the same process, which the report of --json holds")
    for number, line in enumerate(trace):
        screen.labelled("" if number else "trace", line)
    if known.hint:
        screen.labelled("hint", known.hint, "green")


def _incomplete(screen: Screen, lacking: Sequence[Verdict], waiting: Mapping[str, Sequence[str]]) -> None:
    """A file in which several functions are missing: one fault, however much hangs on it."""
    screen.line()
    screen.line(Text.assemble(FAILING, ("  the file is not complete", "bold")))
    for verdict in lacking:
        screen.line(f"{verdict.message} ({verdict.id})", indent=2)
    rest = [id_ for verdict in lacking for id_ in waiting.get(verdict.id, ())]
    if rest:
        screen.line(f"and because of it not reached: {ranges(rest)}", "yellow", 2)


def _error(screen: Screen, verdict: Verdict) -> None:
    screen.line()
    words = f" {verdict.id}  the suite or the adapter broke, not the harness"
    screen.line(Text.assemble(("ERROR", COLOURS[ERROR]), words))
    for line in clipped(safe(verdict.message).split("\n"), TRACE):
        screen.line(line, indent=2)


def _waiting(verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
    """For each failing property the ids that were not reached because of it."""
    known = {v.id: v for v in verdicts}
    found: dict[str, list[str]] = {}
    for verdict in verdicts:
        root = root_of(verdict, known)
        if root and root != verdict.id:
            found.setdefault(root, []).append(verdict.id)
    return found


def ranges(ids: Sequence[str]) -> str:
    """Ids in a row, three and more of them with numbers that follow each other as a range."""
    runs: list[list[str]] = []
    for id_ in sorted(ids, key=position):
        chapter, number = position(id_)
        if runs and position(runs[-1][-1]) == (chapter, number - 1):
            runs[-1].append(id_)
        else:
            runs.append([id_])
    told = [[f"{run[0]} to {run[-1].partition('-')[2]}"] if len(run) > 2 else run for run in runs]
    return ", ".join(part for run in told for part in run)


def _unjudged(screen: Screen, report: Report, waiting: Mapping[str, Sequence[str]]) -> None:
    """Why other properties have no verdict, a line for each reason."""
    told = {id_ for ids in waiting.values() for id_ in ids}
    reasons: dict[tuple[str, str], list[str]] = {}
    for verdict in report.verdicts:
        if verdict.verdict in (NOT_REACHED, NOT_APPLICABLE) and verdict.id not in told:
            reasons.setdefault((verdict.verdict, verdict.message), []).append(verdict.id)
    for (kind, message), ids in reasons.items():
        screen.line(f"{kind} ({message}): {ranges(ids)}", "dim")
    fewer = [v for v in report.verdicts if v.verdict == HOLDS and v.message]
    aside = [v for v in fewer if BREAK in v.message]
    unsayable = [v for v in fewer if v not in aside]
    for found, words in (
        (unsayable, "judged, but for scripts that the harness's own types cannot say"),
        (aside, "judged, but for scripts that break what is known to fail"),
    ):
        judged = ", ".join(f"{v.id} {v.message.partition(' scripts')[0]}" for v in found)
        if judged:
            screen.line(f"{words}: {judged}", "dim")


def _counts(screen: Screen, report: Report, again: str) -> None:
    totals = report.totals()
    if report.problem:
        screen.line(report.problem, "bold yellow")
    if totals[HOLDS] and totals[HOLDS] + totals[NOT_APPLICABLE] == len(report.verdicts):
        words = _many(totals[HOLDS], "property holds", "properties hold")
        screen.line(f"{words}, none fails.", "bold green")
        return
    more = {HOLDS: "hold", FAILS: "fail", ERROR: "errors"}
    said = [(f"{n} {more.get(k, k) if n > 1 else k}", COLOURS[k]) for k, n in totals.items() if n]
    parts: list[Any] = [part for pair in said for part in (pair, ", ")][:-1]
    screen.line(Text.assemble(*parts))
    first = next((v for v in report.verdicts if v.verdict == FAILS), None)
    if first is not None and again and len(report.verdicts) > 1:
        screen.line(f"the first of them alone: {again} --only {first.id}" if totals[FAILS] > 1
                    else f"it alone: {again} --only {first.id}", "dim")  # fmt: skip


def timings(screen: Screen, report: Report) -> None:
    """CPU seconds of each property, slowest first, the harness's own process included."""
    screen.line()
    total = sum(v.seconds for v in report.verdicts)
    screen.line(f"CPU seconds, {total:.1f} in all", "bold")
    for verdict in sorted(report.verdicts, key=lambda v: -v.seconds):
        if verdict.seconds:
            screen.line(f"{verdict.seconds:8.2f}  {verdict.id}")


def _legend(verdicts: Sequence[Verdict]) -> str:
    """What the short notation means, as far as the traces use it."""
    lines = [
        line for v in verdicts if v.verdict == FAILS and v.counterexample
        for line in v.counterexample.trace if "request " in line or "record: " in line
    ]  # fmt: skip
    return ", ".join(words for mark, words in NOTATION if any(mark.search(line) for line in lines))


def _many(number: int, one: str, more: str = "") -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
