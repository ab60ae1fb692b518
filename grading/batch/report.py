"""`report.md`: what a student gets to read, in Markdown in which their own words only show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from grading.batch.record import ERROR, UNUSABLE, Judged, Result
from grading.pretty import clipped, pretty
from grading.screen import PIPE, safe
from grading.show import ranges
from grading.verdicts import FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED, VERDICTS

LINES = 40  # of a script or a trace


def report(result: Result, may: Collection[str]) -> str:
    """The report on one submission, with the properties whose visibility is in `may`."""
    shown = [verdict for verdict in result.verdicts if verdict.visibility in may]
    parts = [f"# {escaped(result.student)}", _score(result), _made(result), _around(result)]
    if result.problem:
        parts.append(f"**{_WORDS[result.status]}**\n\n{fenced(result.problem)}")
    if len(shown) < len(result.verdicts):
        left = len(result.verdicts) - len(shown)
        parts.append(f"{left} of {len(result.verdicts)} properties are not shown here.")
    if shown:
        parts.append(_table(shown))
    waiting = _waiting(shown)
    failing = [verdict for verdict in shown if verdict.verdict == FAILS]
    parts += [_failure(verdict, waiting.get(verdict.id, []), result) for verdict in failing]
    parts += _unjudged(shown)
    return "\n\n".join(part for part in parts if part) + "\n"


_WORDS = {
    UNUSABLE: "This submission could not be judged.",
    ERROR: "Grading this submission went wrong, and that is not its fault: the score does not count.",
}


def _score(result: Result) -> str:
    if result.status == ERROR:
        return "**No score yet**"
    return f"**{number(result.score)} of {number(result.max_score)} points**"


def _made(result: Result) -> str:
    seed = "a secret seed" if result.seed is None else f"seed {result.seed}"
    pinned = f"property set {result.set}, " if result.set else ""
    with_ = f"harness-props {result.suite_version}, Python {result.python}, Hypothesis {result.hypothesis}"
    return (f"Judged after lesson {result.lesson}: {pinned}tier {result.tier}, {result.examples} examples "
            f"for each property, {seed}. {with_}, rubric {result.rubric}.")  # fmt: skip


def _around(result: Result) -> str:
    """Which isolation stood round the code, and what that does not contain."""
    around = result.isolation
    told = f"Isolation: {around.rung}."
    return " ".join([told, *(["It does not contain everything:"] if around.uncontained else []),
                     *map(escaped, around.uncontained)])  # fmt: skip


def _table(shown: Iterable[Judged]) -> str:
    """Points and verdicts by chapter."""
    rows = [["chapter", "points", *VERDICTS], ["---"] + ["---:"] * (len(VERDICTS) + 1)]
    by: dict[str, list[Judged]] = {}
    for verdict in shown:
        by.setdefault(verdict.chapter, []).append(verdict)
    for chapter, of in by.items():
        points = f"{number(sum(v.points for v in of))} of {number(sum(v.max_points for v in of))}"
        rows.append([chapter, points, *(str(sum(v.verdict == kind for v in of) or "") for kind in VERDICTS)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _failure(verdict: Judged, waiting: list[str], result: Result) -> str:
    parts = [f"## {verdict.id} fails", escaped(verdict.sentence),
             f"{number(verdict.points)} of {number(verdict.max_points)} points. What was seen:",
             fenced(verdict.message)]  # fmt: skip
    known = verdict.counterexample
    if known is not None:
        parts += _script(verdict, known, result)
    if verdict.hint:
        parts.append(f"Hint: {escaped(verdict.hint)}")
    if waiting:
        parts.append(f"And because of it not reached: {ranges(waiting)}.")
    return "\n\n".join(parts)


def _script(verdict: Judged, known: dict[str, Any], result: Result) -> list[str]:
    after = f", after {len(known['before'])} others in the same process" if known["before"] else ""
    file = result.submission.rpartition("/")[2]
    name = safe(file if re.fullmatch(r"[\w.-]+", file) else "harness.py")
    again = f"harness-props replay counterexample-{verdict.id}.json --target {name}"
    return [
        f"The smallest script that shows it{after}:",
        fenced("\n".join(clipped(pretty(known["python"], PIPE).split("\n"), LINES)), "python"),
        "What happened:", fenced("\n".join(clipped(list(known["trace"]), LINES))),
        "To see it again:", fenced(again, "sh"),
    ]  # fmt: skip


def _waiting(shown: Iterable[Judged]) -> dict[str, list[str]]:
    """For each failing property what was not reached because of it."""
    found: dict[str, list[str]] = {}
    for verdict in shown:
        if verdict.verdict == NOT_REACHED:
            root = verdict.message.partition(" fails, ")[0]
            found.setdefault(root, []).append(verdict.id)
    return found


def _unjudged(shown: Iterable[Judged]) -> list[str]:
    """What holds and what was not judged, a line for each reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for verdict in shown:
        if verdict.verdict in (NOT_REACHED, NOT_APPLICABLE):
            reasons.setdefault((verdict.verdict, verdict.message), []).append(verdict.id)
        elif verdict.verdict == "error":
            reasons.setdefault(("could not be judged", "the fault is ours"), []).append(verdict.id)
    holding = [verdict.id for verdict in shown if verdict.verdict == HOLDS]
    lines = [f"- {kind} ({escaped(why)}): {ranges(ids)}" for (kind, why), ids in reasons.items()]
    lines += [f"- {HOLDS}: {ranges(holding)}"] if holding else []
    return ["## The others", "\n".join(lines)] if lines else []


# ---- Markdown -----------------------------------------------------------------------------


def number(value: float) -> str:
    """Points as one writes them: at most two places, none where they are zero."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def escaped(text: str) -> str:
    """Text in one line that no Markdown renderer takes for anything but text."""
    told = " ".join(safe(text).split())
    return re.sub(r"([\\`*_{}\[\]<>#!|~&$@]|^[-+=]|^\d+(?=[.)]))", r"\\\1", told)


def fenced(text: str, language: str = "") -> str:
    """Text as a block of code, behind a fence that is longer than any inside."""
    told = safe(text)
    longest = max((len(run) for run in re.findall(r"`+", told)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{told}\n{fence}"
