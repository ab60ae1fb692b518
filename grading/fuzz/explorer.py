"""One property on one harness, not ended by the first failure: every group of them, and its smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from hypothesis import errors

from adapters.contract import HarnessFault
from adapters.trace import Trace
from grading.engine import Broke, Examiner, Failure, Found, draw
from grading.fuzz.groups import Group, of_failure
from grading.verdicts import Options, Verdict
from grading.watched import Watched
from properties.registry import Property, Stage, load
from strategies.printing import to_python

GROUPS = 8  # of one property in one sweep; more are mostly one fault in many words


class OutOfTime(BaseException):
    """The time is over; passes Hypothesis by."""


@dataclass(frozen=True)
class Sighting:
    """The first failure of a group: `draw` counts from 1, and is 0 for a script that was not drawn.

    `before` are the scripts that ran before it in the same process.
    """

    group: Group
    stage: int
    failure: Failure
    draw: int
    before: tuple[Any, ...]


class _Remembering(Watched):
    """Keeps the trace of each conversation beside its script."""

    def __init__(self, harness: Any) -> None:
        super().__init__(harness)
        self.played: list[tuple[Any, Trace]] = []

    def converse(self, script: Any, *, watch: bool = False) -> Trace:
        """Play a conversation and remember both."""
        trace = super().converse(script, watch=watch)
        self.played.append((script, trace))
        return trace


class _Again:
    """The harness, which gives for a conversation that was just played the trace that there is."""

    def __init__(self, harness: _Remembering) -> None:
        self._harness, self._played = harness, list(harness.played)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._harness, name)

    def converse(self, script: Any, *, watch: bool = False) -> Trace:
        """The trace of the run that there was, or of a new one."""
        for known, trace in () if watch else self._played:
            if known is script:
                return trace
        return self._harness.converse(script, watch=watch)


@cache
def roots(id_: str) -> tuple[str, ...]:
    """Every property that this one makes no sense without, nearest first."""
    found: dict[str, None] = {}
    waiting = list(load()[id_].after) if id_ in load() else []
    while waiting:
        one = waiting.pop(0)
        if one not in found and one in load():
            found[one] = None
            waiting += load()[one].after
    return tuple(found)


class Explorer(Examiner):
    """Judges drawn scripts of one property to the last. `over` says that the time is over."""

    def __init__(
        self, prop: Property, harness: Any, options: Options, over: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__(prop, harness, options)
        self.harness: _Remembering = _Remembering(harness)
        self.over = over

    def inapplicable(self) -> str:
        """Why nothing of the property can be judged on this harness; "" if something can."""
        lacking = sorted(self.prop.needs - self.harness.capabilities)
        if lacking:
            return f"the harness does not offer {', '.join(lacking)}"
        if any(True for _ in self.in_force()):
            return ""
        return self._reason or "lesson 3 does not state this"

    def unplayable(self) -> str:
        """Why none of the scripts could be played; "" if one could."""
        every = self._unplayable and len(self._unplayable) == self.examples
        return f"no script of it can be played: {self._unplayable[0]}" if every else ""

    # -- a sweep -----------------------------------------------------------------------------

    def sweep(
        self, kept: Callable[[int], Iterable[Any]], *, explicit: bool,
        sighted: Callable[[Sighting], None], heard: Callable[[], None],
    ) -> None:  # fmt: skip
        """Judge scripts that are kept, then explicit examples, then drawn ones.

        `sighted` hears of each group of failures at its first failure, `heard` of every script.
        Raises Broke for an error of ours, OutOfTime when the time is over.
        """
        for number, stage in list(self.in_force()):
            examples, draws = self.scripts(stage)
            fixed = (*kept(number), *(examples if explicit else ()))
            self._stage_swept(number, stage, fixed, draws, sighted, heard)

    def _stage_swept(
        self, number: int, stage: Stage, fixed: tuple[Any, ...], draws: Any,
        sighted: Callable[[Sighting], None], heard: Callable[[], None],
    ) -> None:  # fmt: skip
        seen: set[tuple[Group, bool]] = set()
        count = 0

        def look(script: Any, place: int) -> None:
            failure = self._judged(stage, script)
            if failure is not None and len(seen) < GROUPS:
                group = self._group(number, failure)
                key = (group, place > 0)  # what is drawn can be made smaller, so each sort is told
                if key not in seen:
                    seen.add(key)
                    sighted(Sighting(group, number, failure, place, tuple(self._history[: failure.place])))
            heard()

        def body(script: Any) -> None:
            nonlocal count
            count += 1
            look(script, count)

        for script in fixed:
            look(script, 0)
        if self.options.examples:
            draw(body, draws, self.options.examples, self.name(number), shrink=False)

    def _judged(self, stage: Stage, script: Any) -> Failure | None:
        if self.over():
            raise OutOfTime
        return self._try(stage, script)

    def once(self, stage: Stage, script: Any) -> Failure | None:
        """Judge one script once, and keep its trace for those who judge the same run."""
        self.harness.played.clear()
        return super().once(stage, script)

    # -- what a failure follows from ---------------------------------------------------------

    def _group(self, number: int, failure: Failure) -> Group:
        """The failure's group; its root is a property that this very run breaks as well."""
        group = of_failure(self.prop.id, number, failure)
        if not group.scope or group.root:
            return group
        for id_ in roots(self.prop.id):
            blamed = self._blamed(load()[id_], failure.script)
            if blamed and blamed != self.prop.id:
                return replace(group, root=blamed)
        return group

    def _blamed(self, prop: Property, script: Any) -> str:
        """The property that is blamed if the run that was just judged breaks this one; "" if it does not."""
        if prop.needs - self.harness.capabilities:
            return ""
        again = _Again(self.harness)
        judge = Examiner(prop, again, self.options)
        for one in (script, *(known for known, _ in list(self.harness.played) if known is not script)):
            for _, stage in judge.in_force():
                try:
                    failure = judge.once(stage, one)
                except Broke:  # a script of another kind than this property's own
                    break
                if failure is not None:
                    return getattr(failure.why, "owner", "") or prop.id
        return ""

    # -- the smallest ------------------------------------------------------------------------

    def smallest(self, sighting: Sighting) -> tuple[Verdict, bool]:
        """A group's smallest script with its verdict after a second opinion, and whether time sufficed.

        What was drawn before the sighting is drawn again, but not played; the options must be the same.
        """
        stage = self.prop.stages[sighting.stage]
        failure, before, whole = sighting.failure, list(sighting.before), True
        if sighting.draw:
            found = self._shrunk(stage, sighting)
            whole = not self.over()
            if found is not None:
                failure, before = found, self._history[: found.place]
        self._history = [*before, failure.script]
        placed = Failure(failure.script, failure.why, failure.lines, len(before))
        try:
            return self._confirmed(sighting.stage, stage, placed), whole
        except HarnessFault as why:
            again = Failure(failure.script, why, failure.lines, 0)
            return self._fails(sighting.stage, stage, again), whole

    def _shrunk(self, stage: Stage, sighting: Sighting) -> Failure | None:
        count = 0
        failing: dict[str, Failure] = {}
        last: Failure | None = None

        def body(script: Any) -> None:
            nonlocal count, last
            count += 1
            text = repr(script)
            if text not in failing:
                if (not failing and count < sighting.draw) or self.over():
                    return
                failure = self._try(stage, script)
                if failure is None or self._group(sighting.stage, failure) != sighting.group:
                    return
                failing[text] = failure
            last = failing[text]
            raise Found

        try:
            draw(body, self.scripts(stage)[1], self.options.examples, self.name(sighting.stage))
        except Found:
            return last  # the last call is the smallest script
        except errors.Flaky:
            return min(failing.values(), key=lambda one: len(to_python(one.script)), default=None)
        return None

    def told(self, sighting: Sighting) -> Verdict:
        """The verdict of a failure as it was seen, with nothing done about it yet."""
        return self._fails(sighting.stage, self.prop.stages[sighting.stage], sighting.failure)
