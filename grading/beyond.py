"""A second look at what was not reached: scripts that break what is known to fail are set aside.

A student is told one fault at a time; whoever tests a framework wants to see past the first. What a
property finds is its own only where the failing properties that it depends on hold on the same script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adapters.contract import AdapterError, HarnessFault, Unplayable
from grading.engine import Examiner, Failure
from grading.fold import among, closure
from grading.verdicts import BREAK, FAILS, HOLDS, NOT_REACHED, Options, Verdict, root_of
from properties.checks import Violation
from properties.registry import Property, Stage, load

HANGS = 2  # hanging runs of one property, where another is known to hang


@dataclass(frozen=True)
class Known:
    """What is known to fail: ids, whose cause each key stands for, and which id hangs, if any does."""

    ids: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    hangs: str = ""

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Known:
        """What fails among these."""
        failing = [v for v in verdicts if v.verdict == FAILS]
        keys = tuple((v.key, v.id) for v in failing if v.key)
        return cls(tuple(v.id for v in failing), keys, next((v.id for v in failing if v.hung), ""))


NOTHING = Known()
Judge = Callable[[list[str], Known], Iterable[Verdict]]


class Beyond(Examiner):
    """Judges one property; failures that belong to one that is known to fail are set aside."""

    def __init__(self, prop: Property, harness: Any, options: Options, known: Known) -> None:
        super().__init__(prop, harness, options)
        self._known = known
        all_ = load()
        before = [all_[id_] for id_ in closure(prop.id, all_) if id_ in known.ids]
        self._before = [Examiner(one, harness, options) for one in before]
        self._aside: list[str] = []
        self._waited = 0  # hanging runs

    def _try(self, stage: Stage, script: Any) -> Failure | None:
        if self._waited >= HANGS:
            return None
        failure = super()._try(stage, script)
        whose = self._whose(failure, script) if failure is not None else ""
        if not whose:
            return failure
        self._aside.append(whose)
        return None

    def _whose(self, failure: Failure, script: Any) -> str:
        """The property that a failure belongs to, or "" if it belongs to this one."""
        if failure.hung and self._known.hangs:
            self._waited += 1
            self._hung.clear()
            return self._known.hangs
        owner, key = (str(getattr(failure.why, name, "")) for name in ("owner", "key"))
        if owner in self._known.ids:
            return owner
        if key in dict(self._known.keys):
            return dict(self._known.keys)[key]
        return next((one.prop.id for one in self._before if _breaks(one, script, self.prop.id)), "")

    def _judge(self) -> Verdict:
        found = super()._judge()
        if found.verdict != HOLDS or not self._aside:
            return found
        if self._waited >= HANGS or len(self._aside) + len(self._unplayable) >= self.examples:
            return replace(found, verdict=NOT_REACHED)
        judged = self.examples - len(self._aside) - len(self._unplayable)
        ids = ", ".join(sorted(set(self._aside)))
        return replace(found, message=f"on {judged} of {self.examples} scripts{BREAK}{ids}")


def _breaks(one: Examiner, script: Any, other: str) -> bool:
    """Whether a script fails a property that is known to fail; what is not a script of it does not.

    Nor does one that fails it only for what the `other` property is there to tell.
    Raises AdapterError: where the adapter breaks nothing is known, and the verdict is *error*.
    """
    for _, stage in one.in_force():
        try:
            stage.judge(script, one.harness)
        except (Violation, HarnessFault) as why:
            if getattr(why, "owner", "") != other:
                return True
        except Unplayable:
            continue
        except AdapterError:
            raise
        except Exception:  # noqa: S112 - a script of another kind, which says nothing of this property
            continue
    return False


def beyond(verdicts: list[Verdict], properties: Mapping[str, Property], judge: Judge) -> list[Verdict]:
    """The verdicts, with another for each that was not reached because something fails before it.

    `judge` gives the verdicts on some properties; they are asked for in waves, so that what a property
    depends on is known before it, in whichever order a wave is judged.
    """
    known = {v.id: v for v in verdicts}
    waiting = [v.id for v in verdicts if root_of(v, known)]
    while waiting:
        wave = [id_ for id_ in waiting if not set(closure(id_, properties)) & set(waiting)]
        waiting = [id_ for id_ in waiting if id_ not in wave]
        failing = {id_: v for id_, v in known.items() if v.verdict == FAILS}
        for verdict in judge(wave, Known.of(known.values())):
            if verdict.verdict != NOT_REACHED:
                known[verdict.id] = verdict
        known = {**among(known), **failing}  # what was known to fail is not told elsewhere now
    return list(known.values())
