"""`harness-props fuzz` and `harness-props baseline`: from the command line to what is shown and written."""

from __future__ import annotations

import secrets
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import hypothesis
from rich.console import Console

from adapters.contract import Harness
from adapters.targets import file_of, kind_of
from grading import formats
from grading.fuzz import baseline, telling
from grading.fuzz.baseline import Baseline
from grading.fuzz.corpus import Corpus
from grading.fuzz.journal import Journal, State
from grading.fuzz.session import Session, told
from grading.fuzz.watching import many, watching
from grading.judging import introduced, not_loading
from grading.leave import BROKEN, FAILED, INTERRUPTED, BadCall
from grading.powering import fingerprint
from grading.run import Target, default_tier, selected
from grading.screen import Screen
from grading.show import abilities
from grading.verdicts import Options, Report
from grading.version import suite_version
from properties.registry import Tier

MINUTES = 10.0  # how long a run takes if nobody says how long or how much
ENDED, TIME, STOPPED = "all was drawn", "the time was over", "interrupted"


@dataclass(frozen=True)
class Wanted:
    """What the command line asks of a run; None where a default holds."""

    target: str
    seconds: float | None = None
    examples: int | None = None
    go_on: bool = False
    seed: int | None = None
    corpus: Path = Path(".fuzz")
    baseline: str | None = None
    only: tuple[str, ...] = ()
    tier: Tier | None = None
    lesson: int = 6
    json: str | None = None
    app_dir: str | None = None

    def again(self) -> str:
        """The command that goes on from here."""
        parts = ["harness-props", "fuzz", self.target, "--continue"]
        parts += ["--corpus", str(self.corpus)] if self.corpus != Path(".fuzz") else []
        parts += ["--tier", self.tier.word] if self.tier else []
        parts += ["--lesson", "3"] if self.lesson == 3 else []
        parts += ["--app-dir", self.app_dir] if self.app_dir else []
        return shlex.join(parts)


def fuzz_target(wanted: Wanted) -> int:
    """Look for failures until the time is over, tell them, and return the status.

    0: nothing new and nothing of the baseline is gone or expired. 1: something is. 3: the suite broke.
    Raises BadCall, Unusable or Unwritable; what was found until then is kept.
    """
    tier = default_tier(wanted.target) if wanted.tier is None else wanted.tier
    options = Options(int(tier), wanted.lesson, 0, 0, wanted.only)
    try:
        properties = selected(options)
    except ValueError as error:
        raise BadCall(f"--only: {error}") from error
    if wanted.json not in (None, "-"):
        formats.writable(str(wanted.json))
    entries = baseline.entries(wanted.baseline, wanted.target) if wanted.baseline else []
    screen = Screen(Console(stderr=False, quiet=wanted.json == "-"))
    corpus = Corpus(wanted.corpus / "scripts")
    kept = corpus.read()
    harness = Target(wanted.target, wanted.lesson, wanted.app_dir).open()
    journal = Journal(wanted.corpus, wanted.target)
    try:
        report = Report(wanted.target, harness.about.name, harness.about.version, options)
        state = journal.begin(_depends_on(wanted, harness, tier), going_on=wanted.go_on)
        _header(screen, wanted, len(properties), tier, kept, state)
        fault = introduced(harness, report)
        if fault is not None:
            screen.line(not_loading(harness, fault), "bold red")
            return FAILED
        abilities(screen, report)
        known = Baseline(entries)
        known.play(harness)
        end = time.monotonic() + (_seconds(wanted) or 0)
        over: Callable[[], bool] = (lambda: time.monotonic() >= end) if _seconds(wanted) else (lambda: False)
        with watching(state, screen.console) as seen:
            session = Session(harness, properties, options, corpus, journal, state, seen, over,
                              wanted.examples, frozenset(known.ids))  # fmt: skip
            try:
                ended = ENDED if session.run() else TIME
            except KeyboardInterrupt:
                ended = STOPPED
    finally:
        journal.close()
        harness.close()
    return _told(screen, wanted, report, state, known, ended, seen.scripts, seen.rounds)


def _seconds(wanted: Wanted) -> float | None:
    if wanted.seconds is None and wanted.examples is None:
        return MINUTES * 60
    return wanted.seconds


def _depends_on(wanted: Wanted, harness: Harness, tier: Tier) -> dict[str, Any]:
    """All that findings depend on; a run that differs in it does not go on from another one."""
    version = harness.about.version
    if kind_of(wanted.target) == "file":
        version = sha256(file_of(wanted.target).read_bytes()).hexdigest()[:12]
    seed = secrets.randbelow(10**9) if wanted.seed is None else wanted.seed
    return {
        "target": wanted.target, "version": version, "suite": fingerprint(), "tier": tier.word,
        "hypothesis": hypothesis.__version__, "lesson": wanted.lesson, "seed": seed,
    }  # fmt: skip


def _header(screen: Screen, wanted: Wanted, count: int, tier: Tier, kept: int, state: State) -> None:
    seconds = _seconds(wanted)
    limits = [f"for {seconds:g} s"] if seconds else []
    limits += [f"up to {many(wanted.examples, 'script')} each"] if wanted.examples else []
    screen.line(f"{wanted.target}  lesson {wanted.lesson}", "bold")
    screen.line(f"harness-props {suite_version()}, {many(count, 'property', 'properties')} up to the tier "
                f"{tier.word}, {', '.join(limits)}, seed {state.run['seed']}", "dim", 2)  # fmt: skip
    going = f"; going on from {many(len(told(state)[0]), 'finding')}" if wanted.go_on else ""
    screen.line(f"{many(kept, 'script')} in the corpus {wanted.corpus}{going}", "dim", 2)


def _told(screen: Screen, wanted: Wanted, report: Report, state: State, known: Baseline, ended: str,
          scripts: int, rounds: int) -> int:  # fmt: skip
    """Show and write what was found; the status."""
    shown = told(state)[0]
    said = known.compared(telling.fresh(shown))
    new = {one.id for one in said.new}
    telling.findings(screen, state, frozenset(one.id for one in shown if one.id not in new))
    if wanted.baseline:
        telling.compared(screen, said)
    telling.summary(screen, state, scripts, rounds, ended, wanted.again())
    if wanted.json:
        marks = {one.id: one.id in new for one in shown}
        text = telling.json_text(report, state, ended=ended, rounds=rounds, new=marks)
        if wanted.json == "-":
            sys.stdout.write(text)
        else:
            formats.write(wanted.json, text)
    if ended == STOPPED:
        return INTERRUPTED
    return BROKEN if state.errors else said.status
