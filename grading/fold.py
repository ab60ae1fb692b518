"""From single verdicts to a report: one fault is told once, in the catalogue's order.

Pure functions of the verdicts, so that the order in which they were found changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grading.verdicts import FAILS, HOLDS, NOT_REACHED, Verdict
from properties.registry import Property

HANGS = 3  # hanging properties before the rest is not reached


def fold(
    verdicts: Sequence[Verdict], properties: Mapping[str, Property], *, stop_at_first: bool = False
) -> list[Verdict]:
    """The verdicts with everything that follows from another failure set to *not reached*."""
    found = {v.id: v for v in verdicts}
    found = _blamed(found)
    found = _owned(found)
    found = _owned_by_unreached(_dependent(found, properties), properties)
    found = _same_cause(found)
    return _cut_short(list(found.values()), stop_at_first)


def _blamed(found: dict[str, Verdict]) -> dict[str, Verdict]:
    """Failures that a fresh process does not show belong to LOOP-14, or to LOOP-15."""
    for id_, verdict in list(found.items()):
        blamed = found.get(verdict.blame)
        if verdict.verdict != FAILS or blamed is None or verdict.blame == id_:
            continue
        if blamed.verdict == HOLDS:
            found[blamed.id] = replace(
                verdict, id=blamed.id, tier=blamed.tier, blame="", owner="", examples=blamed.examples
            )
        if found[verdict.blame].verdict == FAILS:
            found[id_] = _after(verdict, verdict.blame)
    return found


def _owned(found: dict[str, Verdict]) -> dict[str, Verdict]:
    """A fault that belongs to another property is told there, if that one fails as well."""
    told = dict(found)
    for id_, verdict in found.items():
        if verdict.verdict == FAILS and (root := _last_owner(id_, found)) != id_:
            told[id_] = _after(verdict, root)
    return told


def _last_owner(id_: str, found: Mapping[str, Verdict]) -> str:
    """The failing property that a fault belongs to in the end; of some that own each other the first."""
    path = [id_]
    while (owner := found[path[-1]].owner) in found and found[owner].verdict == FAILS:
        if owner in path:
            circle = path[path.index(owner) :]
            return next(one for one in found if one in circle)
        path.append(owner)
    return path[-1]


def _dependent(found: dict[str, Verdict], properties: Mapping[str, Property]) -> dict[str, Verdict]:
    """What depends on a failed property is not reached, wherever the failure is in the chain."""
    told = dict(found)
    for id_, verdict in found.items():
        if verdict.verdict not in (FAILS, HOLDS):
            continue
        root = _failed_root(id_, found, properties, set())
        if root and root != id_:
            told[id_] = _after(verdict, root)
    return told


def _owned_by_unreached(
    found: dict[str, Verdict], properties: Mapping[str, Property]
) -> dict[str, Verdict]:
    """A fault whose owner was not reached is told where the owner's own root is told."""
    told = dict(found)
    for id_, verdict in found.items():
        owner = found.get(verdict.owner)
        if verdict.verdict != FAILS or owner is None or owner.verdict != NOT_REACHED:
            continue
        root = _failed_root(owner.id, found, properties, set())
        if root and root != id_:
            told[id_] = _after(verdict, root)
    return told


def _failed_root(
    id_: str, found: Mapping[str, Verdict], properties: Mapping[str, Property], seen: set[str]
) -> str:
    """The first property that fails among those that this one comes after, or ""."""
    for before in properties[id_].after if id_ in properties else ():
        if before in seen or before not in found:
            continue
        seen.add(before)
        root = _failed_root(before, found, properties, seen)
        if root:
            return root
        if found[before].verdict == FAILS:
            return before
    return ""


def _same_cause(found: dict[str, Verdict]) -> dict[str, Verdict]:
    """Of several failures with one cause the first is told, the others point to it."""
    first: dict[str, str] = {}
    for id_, verdict in list(found.items()):
        if verdict.verdict != FAILS or not verdict.key:
            continue
        if verdict.key in first:
            found[id_] = _after(verdict, first[verdict.key])
        else:
            first[verdict.key] = id_
    return found


def _cut_short(verdicts: list[Verdict], stop_at_first: bool) -> list[Verdict]:
    """After three hangs, or with -x after the first failure, the rest is not reached."""
    told: list[Verdict] = []
    hangs, why = 0, ""
    for verdict in verdicts:
        reached = verdict.verdict in (HOLDS, FAILS)
        told.append(_unreached(verdict, why) if why and reached else verdict)
        if why or verdict.verdict != FAILS:
            continue
        hangs += verdict.hung
        if hangs >= HANGS:
            why = f"{HANGS} properties hung before this one"
        elif stop_at_first:
            why = f"stopped at the first failure, {verdict.id}"
    return told


def _after(verdict: Verdict, root: str) -> Verdict:
    return _unreached(verdict, f"{root} fails, and this depends on it")


def _unreached(verdict: Verdict, message: str) -> Verdict:
    return replace(
        verdict, verdict=NOT_REACHED, message=message, counterexample=None, examples=0, owner="", key="",
        hung=False, blame="",
    )  # fmt: skip


def closure(id_: str, properties: Mapping[str, Property]) -> list[str]:
    """All that a property depends on, what it depends on most directly first."""
    told: list[str] = []
    waiting = list(properties[id_].after) if id_ in properties else []
    while waiting:
        one = waiting.pop(0)
        if one in properties and one not in told:
            told.append(one)
            waiting += properties[one].after
    return told


def among(found: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts, with each fault told at one place; what depends on what is not looked at."""
    return _same_cause(_owned(_blamed(dict(found))))


def settled(id_: str, found: Mapping[str, Verdict], properties: Mapping[str, Property]) -> bool:
    """True if what is known already makes this property *not reached*, so it need not be run."""
    certain = {k: replace(v, verdict=HOLDS) if v.owner or v.blame else v for k, v in found.items()}
    return bool(_failed_root(id_, certain, properties, set()))
