"""`harness-props replay`: judge counterexamples again, on the same harness or another one."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

from adapters.contract import HarnessFault, Unplayable
from grading.cases import Case, cases
from grading.judging import introduced, not_loading
from grading.leave import BROKEN, FAILED, OK, BadCall
from grading.run import Target
from grading.screen import Screen, safe
from grading.verdicts import steady
from grading.watched import Watched
from properties.checks import Violation
from properties.registry import load

FIXED, STILL_FAILS, ERROR = "FIXED", "STILL FAILS", "ERROR"
COLOURS = {FIXED: "bold green", STILL_FAILS: "bold red", ERROR: "bold magenta"}
STATUS = {FIXED: OK, STILL_FAILS: FAILED, ERROR: BROKEN}


def replay_file(
    file: str, *, target: str | None = None, only: tuple[str, ...] = (), app_dir: str | None = None
) -> int:
    """Play the counterexamples in a file and say what came of each; returns the worst status.

    Raises BadCall if the file, or what is asked of it, cannot be used; Unusable if a target cannot.
    """
    chosen = [case for case in cases(file, target) if not only or case.wanted(only)]
    if not chosen:
        if only:
            raise BadCall(f"{file}: holds no counterexample of {', '.join(only)}")
        sys.stdout.write(f"{file}: every property holds, there is nothing to replay\n")
    screen = Screen(Console())
    worst = OK
    for case in chosen:
        said, message, lines = _on_a_fresh_one(case, app_dir)
        named = case.id if case.id == case.judged_by else f"{case.id} (judged by {case.judged_by})"
        words = f" {named} on {case.target}{': ' * bool(message)}{message}"
        screen.line(Text.assemble((said, COLOURS[said]), safe(words)))
        for line in lines:
            screen.line(line, indent=4)
        worst = max(worst, STATUS[said])
    return worst


def _on_a_fresh_one(case: Case, app_dir: str | None) -> tuple[str, str, list[str]]:
    harness = Target(case.target, case.lesson, app_dir).open()
    try:
        fault = introduced(harness)
        if fault is not None:
            return STILL_FAILS, not_loading(harness, fault), []
        return played(case, Watched(harness))
    finally:
        harness.close()


def judge(case: Case, harness: Watched) -> None:
    """Play what comes before a counterexample, then judge it; raises whatever the judge raises."""
    for script in case.before:
        try:
            case.stage.judge(script, harness)
        except Violation:
            continue  # what counts is what it leaves behind
    harness.seen.clear()
    case.stage.judge(case.script, harness)


def played(case: Case, harness: Watched) -> tuple[str, str, list[str]]:
    """What came of one counterexample, why, and the new trace if it still fails."""
    said, message, why = outcome(case, harness)
    return said, message, [steady(line) for line in harness.lines()] if why is not None else []


def outcome(case: Case, harness: Watched) -> tuple[str, str, Exception | None]:
    """What came of one counterexample, why, and the failure itself if it still fails."""
    try:
        lacking = sorted(load()[case.judged_by].needs - harness.capabilities)
        if lacking:
            return ERROR, f"this harness does not offer {', '.join(lacking)}", None
        judge(case, harness)
    except (Violation, HarnessFault) as why:
        return STILL_FAILS, steady(str(why)), why
    except Unplayable as why:
        return ERROR, f"this harness cannot be told the script: {steady(str(why))}", None
    except Exception as error:
        told = steady(f"{type(error).__name__}: {error}")
        why_ours = "the adapter is at fault, or the script is not of the kind that this property judges"
        return ERROR, f"judging broke with {told}; either {why_ours}", None
    return FIXED, "", None
