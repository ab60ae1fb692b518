"""`harness-props smoke`: a few trivial scripts, for whoever writes an adapter.

Nothing is drawn and no property is asked: each script is played once, what was sent and seen is
shown, and what should have been seen is known beforehand.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from adapters.contract import Harness, HarnessFault, Unplayable
from grading.judging import introduced, not_loading
from grading.leave import BROKEN, FAILED, OK, complain, crash
from grading.pretty import pretty
from grading.run import Target
from grading.screen import Screen, safe
from grading.trials import TRIALS, Trial, adjusted, differences
from grading.verdicts import steady
from grading.watched import Watched
from properties.checks import shown
from strategies.printing import to_python

FINE, WRONG, SKIPPED, BROKE = "OK", "WRONG", "SKIPPED", "ERROR"
COLOURS = {FINE: "bold green", WRONG: "bold red", SKIPPED: "yellow", BROKE: "bold magenta"}


def smoke_test(
    target: str, *, lesson: int = 6, app_dir: str | None = None, validate: bool = False
) -> int:
    """Play the trials and say how to go on; returns the worst status. Raises Unusable."""
    screen = Screen(Console())
    harness = Target(target, lesson, app_dir, validate=validate).open()
    try:
        fault = introduced(harness)
        if fault is not None:
            screen.line(Text.assemble((WRONG, COLOURS[WRONG]), f"  {safe(not_loading(harness, fault))}"))
            return FAILED
        name = f"{harness.about.name} {harness.about.version}".strip()
        able = frozenset(harness.capabilities)
        screen.line(Text.assemble((safe(name), "bold"), f"  can: {', '.join(sorted(able)) or 'nothing yet'}"))
        told = [_told(screen, harness, able, trial) for trial in TRIALS if not _left_out(lesson, trial)]
        told += [_tried(screen, harness, able, *probe) for probe in PROBES]
    finally:
        harness.close()
    return _next(screen, target, able, told)


def _left_out(lesson: int, trial: Trial) -> bool:
    """In lesson 3 a tool's exception may come out of the run; no result is asked for then."""
    return lesson == 3 and "R!" in trial.record


def _next(screen: Screen, target: str, able: frozenset[str], told: list[str]) -> int:
    named = shlex.quote(target)
    screen.line()
    if BROKE in told:
        screen.line("The adapter broke (see above); mend that first, then: "
                    f"harness-props smoke {named}")  # fmt: skip
        return BROKEN
    if WRONG in told:
        screen.line("If the harness does it right and the adapter tells it wrong, mend the adapter; if the "
                    "harness itself does this, go on, the properties will say so. Then: "
                    f"harness-props smoke {named}")  # fmt: skip
        return FAILED
    if FINE not in told:
        screen.line("Nothing could be tried: the adapter names no capability. Begin with `loop`; "
                    "adapters/contract.py lists what each of them asks for.")  # fmt: skip
        return FAILED
    chapter = "LOOP-*" if "loop" in able else "CUT-*" if "truncate" in able else "READ-*"
    screen.line(f"next: harness-props check {named} --only '{chapter}'")
    return OK


def _tried(screen: Screen, harness: Harness, able: frozenset[str], name: str, need: str,
           trial: Callable[[Watched], list[str]], show: Callable[[], str] | None = None) -> str:  # fmt: skip
    """Play one trial, show it, and say what is wrong; returns how it came out."""
    screen.line()
    if need not in able:
        words = f"{name}: the adapter does not name {need!r}"
        screen.line(Text.assemble((f"{SKIPPED:<8}", COLOURS[SKIPPED]), words))
        return SKIPPED
    watched = Watched(harness)
    wrong: list[str] = []
    outcome = BROKE
    try:
        harness.restart()
        wrong = trial(watched)
        outcome = WRONG if wrong else FINE
    except HarnessFault as fault:
        wrong, outcome = [str(fault)], WRONG
    except Unplayable as unplayable:
        screen.line(Text.assemble((f"{SKIPPED:<8}", COLOURS[SKIPPED]), f"{name}: {unplayable}"))
        return SKIPPED
    except Exception as error:  # the adapter's own code, or what it gave back
        complain(crash(error))
        wrong = [_where(error)]
    screen.line(Text.assemble((f"{outcome:<8}", COLOURS[outcome]), (name, "bold")))
    if show is not None:
        screen.code("script", pretty(show(), screen.room).split("\n"))
    for line in watched.lines(20):
        screen.labelled("", steady(line))
    for sentence in wrong:
        screen.labelled("wrong", steady(sentence), COLOURS[outcome])
    return outcome


def _where(error: Exception) -> str:
    """An exception and the line it came from."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    at = f" at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
    return f"the adapter broke with {type(error).__name__}: {error}{at}"


def _told(screen: Screen, harness: Harness, able: frozenset[str], trial: Trial) -> str:
    def play(watched: Watched) -> list[str]:
        said = adjusted(trial, harness.policies)
        trace = watched.converse(trial.script)
        return differences(said, trace, record="record" in able, policies=harness.policies)

    return _tried(screen, harness, able, trial.name, "loop", play, lambda: to_python(trial.script))


# ---- the harness's own tools --------------------------------------------------------------


def _read(watched: Watched) -> list[str]:
    page = watched.desk({"notes.txt": "alpha\nbravo\n"}, {}, None, None).use("read", {"path": "notes.txt"})
    wrong = [] if isinstance(page.content, str) else [f"the page is {shown(page.content)}, not a text"]
    if not wrong and not ("alpha" in page.content and "bravo" in page.content):
        wrong.append(f"the page does not show the file's two lines: {shown(page.content)}")
    return [*wrong, *(["reading a file that is there is marked as an error"] if page.is_error else [])]


def _cut(watched: Watched) -> list[str]:
    wrong = []
    for end, line in (("head", "alpha\n"), ("tail", "bravo\n")):
        back = watched.cut(end, "alpha\nbravo\n", 1, 1000)
        pair = isinstance(back, (tuple, list)) and len(back) == 2
        if not pair:
            wrong.append(f"cut({end!r}) gave back {shown(back)}, not a pair (text kept, number of lines)")
        elif str(back[0]).rstrip("\n") != line.rstrip("\n"):
            wrong.append(f"cut({end!r}) to one line kept {shown(back[0])}, not {line!r}")
    return wrong


PROBES = (("one page of a file", "read", _read), ("one cut at each end", "truncate", _cut))
