"""A run: round after round over all properties with fresh seeds, every group of failures made small."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from adapters.contract import HarnessFault, Hung
from grading.engine import Broke, Failure
from grading.fuzz.corpus import Corpus
from grading.fuzz.explorer import Explorer, OutOfTime, Sighting
from grading.fuzz.groups import Group
from grading.fuzz.journal import Finding, Journal, State
from grading.verdicts import FAILS, Options, Verdict, steady
from properties.checks import Violation
from properties.registry import Property, load, position
from strategies.printing import from_json

ROUND = 100  # scripts of a stage in one round, as many as a check draws


class Watcher(Protocol):
    """Whoever looks on."""

    def at(self, property_: str, number: int) -> None:
        """A property is looked at in a round, counted from 1."""

    def script(self) -> None:
        """A script was judged."""

    def found(self, finding: Finding) -> None:
        """A group of failures was seen for the first time, or its smallest script is known."""


@dataclass
class Session:
    """One run on one open harness. `known` are the groups of a baseline, which need not be made small."""

    harness: Any
    properties: Mapping[str, Property]
    options: Options
    corpus: Corpus
    journal: Journal
    state: State
    watcher: Watcher
    over: Callable[[], bool] = lambda: False
    most: int | None = None  # scripts that are drawn for each stage, in all rounds
    known: frozenset[str] = frozenset()
    _met: set[str] = field(default_factory=set)  # properties that have played their part of the corpus

    def run(self) -> bool:
        """Go on until all is drawn that was asked for (True) or the time is over (False)."""
        try:
            for finding in list(self.state.findings.values()):
                self._small(finding, _sighting(finding))
            for number, examples in self._rounds():
                waiting: list[tuple[Finding, Sighting]] = []
                for prop in self._left(number, examples):
                    waiting += self._sweep(prop, number, examples)
                for finding, sighting in waiting:
                    self._small(finding, sighting)
        except OutOfTime:
            return False
        return True

    def _rounds(self) -> Iterator[tuple[int, int]]:
        """Each round, with how many scripts are drawn in it."""
        for number in itertools.count():
            examples = ROUND if self.most is None else min(ROUND, self.most - number * ROUND)
            settled = {*self.state.not_applicable, *self.state.errors}
            if examples < 1 or not set(self.properties) - settled:
                return
            yield number, examples

    def _left(self, number: int, examples: int) -> Iterator[Property]:
        for id_, prop in self.properties.items():
            settled = id_ in self.state.not_applicable or id_ in self.state.errors
            if not settled and self.state.swept.get((id_, number), 0) < examples:
                yield prop

    # -- one property in one round -------------------------------------------------------------

    def _sweep(self, prop: Property, number: int, examples: int) -> list[tuple[Finding, Sighting]]:
        """Look for failures of one property, make them small, and return those that others may explain."""
        self.watcher.at(prop.id, number + 1)
        options = replace(self.options, seed=self.state.run["seed"] + number, examples=examples)
        self.harness.restart()
        explorer = Explorer(prop, self.harness, options, self.over)
        kept = self.corpus if prop.id not in self._met else None
        self._met.add(prop.id)
        fresh: list[tuple[Finding, Sighting]] = []
        why = ""

        def sighted(sighting: Sighting) -> None:
            before = self.state.known(sighting.group)
            if before is not None and (before.draw or not sighting.draw):
                return
            finding = Finding(sighting.group, explorer.told(sighting), options.seed, sighting.draw, examples)
            if before is None:
                self._keep(finding)
            fresh.append((finding, sighting))

        try:
            why = explorer.inapplicable()
            if not why:
                explorer.sweep(
                    lambda stage: kept.of(prop.id, stage, options.lesson) if kept else (),
                    explicit=not number, sighted=sighted, heard=self.watcher.script,
                )  # fmt: skip
                why = explorer.unplayable()
            for finding, sighting in fresh:
                if not finding.group.root:
                    self._small(finding, sighting)
        except HarnessFault as fault:  # before any script was played
            self._keep(_unplayed(prop, fault))
        except Broke as broke:
            self._broke(prop, broke)
            return []
        if why:
            self.state.not_applicable[prop.id] = why
        self.state.swept[prop.id, number] = examples
        self.state.scripts += explorer.examples
        self.journal.swept(prop.id, number, examples, explorer.examples, why)
        return [(finding, sighting) for finding, sighting in fresh if finding.group.root]

    def _broke(self, prop: Property, broke: Broke) -> None:
        self.state.errors[prop.id] = steady(str(broke))
        self.journal.broke(prop.id, self.state.errors[prop.id])

    def _keep(self, finding: Finding, *, of: Group | None = None) -> None:
        self.state.add(finding, of=of)
        self.journal.found(finding, of=of)
        self.watcher.found(finding)

    def _small(self, finding: Finding, sighting: Sighting | None) -> None:
        """Look for a group's smallest script, unless it is known or follows from another finding."""
        if finding.whole or sighting is None or finding.id in self.known or self._follows(finding):
            return
        prop = self.properties.get(finding.verdict.id) or load()[finding.verdict.id]
        self.harness.restart()
        options = replace(self.options, seed=finding.seed, examples=finding.examples)
        try:
            verdict, whole = Explorer(prop, self.harness, options, self.over).smallest(sighting)
        except Broke as broke:
            self._broke(prop, broke)
            return
        made = finding.judged(verdict, whole=whole)
        same = self._same(made)
        if same is not None and same.size <= made.size and (same.whole or not made.whole):
            place = same if same.draw else made
            made = replace(same, seed=place.seed, draw=place.draw, examples=place.examples)
        self._keep(made, of=finding.group)
        if made.verdict.counterexample is not None and made.whole:
            self.corpus.keep(made.verdict.counterexample)

    def _same(self, made: Finding) -> Finding | None:
        """A finding that there is, of the same group or with the same script for the same claim."""
        for one in self.state.findings.values():
            if one.group == made.group or (one.whole and _claim(one) == _claim(made)):
                return one
        return None

    def _follows(self, finding: Finding) -> bool:
        root = finding.group.root
        return bool(root) and any(f.law == root for f in self.state.findings.values())


def _claim(finding: Finding) -> tuple[Any, ...]:
    known = finding.verdict.counterexample
    return (known.property, known.stage, known.python, known.before) if known else (finding.id,)


def _unplayed(prop: Property, fault: HarnessFault) -> Finding:
    verdict = Verdict(prop.id, prop.tier.word, FAILS, steady(str(fault)), key=fault.key)
    return Finding(Group("", fault.key or steady(str(fault))), verdict, whole=True)


def _sighting(finding: Finding) -> Sighting | None:
    """The first failure of a finding that an earlier run wrote down; None if it had no script."""
    known = finding.verdict.counterexample
    if known is None:
        return None
    why = Hung(known.message) if finding.verdict.hung else Violation(known.message, known.step)
    failure = Failure(from_json(known.script), why, known.trace, 0)
    return Sighting(finding.group, known.stage, failure, finding.draw, tuple(map(from_json, known.before)))


def told(state: State) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """What is told as a finding, in the catalogue's order, and what follows from which property."""
    alone = {f.law for f in state.findings.values() if not f.group.root}
    ids = {f.id for f in state.findings.values() if not f.group.root}
    shown: list[Finding] = []
    following: dict[str, list[Finding]] = {}
    every = state.findings.values()
    for finding in sorted(every, key=lambda f: (position(f.law), bool(f.group.root), f.id)):
        root = finding.group.root
        if root in alone:
            following.setdefault(root, []).append(finding)
        elif finding.id not in ids or not root:
            shown.append(finding)
            ids.add(finding.id)
    return shown, following
