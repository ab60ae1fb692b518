"""A whole check: which properties, one after the other or side by side, and the report."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace

from adapters.contract import Harness
from adapters.targets import file_of, kind_of, resolve
from grading.beyond import Known, beyond
from grading.fold import HANGS, fold, settled
from grading.isolation.ladder import Rung
from grading.judging import introduced, judged, unloaded
from grading.pool import one, pool
from grading.verdicts import FAILS, HOLDS, NOT_REACHED, Options, Report, Verdict
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
    heard = progress or (lambda *_: None)
    report = Report(target.text, harness.about.name, harness.about.version, options)
    try:
        fault = introduced(harness, report)
        if fault is not None:
            found.update((id_, unloaded(prop, harness, fault)) for id_, prop in properties.items())
        elif jobs > 1:
            _side_by_side(target, properties, options, jobs, heard, found)
        else:
            in_turn(harness, properties, options, found, progress=heard)
        report.verdicts = told(found, properties, options)
        if options.keep_going and fault is None:
            report.verdicts = _once_more(report.verdicts, harness, target, options, jobs, heard)
    except KeyboardInterrupt:
        report.problem, report.interrupted = "interrupted before all properties were judged", True
        report.verdicts = report.verdicts or told(found, properties, options, "interrupted")
    finally:
        harness.close()
    return report


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
        verdict = _skipped(prop) if skip else judged(prop, harness, options)
        progress(id_, done + 1, len(properties), verdict)
        found[id_] = verdict
    return True


def _side_by_side(target: Target, properties: Mapping[str, Property], options: Options, jobs: int,
                  progress: Progress, found: dict[str, Verdict]) -> None:  # fmt: skip
    waiting = list(properties)
    with pool(min(jobs, len(waiting))) as processes:
        running: dict[Future[Verdict], str] = {}
        while waiting or running:
            if _end(found, properties, options) is not None:
                waiting = []
            while waiting and len(running) < jobs:
                id_ = waiting.pop(0)
                if settled(id_, found, properties):
                    found[id_] = _skipped(properties[id_])
                    continue
                running[processes.submit(one, target, id_, options)] = id_
                progress(id_, len(found), len(properties), None)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                id_ = running.pop(future)
                verdict = future.result()
                progress(id_, len(found) + 1, len(properties), verdict)
                found[id_] = verdict


def _once_more(verdicts: list[Verdict], harness: Harness, target: Target, options: Options, jobs: int,
               progress: Progress) -> list[Verdict]:  # fmt: skip
    """The verdicts after a look past what fails, in turn or side by side."""
    total = len(verdicts)

    def in_order(ids: list[str], known: Known) -> Iterator[Verdict]:
        for id_ in ids:
            progress(id_, total, total, None)
            yield judged(load()[id_], harness, options, known)

    def at_once(ids: list[str], known: Known) -> Iterator[Verdict]:
        with pool(min(jobs, len(ids))) as processes:
            running = [processes.submit(one, target, id_, options, known) for id_ in ids]
            for id_, future in zip(ids, running, strict=True):
                progress(id_, total, total, None)
                yield future.result()

    return beyond(verdicts, load(), at_once if jobs > 1 else in_order)
