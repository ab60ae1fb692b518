"""A whole check: which properties, one after the other or side by side, and the report."""

from __future__ import annotations

import fnmatch
import multiprocessing
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache

from adapters.contract import Harness, HarnessFault
from adapters.targets import kind_of, resolve
from grading.engine import examine
from grading.fold import fold, settled
from grading.verdicts import FAILS, HOLDS, Options, Report, Verdict
from properties.registry import Property, Tier, load

Progress = Callable[[str, int, int, Verdict | None], None]


@dataclass(frozen=True)
class Target:
    """What is to be checked and how it is reached."""

    text: str
    lesson: int = 6
    app_dir: str | None = None

    def open(self) -> Harness:
        """The harness; raises Unusable if there is none."""
        return resolve(self.text, lesson=self.lesson, app_dir=self.app_dir)


def default_tier(target: str) -> Tier:
    """`course` for a student's file, `field` for everything else."""
    return Tier.COURSE if kind_of(target) == "file" else Tier.FIELD


def selected(options: Options) -> dict[str, Property]:
    """The properties of the tiers in force whose ids match `only`, in the catalogue's order.

    Raises ValueError if a pattern matches nothing.
    """
    known = load()
    for pattern in options.only:
        if not fnmatch.filter(known, pattern):
            raise ValueError(f"no property is called {pattern!r}; `harness-props list` shows them all")
    return {
        id_: prop
        for id_, prop in known.items()
        if prop.tier <= options.tier
        and (not options.only or any(fnmatch.fnmatchcase(id_, p) for p in options.only))
    }


def check(target: Target, options: Options, *, jobs: int = 1, progress: Progress | None = None) -> Report:
    """Judge every selected property on one target and fold the verdicts into a report.

    `progress` hears the id under way, how many are done, how many there are, and each verdict
    as it is found. Raises Unusable if there is no such target.
    """
    properties = selected(options)
    harness = target.open()
    try:
        seen = _side_by_side if jobs > 1 else _in_turn
        found = seen(target, harness, properties, options, jobs, progress or (lambda *_: None))
        verdicts = fold([found[i] for i in properties], properties, stop_at_first=options.stop_at_first)
        report = Report(target.text, harness.about.name, harness.about.version, options, verdicts)
        try:
            report.capabilities = tuple(sorted(harness.capabilities))
            report.policies = dict(harness.policies)
        except HarnessFault:
            pass  # it does not load: the verdicts say so
        return report
    finally:
        harness.close()


def _skipped(prop: Property) -> Verdict:
    """Stands for a property that need not be run; folding makes it *not reached*."""
    return Verdict(prop.id, prop.tier.word, HOLDS)


def _ends_early(found: Mapping[str, Verdict], ids: Iterable[str], options: Options) -> bool:
    """True if what was found, in order, already ends the check."""
    failed = [found[i] for i in ids if i in found and found[i].verdict == FAILS]
    hangs = sum(v.hung for v in failed)
    clear = [v for v in failed if not (v.owner or v.blame)]
    return hangs >= 3 or bool(options.stop_at_first and clear)


def _in_turn(target: Target, harness: Harness, properties: Mapping[str, Property], options: Options,
             jobs: int, progress: Progress) -> dict[str, Verdict]:  # fmt: skip
    found: dict[str, Verdict] = {}
    for done, (id_, prop) in enumerate(properties.items()):
        progress(id_, done, len(properties), None)
        if settled(id_, found, properties) or _ends_early(found, properties, options):
            found[id_] = _skipped(prop)
            continue
        harness.restart()
        found[id_] = examine(prop, harness, options)
        progress(id_, done + 1, len(properties), found[id_])
    return found


@lru_cache(maxsize=4)
def _opened(target: Target) -> Harness:
    return target.open()


def _one(target: Target, id_: str, options: Options) -> Verdict:
    """Judge one property in a process of the pool; each begins with a fresh harness."""
    harness = _opened(target)
    harness.restart()
    try:
        return examine(load()[id_], harness, options)
    finally:
        harness.restart()


def _side_by_side(target: Target, harness: Harness, properties: Mapping[str, Property], options: Options,
                  jobs: int, progress: Progress) -> dict[str, Verdict]:  # fmt: skip
    found: dict[str, Verdict] = {}
    waiting = list(properties)
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        running: dict[Future[Verdict], str] = {}
        while waiting or running:
            while waiting and len(running) < jobs:
                id_ = waiting.pop(0)
                if settled(id_, found, properties) or _ends_early(found, properties, options):
                    found[id_] = _skipped(properties[id_])
                    continue
                running[pool.submit(_one, target, id_, options)] = id_
                progress(id_, len(found), len(properties), None)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                id_ = running.pop(future)
                found[id_] = future.result()
                progress(id_, len(found), len(properties), found[id_])
    return found
