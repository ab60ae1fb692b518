"""`harness-props diff`: what became of each property between two files of verdicts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from grading import formats
from grading.across.saved import Kept, Run, merged, runs, told
from grading.html.clusters import order
from grading.leave import BROKEN, FAILED, OK, UNUSABLE, BadCall, complain
from grading.screen import Screen, safe
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, steady

SCHEMA = "harness-props/difference/v1"
NEWLY, FIXED, STILL = "newly failing", "fixed", "still failing"
APPLIES, APPLIED = "newly applicable", "no longer applicable"
JUDGED, UNJUDGED = "newly judged", "no longer judged"
COLOURS = {NEWLY: "bold red", FIXED: "bold green", STILL: "yellow", UNJUDGED: "magenta"}
KINDS = (NEWLY, FIXED, STILL, APPLIES, APPLIED, JUDGED, UNJUDGED)
NOTHING = Kept("", "", "no verdict", "", None)


@dataclass(frozen=True)
class Change:
    """What became of one property: its kind, both verdicts, and the message of the later one."""

    id: str
    kind: str
    old: str
    new: str
    message: str


@dataclass(frozen=True)
class Pair:
    """One harness in both files; `new` is None if the later one says nothing of it."""

    old: Run
    new: Run | None
    changes: tuple[Change, ...] = ()

    @property
    def status(self) -> int:
        """The exit status that stands for it: an end that was not reached is never a good one."""
        if self.new is None or self.new.problem:
            return UNUSABLE
        kinds = {change.kind for change in self.changes}
        broke = any(change.new == ERROR for change in self.changes)
        return BROKEN if broke else FAILED if NEWLY in kinds else OK


def diff(old: str, new: str, *, to: str | None = None) -> int:
    """Show what changed between two files; returns 1 if something newly fails.

    2 if a harness has no verdicts in the later file, 3 if the suite newly broke there. Raises BadCall.
    """
    if to and to != "-":
        formats.writable(to)
    pairs = paired(_of(old), _of(new))
    for pair in pairs:
        if pair.new is None or pair.new.problem:
            why = pair.new.problem if pair.new else "says nothing of it"
            complain(f"{new}: {pair.old.target}: {why}")
    if to != "-":
        _show(Screen(Console()), pairs)
    if to:
        formats.put(to, json.dumps(to_data(pairs), indent=2) + "\n")
    return max((pair.status for pair in pairs), default=OK)


def _of(file: str) -> list[Run]:
    """One run for each target of a file. Raises BadCall if there are several versions of one."""
    found = merged(runs([file]))
    if not found:
        raise BadCall(f"{file}: holds no report")
    targets = [run.target for run in found]
    for target in targets:
        if targets.count(target) > 1:
            raise BadCall(f"{file}: holds several versions of {target}; a file of each can be compared")
    return found


def paired(old: Sequence[Run], new: Sequence[Run]) -> list[Pair]:
    """The harnesses of both files by their targets; where each file has one, these two."""
    if len(old) == len(new) == 1:
        return [_pair(old[0], new[0])]
    later = {run.target: run for run in new}
    known = {run.target for run in old}
    if not known & later.keys():
        raise BadCall(f"no target is in both files: {', '.join(sorted(known))}; {', '.join(sorted(later))}")
    pairs = [_pair(run, later[run.target]) if run.target in later else Pair(run, None) for run in old]
    return pairs + [_pair(_unjudged(run), run) for run in new if run.target not in known]


def _unjudged(run: Run) -> Run:
    """A harness of which the earlier file says nothing."""
    return replace(run, name="", version="", suite="", python="", hypothesis="", seed="", examples="",
                   verdicts={}, problem="")  # fmt: skip


def _pair(old: Run, new: Run) -> Pair:
    changes = []
    for id_ in sorted({*old.verdicts, *new.verdicts}, key=order):
        before, after = old.verdicts.get(id_, NOTHING), new.verdicts.get(id_, NOTHING)
        kind = kind_of(before.verdict, after.verdict)
        if kind:
            changes.append(Change(id_, kind, before.verdict, after.verdict, after.message))
    return Pair(old, new, tuple(changes))


def kind_of(old: str, new: str) -> str:
    """What to call the way from one verdict to another; "" if nothing is to be told."""
    if new == FAILS:
        return STILL if old == FAILS else NEWLY
    if new == old:
        return ""
    if new == HOLDS:
        return {FAILS: FIXED, NOT_APPLICABLE: APPLIES}.get(old, JUDGED)
    if new == NOT_APPLICABLE:
        return APPLIED if old in (HOLDS, FAILS) else ""
    return UNJUDGED if old in (HOLDS, FAILS) or new == ERROR else ""


# ---- telling it ---------------------------------------------------------------------------


def _show(screen: Screen, pairs: Sequence[Pair]) -> None:
    for number, pair in enumerate(pairs):
        if number:
            screen.line()
        if pair.new is None:
            continue
        screen.line(Text.assemble((safe(_named(pair)), "bold")))
        for name, before, after in _settings(pair.old, pair.new):
            screen.line(f"{name}: {before} before, {after} now", "dim", 2)
        for kind in KINDS:
            _lines(screen, kind, [change for change in pair.changes if change.kind == kind])
        counts = [f"{sum(c.kind == kind for c in pair.changes)} {kind}" for kind in KINDS]
        said = ", ".join(text for text in counts if not text.startswith("0 "))
        screen.line(said or "no verdict is another one", "" if said else "bold green")


def _lines(screen: Screen, kind: str, changes: Sequence[Change]) -> None:
    """A line for each failure; of the rest one for all that have the same reason."""
    reasons: dict[tuple[str, str, str], list[str]] = {}
    for change in changes:
        alone = change.id if change.new == FAILS else ""
        reasons.setdefault((alone, change.old, change.message), []).append(change.id)
    for (_, old, message), ids in reasons.items():
        was = "" if kind in (FIXED, STILL, APPLIES) else f" (was: {old})"
        words = f" {told(ids)}{was}{': ' * bool(message)}{steady(message)}"
        screen.line(Text.assemble((kind, COLOURS.get(kind, "dim")), safe(words)), indent=2)


def _named(pair: Pair) -> str:
    old, new = pair.old, pair.new or pair.old
    said = [f"{run.target} {run.version}".strip() for run in (old, new)]
    return said[1] if said[0] == said[1] else f"{said[0]} -> {said[1]}"


def _settings(old: Run, new: Run) -> list[tuple[str, str, str]]:
    """What else is different, to which a change may be due as well."""
    names = {"suite": "suite", "python": "Python", "hypothesis": "Hypothesis", "seed": "seed",
             "examples": "examples"}  # fmt: skip
    pairs = [(told, getattr(old, name), getattr(new, name)) for name, told in names.items()]
    return [(told, before, after) for told, before, after in pairs if before and before != after]


def to_data(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The difference as JSON data; `schema/difference.v1.schema.json` describes it."""
    return {"schema": SCHEMA, "harnesses": [_data(pair) for pair in pairs]}


def _data(pair: Pair) -> dict[str, Any]:
    changes = [{"id": c.id, "change": c.kind, "old": c.old, "new": c.new, "message": c.message}
               for c in pair.changes]  # fmt: skip
    return {
        "target": (pair.new or pair.old).target, "old": _about(pair.old), "new": _about(pair.new),
        "changes": changes, "totals": {kind: sum(c.kind == kind for c in pair.changes) for kind in KINDS},
    }  # fmt: skip


def _about(run: Run | None) -> dict[str, str] | None:
    if run is None or not run.suite:
        return None
    return {"target": run.target, "version": run.version, "suite_version": run.suite, "python": run.python,
            "hypothesis": run.hypothesis, "seed": run.seed, "examples": run.examples,
            "problem": run.problem}  # fmt: skip
