"""Judges one property on one harness: examples, draws, the smallest failure, a second opinion.

Failures are captured as data where they happen; Hypothesis is asked for scripts and for
smaller scripts, and nothing is read from what it prints.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, errors, given, settings
from hypothesis import seed as seeded
from hypothesis.internal.conjecture import engine as conjecture

from adapters.contract import HarnessFault, Hung, Unplayable
from grading.verdicts import (
    ERROR,
    FAILS,
    HOLDS,
    NOT_APPLICABLE,
    Counterexample,
    Options,
    Verdict,
    steady,
)  # fmt: skip
from grading.watched import Watched
from properties.checks import Violation
from properties.registry import Property, Stage, toolless
from strategies.printing import to_json, to_python

# Hypothesis stops shrinking after five minutes by the clock, so that on a busy machine another script would
# be the smallest. What bounds it here is counted: steps of shrinking, and the CPU time of each run.
conjecture.MAX_SHRINKING_SECONDS = 10**9
HANG_TRIES = 6  # hanging runs of one property before shrinking settles for what it has
SEQUENCE_TRIES = 40  # fresh processes spent on finding the shortest sequence of runs


class Drawn:
    """A drawn script in a wrapper that is quick to show: Hypothesis shows what fails."""

    __slots__ = ("script",)

    def __init__(self, script: Any) -> None:
        self.script = script


class Found(Exception):
    """A script that fails; one type raised at one place, so that shrinking may slip freely."""


class Broke(BaseException):
    """The suite or an adapter broke; passes Hypothesis by."""


@dataclass(frozen=True)
class Failure:
    """A failing script, why it fails, what happened, and how many scripts ran before it."""

    script: Any
    why: Exception
    lines: tuple[str, ...]
    place: int

    @property
    def hung(self) -> bool:
        """Whether it fails because the harness did not come to an end."""
        return isinstance(self.why, Hung)


class Examiner:
    """Judges the stages of one property that are in force."""

    def __init__(self, prop: Property, harness: Any, options: Options) -> None:
        self.prop, self.options = prop, options
        self.harness = Watched(harness)
        self.examples = 0
        self._reason = ""  # why the last stage that was looked at is not applicable
        self._history: list[Any] = []  # scripts played since the last restart, in order
        self._hung: dict[str, Hung] = {}
        self._unplayable: list[str] = []  # why scripts said nothing of this harness, one for each

    def verdict(self) -> Verdict:
        """The property's verdict on the harness; whatever breaks on our side is an error."""
        started = time.process_time()
        try:
            found = self._judge()
        except HarnessFault as fault:  # before any script was played
            found = self._say(FAILS, steady(str(fault)), key=fault.key, hung=isinstance(fault, Hung))
        except Broke as broke:
            found = self._say(ERROR, steady(str(broke)))
        except Exception as error:  # ours alone: never the harness's fault, never dropped
            found = self._say(ERROR, steady(f"{type(error).__name__}: {error}"))
        spent = time.process_time() - started
        return Verdict(**{**vars(found), "seconds": spent})

    def _say(self, verdict: str, message: str = "", **more: Any) -> Verdict:
        tier = more.pop("tier", self.prop.tier.word)
        return Verdict(self.prop.id, tier, verdict, message, examples=self.examples, **more)

    def _judge(self) -> Verdict:
        lacking = sorted(self.prop.needs - self.harness.capabilities)
        if self.options.lesson == 3 and self.prop.stages[0].lesson3 is None:
            return self._say(NOT_APPLICABLE, "lesson 3 does not state this")
        if lacking:
            why = getattr(self.harness, "lacks", {})
            named = (f"{name} ({why[name]})" if name in why else name for name in lacking)
            return self._say(NOT_APPLICABLE, f"the harness does not offer {', '.join(named)}")
        ran = False
        for number, stage in self.in_force():
            ran = True
            failed = self._stage(number, stage)
            if failed is not None:
                return failed
        if ran and self._unplayable and len(self._unplayable) == self.examples:
            return self._say(NOT_APPLICABLE, f"no script of it can be played: {self._unplayable[0]}")
        return self._say(HOLDS, self._passed_over()) if ran else self._say(NOT_APPLICABLE, self._reason)

    def _passed_over(self) -> str:
        """How many scripts said something of the harness, and why others did not; nothing if all did."""
        if not self._unplayable:
            return ""
        why = Counter(self._unplayable).most_common(1)[0][0]
        judged = self.examples - len(self._unplayable)
        return f"on {judged} of {self.examples} scripts; most of the others: {why}"

    def in_force(self) -> Iterator[tuple[int, Stage]]:
        """The stages that the tiers, the lesson and the harness's policies leave, with their numbers."""
        for number, stage in enumerate(self.prop.stages):
            if stage.tier > self.options.tier:
                continue
            lacking = sorted(stage.needs - self.harness.capabilities)
            reason = f"the harness does not offer {', '.join(lacking)}" if lacking else ""
            reason = reason or toolless(self.prop.id, self.harness.policies)
            reason = reason or (stage.unless(self.harness.policies) if stage.unless else None) or ""
            self._reason = reason
            if not reason and (self.options.lesson != 3 or stage.lesson3 is not None):
                yield number, stage

    # -- one stage ---------------------------------------------------------------------------

    def _stage(self, number: int, stage: Stage) -> Verdict | None:
        """None if the stage holds, else its verdict."""
        examples, draws = self.scripts(stage)
        explicit = self._first(stage, examples)
        drawn = None
        if explicit is None or not explicit.hung:
            drawn = self._smallest(number, stage, draws)
        for failure in (drawn, explicit):
            if failure is not None:
                return self._confirmed(number, stage, failure)
        return None

    def scripts(self, stage: Stage) -> tuple[tuple[Any, ...], Any]:
        """The stage's explicit examples and its strategy, for the lesson in force and this harness."""
        examples: tuple[Any, ...] = stage.examples
        draws: Any = stage.draws
        if self.options.lesson == 3:
            examples, draws = stage.lesson3_examples, stage.lesson3
        fit = getattr(self.harness, "fit", None)
        if fit is None:
            return examples, draws
        return tuple({repr(one): one for one in map(fit, examples)}.values()), draws.map(fit)

    def name(self, number: int) -> str:
        """What decides the draws of a stage."""
        return f"{self.options.seed}:{self.prop.id}:{number}"

    def _first(self, stage: Stage, scripts: tuple[Any, ...]) -> Failure | None:
        for script in scripts:
            failure = self._try(stage, script)
            if failure is not None:
                return failure
        return None

    def _smallest(self, number: int, stage: Stage, draws: Any) -> Failure | None:
        """The smallest drawn failure, None if all draws hold."""
        found: list[Failure] = []
        patience = getattr(self.harness, "shrinks", None)
        known: dict[str, Failure | None] = {}  # of a slow harness: what was judged since the first failure

        def judged(script: Any) -> Failure | None:
            if not found or patience is None:
                return self._try(stage, script)
            told = repr(script)
            if told not in known and len(known) < patience:
                known[told] = self._try(stage, script)
            return known.get(told)

        def body(script: Any) -> None:
            failure = judged(script)
            if failure is not None:
                known.setdefault(repr(script) if patience else "", failure)
                found.append(failure)
                raise Found

        try:
            draw(body, draws, self.options.examples, self.name(number))
        except Found:
            return found[-1]  # the last call is the smallest script
        except errors.Flaky:
            return min(found, key=lambda failure: len(to_python(failure.script)), default=None)
        return None

    def _try(self, stage: Stage, script: Any) -> Failure | None:
        """Judge one script; a hang is confirmed in a fresh process, and tries are counted."""
        self.examples += 1
        known = repr(script)[:100_000] if self._hung else ""
        if known in self._hung:
            return Failure(script, self._hung[known], ("(the run did not end)",), 0)
        if len(self._hung) >= HANG_TRIES:
            return None
        failure = self.once(stage, script)
        if failure is not None and failure.hung:
            if not self._hung:
                self._restart()
                failure = self.once(stage, script)
            if failure is not None and isinstance(failure.why, Hung):
                self._hung[repr(script)[:100_000]] = failure.why
        return failure

    def once(self, stage: Stage, script: Any) -> Failure | None:
        """Judge one script once; raises Broke if that is not the harness's doing."""
        self.harness.seen.clear()
        self._history.append(script)
        place = len(self._history) - 1
        try:
            stage.judge(script, self.harness)
        except (Violation, HarnessFault) as why:
            if isinstance(why, HarnessFault):
                self._history = []  # its process is gone, and so is what was kept there
            return Failure(script, why, tuple(map(steady, self.harness.lines())), place)
        except Unplayable as why:
            self._unplayable.append(str(why))
        except Exception as error:
            where = f"{type(error).__name__}: {error}"
            raise Broke(f"judging {self.prop.id} broke with {where} on {to_python(script)[:500]}") from error
        return None

    def _restart(self) -> None:
        self.harness.restart()
        self._history = []

    # -- a second opinion --------------------------------------------------------------------

    def _confirmed(self, number: int, stage: Stage, failure: Failure) -> Verdict:
        """The failure's verdict, after it was judged again in a fresh process."""
        history = self._history[: failure.place]
        if failure.hung:
            return self._fails(number, stage, failure)
        self._restart()
        again = self.once(stage, failure.script)
        if again is not None:
            return self._fails(number, stage, again)
        before = self._sequence(stage, history, failure.script)
        if before is None:
            words = "the same script came out differently in two fresh processes: "
            return self._fails(number, stage, failure, words, blame="LOOP-15")
        words = f"only after {len(before)} earlier run{'s' * (len(before) != 1)} in the same process: "
        return self._fails(number, stage, failure, words, blame="LOOP-14", before=before)

    def _sequence(self, stage: Stage, history: list[Any], script: Any) -> list[Any] | None:
        """The shortest sequence of runs after which the script fails; None if none is found."""
        tries = 0

        def fails_after(scripts: list[Any]) -> bool:
            nonlocal tries
            tries += 1
            self._restart()
            for earlier in scripts:
                self.once(stage, earlier)
            return self.once(stage, script) is not None

        length = 1
        while length < len(history) and not fails_after(history[-length:]):
            length *= 2
        kept = history[-length:]
        if length >= len(history) and not fails_after(kept):
            return None
        index = 0
        most = min(SEQUENCE_TRIES, getattr(self.harness, "shrinks", SEQUENCE_TRIES))
        while index < len(kept) and tries < most:
            step = max(1, (len(kept) - index) // 2)
            shorter = kept[:index] + kept[index + step :]
            if fails_after(shorter):
                kept = shorter
            elif step == 1:
                index += 1
            else:
                half = kept[: index + step]
                if fails_after(half):
                    kept = half
                else:
                    index += 1
        return kept

    def _fails(self, number: int, stage: Stage, failure: Failure, words: str = "", *,
               blame: str = "", before: list[Any] | None = None) -> Verdict:  # fmt: skip
        why = failure.why
        message = steady(words + str(why))
        shown = Counterexample(
            self.prop.id, stage.tier.word, number, to_json(failure.script),
            to_python(failure.script), stage.sentence, message, getattr(why, "step", ""),
            self.prop.hint, failure.lines, tuple(map(to_json, before or ())), self.options.lesson,
        )  # fmt: skip
        return self._say(
            FAILS, message, tier=stage.tier.word, counterexample=shown,
            owner=getattr(why, "owner", ""), key=getattr(why, "key", ""), hung=failure.hung,
            blame=blame,
        )  # fmt: skip


def draw(body: Callable[[Any], None], draws: Any, examples: int, name: str, *, shrink: bool = True) -> None:
    """Run `body` on drawn scripts. The same name and number of examples draw the same scripts.

    What `body` raises ends the drawing; without `shrink` it comes out as it was first found.
    """
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    configured = settings(
        max_examples=examples, deadline=None, database=None, derandomize=False, print_blob=False,
        phases=(Phase.generate, Phase.shrink)[: 1 + shrink], report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet, backend="hypothesis",
    )  # fmt: skip

    @seeded(number)
    @configured
    @given(draws.map(Drawn))
    def run(drawn: Drawn) -> None:
        body(drawn.script)

    run()


def examine(prop: Property, harness: Any, options: Options) -> Verdict:
    """The verdict of one property on one harness, alone and in order."""
    return Examiner(prop, harness, options).verdict()
