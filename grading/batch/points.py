"""What a submission is worth: from folded verdicts and a rubric to points.

One fault costs once. What depends on a property that fails is *not reached*: it earns nothing, or
the share that the rest of its chapter earned.
"""

from __future__ import annotations

import graphlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grading.batch import sets
from grading.batch.record import Judged
from grading.batch.rubric import PRO_RATA, Rubric
from grading.leave import BadCall
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED, Verdict, root_of
from properties.registry import Property, Tier

PLACES = 4  # decimal places of points


@dataclass(frozen=True)
class Plan:
    """A rubric applied to the catalogue: for each property in it what it is worth, and so on.

    `ids` are in the catalogue's order. `requires` names for each property those that the rubric
    makes it depend on, in an order in which they can be followed.
    """

    rubric: Rubric
    ids: tuple[str, ...]
    worth: Mapping[str, Fraction]
    requires: Mapping[str, tuple[str, ...]]
    visibility: Mapping[str, str]
    properties: Mapping[str, Property]

    @property
    def most(self) -> Fraction:
        """The points of a submission for which everything counts."""
        return Fraction(str(self.rubric.total)) or sum(self.worth.values(), Fraction())


def plan(rubric: Rubric, known: Mapping[str, Property]) -> Plan:
    """The rubric with its names looked up. Raises BadCall naming the key that does not fit."""
    try:
        ids = sets.chosen(rubric.set, known, rubric.tier)
    except ValueError as error:
        raise BadCall(f"{rubric.file}: set: {error}") from error
    if rubric.only:
        named = {id_ for name in rubric.only for id_ in _expand(rubric, "only", name, known, ids)}
        ids = tuple(id_ for id_ in ids if id_ in named)
    properties = {id_: known[id_] for id_ in ids}
    for table in ("points", "visibility", "hints", "requires"):
        for name in getattr(rubric, table):
            _expand(rubric, f"{table}.{name}", name, known, ids)
    visibility = {id_: _told(rubric.visibility, id_) for id_ in ids}
    worth = _worth(rubric, properties)
    if not any(worth.values()):
        raise BadCall(f"{rubric.file}: points: nothing that is judged is worth a point")
    return Plan(rubric, ids, worth, _requires(rubric, known, properties), visibility, properties)


def _expand(rubric: Rubric, key: str, name: str, known: Mapping[str, Property],
            ids: Sequence[str]) -> list[str]:  # fmt: skip
    """The judged properties that a name stands for. Raises BadCall if it stands for none at all."""
    chapters = dict.fromkeys(prop.chapter for prop in known.values())
    if name == "default" or name in known:
        return [name] if name in ids else []
    if name in chapters:
        return [id_ for id_ in ids if known[id_].chapter == name]
    raise BadCall(f"{rubric.file}: {key}: {name!r} is no property and no chapter; chapters are "
                  f"{', '.join(chapters)}, and `harness-props list` shows the properties")  # fmt: skip


def _told(table: Mapping[str, str], id_: str) -> str:
    """What a table says of a property: by its id, its chapter, or by default."""
    return table.get(id_, table.get(id_.partition("-")[0], table["default"]))


def _worth(rubric: Rubric, properties: Mapping[str, Property]) -> dict[str, Fraction]:
    points = {name: Fraction(str(value)) for name, value in rubric.points.items()}
    counted = [
        id_ for id_, prop in properties.items()
        if prop.tier in rubric.tiers and (rubric.lesson != 3 or prop.stages[0].lesson3 is not None)
    ]  # fmt: skip
    worth = dict.fromkeys(properties, Fraction())
    for id_ in counted:
        chapter = properties[id_].chapter
        if id_ in points or chapter not in points:
            worth[id_] = points.get(id_, points["default"])
            continue
        mates = [other for other in counted if properties[other].chapter == chapter]
        rest = points[chapter] - sum(points[other] for other in mates if other in points)
        if rest < 0:
            raise BadCall(f"{rubric.file}: points.{chapter}: {float(points[chapter]):g} is less than what "
                          "its properties are worth by themselves")  # fmt: skip
        worth[id_] = rest / sum(other not in points for other in mates)
    return worth


def _requires(rubric: Rubric, known: Mapping[str, Property],
              properties: Mapping[str, Property]) -> dict[str, tuple[str, ...]]:  # fmt: skip
    needs: dict[str, set[str]] = {}
    ids = list(properties)
    for name, before in rubric.requires.items():
        key = f"requires.{name}"
        wanted = [id_ for part in before for id_ in _expand(rubric, key, part, known, ids)]
        for id_ in _expand(rubric, key, name, known, ids):
            free = [w for w in wanted if w != id_ and (id_ == name or id_ not in _before(w, known))]
            needs.setdefault(id_, set()).update(free)
    graph = {id_: needs.get(id_, set()) | (set(prop.after) & set(ids)) for id_, prop in properties.items()}
    try:
        order = list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        circle = " needs ".join(reversed(error.args[1]))
        raise BadCall(f"{rubric.file}: requires: goes round in a circle: {circle}") from error
    return {id_: tuple(sorted(needs[id_], key=ids.index)) for id_ in order if id_ in needs}


def _before(id_: str, known: Mapping[str, Property]) -> set[str]:
    """All that a property comes after, directly or through others."""
    found: set[str] = set()
    waiting = [id_]
    while waiting:
        new = set(known[waiting.pop()].after) - found
        found |= new
        waiting += new
    return found


# ---- one submission -----------------------------------------------------------------------


def required(verdicts: Sequence[Verdict], plan: Plan) -> list[Verdict]:
    """The verdicts with what the rubric makes depend on a failure set to *not reached*."""
    known = {verdict.id: verdict for verdict in verdicts}
    for id_, before in plan.requires.items():
        verdict = known.get(id_)
        if verdict is None or verdict.verdict not in (HOLDS, FAILS):
            continue
        roots = [b if known[b].verdict == FAILS else root_of(known[b], known) for b in before if b in known]
        root = next((one for one in roots if one not in ("", id_)), "")
        if root:
            known[id_] = Verdict(id_, verdict.tier, NOT_REACHED, f"{root} fails, and this depends on it")
    return [known[verdict.id] for verdict in verdicts]


def points(verdicts: Sequence[Verdict], plan: Plan) -> tuple[list[Judged], float, float]:
    """Each verdict with its points, the score, and the most that could be had."""
    known = {verdict.id: verdict for verdict in verdicts}
    earned: dict[str, tuple[Fraction, Fraction]] = {}
    for verdict in verdicts:
        earned[verdict.id] = _earned(verdict, known, plan)
    if plan.rubric.not_reached == PRO_RATA:
        for verdict in verdicts:
            if verdict.verdict == NOT_REACHED and root_of(verdict, known) and earned[verdict.id][1]:
                most = earned[verdict.id][1]
                earned[verdict.id] = (most * _share(verdict, verdicts, earned), most)
    score, most = (sum((part[i] for part in earned.values()), Fraction()) for i in (0, 1))
    factor = Fraction(str(plan.rubric.total)) / most if plan.rubric.total and most else Fraction(1)
    judged = []
    for verdict in verdicts:
        mine, all_ = earned[verdict.id]
        judged.append(_judged(verdict, plan, _round(mine * factor), _round(all_ * factor)))
    return judged, _round(score * factor), _round(most * factor)


def _earned(verdict: Verdict, known: Mapping[str, Verdict], plan: Plan) -> tuple[Fraction, Fraction]:
    """Points and most of one verdict by itself. What does not count costs nothing."""
    worth = plan.worth[verdict.id]
    if verdict.verdict == NOT_APPLICABLE:
        return Fraction(), Fraction()
    if verdict.verdict == NOT_REACHED:
        root = known.get(root_of(verdict, known))
        left_out = root is not None and Tier.named(root.tier) not in plan.rubric.tiers
        return Fraction(), Fraction() if left_out else worth
    uncounted = verdict.verdict == FAILS and Tier.named(verdict.tier) not in plan.rubric.tiers
    return (worth if verdict.verdict == HOLDS or uncounted else Fraction()), worth


def _share(verdict: Verdict, verdicts: Sequence[Verdict],
           earned: Mapping[str, tuple[Fraction, Fraction]]) -> Fraction:  # fmt: skip
    """What the chapter's properties that were reached earned of what they are worth; 0 if none was."""
    chapter = verdict.id.partition("-")[0]
    reached = [
        v.id for v in verdicts
        if v.id.partition("-")[0] == chapter and v.verdict in (HOLDS, FAILS, ERROR)
    ]  # fmt: skip
    most = sum((earned[id_][1] for id_ in reached), Fraction())
    return sum((earned[id_][0] for id_ in reached), Fraction()) / most if most else Fraction()


def _judged(verdict: Verdict, plan: Plan, points: float, most: float) -> Judged:
    prop = plan.properties[verdict.id]
    hint = ""
    if verdict.verdict == FAILS and plan.rubric.show_hints:
        hint = plan.rubric.hints.get(prop.id, plan.rubric.hints.get(prop.chapter, prop.hint))
    shown = verdict.counterexample
    if shown is not None:
        shown = replace(shown, hint=hint)
    return Judged(
        prop.id, prop.chapter, verdict.tier, verdict.verdict, verdict.message, prop.sentence, hint,
        verdict.examples, points, most, plan.visibility[prop.id], shown.to_json() if shown else None,
    )  # fmt: skip


def _round(points: Fraction) -> float:
    return float(round(points, PLACES))
