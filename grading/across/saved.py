"""Verdicts that were kept: what `check --json` wrote, checked in shape and put together by harness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.frameworks.process import named
from grading import formats
from grading.cases import an_object, member, objects, read
from grading.leave import BadCall
from grading.show import ranges
from grading.verdicts import FAILS, VERDICTS
from properties.registry import load

_ID = re.compile(r"[A-Z]{1,20}-[0-9]{1,9}")


@dataclass(frozen=True)
class Kept:
    """One verdict. `counterexample` is as the report has it."""

    id: str
    tier: str
    verdict: str
    message: str
    counterexample: dict[str, Any] | None


@dataclass(frozen=True)
class Run:
    """One harness as a report tells of it, or several that judged other properties of it.

    `place` is where that stands, for sentences; `problem` says why it was not judged to the end.
    """

    place: str
    target: str
    name: str
    version: str
    suite: str
    python: str
    hypothesis: str
    seed: str
    examples: str
    verdicts: dict[str, Kept]
    problem: str = ""

    @property
    def label(self) -> str:
        """What it is called beside others."""
        return f"{self.target.removeprefix('adapter:')} {self.version}".strip()

    def count(self, verdict: str) -> int:
        """How many verdicts of this kind."""
        return sum(kept.verdict == verdict for kept in self.verdicts.values())


def runs(files: Sequence[str]) -> list[Run]:
    """Every report in the files, in their order. Raises BadCall naming the place that cannot be used."""
    found = []
    for file in files:
        for where, part in objects(read(file)):
            found.append(_run(part, f"{file}: {where}" if where else file))
    return found


def _run(data: Any, at: str) -> Run:
    schema = an_object(data, at).get("schema")
    if schema != formats.SCHEMA:
        raise BadCall(f"{at}: its schema is {schema!r}, not {formats.SCHEMA!r}, which "
                      "`harness-props check --json` writes")  # fmt: skip
    about = member(data, "harness", dict, at)
    suite, python, hypothesis = (member(data, n, str, at) for n in ("suite_version", "python", "hypothesis"))
    seed = "secret" if data.get("seed", 0) is None else str(member(data, "seed", int, at))
    kept: dict[str, Kept] = {}
    for place, entry in enumerate(member(data, "properties", list, at)):
        one = _kept(entry, f"{at}: properties[{place}]")
        if one.id in kept:
            raise BadCall(f"{at}: properties[{place}]: {one.id} is there twice")
        kept[one.id] = one
    return Run(
        at, _target(member(data, "target", str, at)), member(about, "name", str, f"{at}: harness"),
        member(about, "version", str, f"{at}: harness"), suite, python, hypothesis, seed,
        str(member(data, "examples", int, at)), kept, member({"problem": "", **data}, "problem", str, at),
    )  # fmt: skip


def _target(text: str) -> str:
    """A framework has one name, however it was called: `fuzz-NAME` is NAME's tox environment."""
    found = named(text.removeprefix("adapter:")) if text.startswith("adapter:") else None
    return f"adapter:{found.name}" if found else text


def _kept(entry: Any, at: str) -> Kept:
    data = an_object(entry, at)
    texts = [member(data, name, str, at) for name in ("id", "tier", "verdict", "message")]
    id_, tier, verdict, message = texts
    if not _ID.fullmatch(id_):
        raise BadCall(f"{at}.id: {id_[:60]!r} is not a property's id")
    if verdict not in VERDICTS:
        raise BadCall(f"{at}.verdict: {verdict[:60]!r} is not one of {', '.join(VERDICTS)}")
    shown = data.get("counterexample")
    if shown is not None:
        there = f"{at}.counterexample"
        an_object(shown, there)
        for name, kind in (("script", dict), ("python", str), ("trace", list), ("before", list)):
            member(shown, name, kind, there)
    return Kept(id_, tier, verdict, message, shown if verdict == FAILS else None)


def one_suite(found: Iterable[Run]) -> str:
    """The suite's version that all of them were judged with. Raises BadCall if there are several."""
    places: dict[str, str] = {}
    for run in found:
        places.setdefault(run.suite, run.place)
    if len(places) > 1:
        told = ", ".join(f"{version} in {place}" for version, place in places.items())
        raise BadCall(f"verdicts of different versions of the suite cannot stand beside each other: {told}; "
                      "judge all of them again with one version")  # fmt: skip
    return next(iter(places), "")


def merged(found: Sequence[Run]) -> list[Run]:
    """One run for each target and version, in the order of their labels.

    Raises BadCall if two reports say something of the same property of the same harness, and not the same.
    """
    known: dict[tuple[str, str, str], Run] = {}
    for run in found:
        key = (run.target, run.name, run.version)
        known[key] = _both(known[key], run) if key in known else run
    return sorted(known.values(), key=lambda run: (run.label.casefold(), run.target, run.name))


def _both(one: Run, other: Run) -> Run:
    for id_ in one.verdicts.keys() & other.verdicts.keys():
        if one.verdicts[id_] != other.verdicts[id_]:
            raise BadCall(f"{id_} of {other.label} is one thing in {one.place} and another in {other.place}; "
                          "give one of the two files")  # fmt: skip
    differing = {
        name: " and ".join(dict.fromkeys([*getattr(one, name).split(" and "), getattr(other, name)]))
        for name in ("python", "hypothesis", "seed", "examples")
    }
    problem = "; ".join(dict.fromkeys(filter(None, (one.problem, other.problem))))
    return replace(one, verdicts={**one.verdicts, **other.verdicts}, problem=problem, **differing)


def told(ids: Sequence[str]) -> str:
    """Ids in a few words: rows of them as ranges, those that this suite does not know one by one."""
    known = load()
    ours, others = [id_ for id_ in ids if id_ in known], [id_ for id_ in ids if id_ not in known]
    return ", ".join(filter(None, [ranges(ours), *others]))
