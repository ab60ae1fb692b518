"""A whole check: which properties, one after the other or side by side, and the report."""

from __future__ import annotations

import difflib
import fnmatch
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import lru_cache

from adapters.contract import Harness, HarnessFault
from adapters.targets import file_of, kind_of, resolve
from grading.engine import examine
from grading.fold import HANGS, fold, settled
from grading.isolation.ladder import Rung
from grading.verdicts import FAILS, HOLDS, NOT_REACHED, Options, Report, Verdict, steady
from properties.registry import Property, Tier, load

Progress = Callable[[str, int, int, Verdict | None], None]


@dataclass(frozen=True)
class Target:
    """What is to be checked and how it is reached.

    `isolation` is the rung that a file is judged on, `root` the folder that comes along with it. `validate`
    has every line of a command checked against its schema.
    """

    text: str
    lesson: int = 6
    app_dir: str | None = None
    isolation: Rung | None = None
    root: str | None = None
    validate: bool = False

    def open(self) -> Harness:
        """The harness; raises Unusable if there is none."""
        if self.isolation is not None:
            return self.isolation.open(file_of(self.text), lesson=self.lesson, root=self.root)
        return resolve(self.text, lesson=self.lesson, app_dir=self.app_dir, validate=self.validate)


def default_tier(target: str) -> Tier:
    """`course` for a student's file, `field` for everything else."""
    return Tier.COURSE if kind_of(target) == "file" else Tier.FIELD


def selected(options: Options) -> dict[str, Property]:
    """The properties of the tiers in force whose ids match `only`, in the catalogue's order.

    Raises ValueError if a pattern matches nothing, or nothing of the tiers in force.
    """
    known = load()
    for pattern in options.only:
        matched = fnmatch.filter(known, pattern)
        if not matched:
            raise ValueError(f"no property is called {pattern!r}{_near(pattern, known)}; "
                             "`harness-props list` shows them all")  # fmt: skip
        first = min(known[id_].tier for id_ in matched)
        if first > options.tier:
            raise ValueError(f"{pattern!r} is of the tier {first.word}, and only "
                             f"{Tier(options.tier).word} is asked for; add --tier {first.word}")  # fmt: skip
    return {
        id_: prop
        for id_, prop in known.items()
        if prop.tier <= options.tier
        and (not options.only or any(fnmatch.fnmatchcase(id_, p) for p in options.only))
    }


def _near(pattern: str, known: Iterable[str]) -> str:
    """The ids and chapters that look like this pattern, in words; "" if none does."""
    ids = list(known)
    chapters = [f"{chapter}-*" for chapter in dict.fromkeys(id_.partition("-")[0] for id_ in ids)]
    near = difflib.get_close_matches(pattern, [*chapters, *ids], 4, 0.6)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def check(target: Target, options: Options, *, jobs: int = 1, progress: Progress | None = None,
          harness: Harness | None = None) -> Report:  # fmt: skip
    """Judge every selected property on one target and fold the verdicts into a report.

    `harness` is the target if it is open already; it is closed here.

    `progress` hears the id under way, how many are done, how many there are, and each verdict
    as it is found. Raises Unusable if there is no such target. After KeyboardInterrupt the
    report holds what was found until then and says that it was interrupted.
    """
    properties = selected(options)
    harness = harness or target.open()
    found: dict[str, Verdict] = {}
    report = Report(target.text, harness.about.name, harness.about.version, options)
    try:
        fault = introduced(harness, report)
        if fault is not None:
            found.update((id_, unloaded(prop, harness, fault)) for id_, prop in properties.items())
        elif jobs > 1:
            _side_by_side(target, properties, options, jobs, progress or (lambda *_: None), found)
        else:
            in_turn(harness, properties, options, found, progress=progress or (lambda *_: None))
    except KeyboardInterrupt:
        report.problem, report.interrupted = "interrupted before all properties were judged", True
    finally:
        harness.close()
    why = "interrupted" if report.interrupted else ""
    report.verdicts = told(found, properties, options, why)
    return report


def introduced(harness: Harness, report: Report | None = None) -> HarnessFault | None:
    """Ask the harness what it is before anything is judged; the fault if it cannot say.

    Probes leave nothing behind: the first property meets a fresh harness, as every other does.
    """
    try:
        capabilities, policies = tuple(sorted(harness.capabilities)), dict(harness.policies)
    except HarnessFault as fault:
        return fault
    except Exception:
        return None  # an adapter that breaks: each property meets it and says so
    finally:
        harness.restart()
    if report is not None:
        report.capabilities, report.policies = capabilities, policies
    return None


def unloaded(prop: Property, harness: Harness, fault: HarnessFault) -> Verdict:
    """The verdict on any property of a harness that does not get as far as being judged."""
    return Verdict(prop.id, prop.tier.word, FAILS, not_loading(harness, fault), key=fault.key or "unloadable")


def not_loading(harness: Harness, fault: HarnessFault) -> str:
    """In a sentence, why a harness does not get as far as being judged."""
    return steady(str(fault) if fault.key else f"{harness.about.name} does not load: {fault}")


def _skipped(prop: Property) -> Verdict:
    """Stands for a property that need not be run; folding makes it *not reached*."""
    return Verdict(prop.id, prop.tier.word, HOLDS)


def _end(found: Mapping[str, Verdict], properties: Mapping[str, Property], options: Options) -> int | None:
    """How many properties, from the first on, end the check: at three hangs, or the first
    failure with -x. None as long as what is known without a gap does not end it.
    """
    prefix: dict[str, Verdict] = {}
    for count, id_ in enumerate(properties, 1):
        if id_ not in found:
            return None
        prefix[id_] = found[id_]
        if found[id_].verdict != FAILS or not (options.stop_at_first or found[id_].hung):
            continue
        clear = [v for v in prefix.values() if v.verdict == FAILS and not settled(v.id, prefix, properties)]
        hangs = sum(v.hung for v in clear)
        if hangs >= HANGS or (options.stop_at_first and any(not (v.owner or v.blame) for v in clear)):
            return count
    return None


def told(
    found: Mapping[str, Verdict], properties: Mapping[str, Property], options: Options, cut_short: str = ""
) -> list[Verdict]:
    """What is reported of what was found: the same whichever way it was found.

    `cut_short` says why properties are missing, if it was not the check that ended itself. Side by
    side more is run than in turn; what would not have been run in turn is not told.
    """
    judged = {id_: found[id_] for id_ in list(properties)[: _end(found, properties, options)] if id_ in found}
    single = []
    for id_, prop in properties.items():
        if id_ not in judged:
            single.append(Verdict(id_, prop.tier.word, NOT_REACHED))
        elif settled(id_, judged, properties):
            single.append(_skipped(prop))
        else:
            single.append(judged[id_])
    folded = fold(single, properties, stop_at_first=options.stop_at_first)
    failing = [v.id for v in folded if v.verdict == FAILS]
    if options.stop_at_first and failing:
        why = f"stopped at the first failure, {failing[0]}"
    else:
        why = cut_short or f"{HANGS} properties hung before this one"
    return [replace(v, message=why) if v.verdict == NOT_REACHED and not v.message else v for v in folded]


def _judged(prop: Property, harness: Harness, options: Options) -> Verdict:
    """Judge one property on a fresh harness; `seconds` counts its processes, too."""
    harness.restart()
    before = _cpu_seconds()
    verdict = examine(prop, harness, options)
    harness.restart()  # ends the harness's process, whose time is counted from then on
    return replace(verdict, seconds=_cpu_seconds() - before)


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def in_turn(harness: Harness, properties: Mapping[str, Property], options: Options,
            found: dict[str, Verdict], *, progress: Progress = lambda *_: None,
            going_on: Callable[[str], bool] = lambda _: True) -> bool:  # fmt: skip
    """Judge one property after the other into `found`; what is there already is not judged again.

    Ends before the first property for which `going_on` says no; returns whether the check is
    done, because no property is left or none is reached any more.
    """
    for done, (id_, prop) in enumerate(properties.items()):
        if _end(found, properties, options) is not None:
            return True
        if id_ in found:
            continue
        if not going_on(id_):
            return False
        progress(id_, done, len(properties), None)
        skip = settled(id_, found, properties)
        verdict = _skipped(prop) if skip else _judged(prop, harness, options)
        progress(id_, done + 1, len(properties), verdict)
        found[id_] = verdict
    return True


def _quiet() -> None:
    """In a process of the pool: the parent alone hears Ctrl-C, and ends this one with SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)


def _leave(*_: object) -> None:
    for harness in _held:
        harness.close()
    os._exit(1)


_held: list[Harness] = []


@lru_cache(maxsize=4)
def _opened(target: Target) -> Harness:
    harness = target.open()
    _held.append(harness)
    introduced(harness)
    return harness


def _one(target: Target, id_: str, options: Options) -> Verdict:
    """Judge one property in a process of the pool; each begins with a fresh harness."""
    return _judged(load()[id_], _opened(target), options)


def _side_by_side(target: Target, properties: Mapping[str, Property], options: Options, jobs: int,
                  progress: Progress, found: dict[str, Verdict]) -> None:  # fmt: skip
    waiting = list(properties)
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(min(jobs, len(waiting)), mp_context=context, initializer=_quiet) as pool:
        running: dict[Future[Verdict], str] = {}
        try:
            while waiting or running:
                if _end(found, properties, options) is not None:
                    waiting = []
                while waiting and len(running) < jobs:
                    id_ = waiting.pop(0)
                    if settled(id_, found, properties):
                        found[id_] = _skipped(properties[id_])
                        continue
                    running[pool.submit(_one, target, id_, options)] = id_
                    progress(id_, len(found), len(properties), None)
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    id_ = running.pop(future)
                    verdict = future.result()
                    progress(id_, len(found) + 1, len(properties), verdict)
                    found[id_] = verdict
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()
            raise
