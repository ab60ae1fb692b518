"""How soon a property catches a harness: the first failing example, without looking for a smaller one."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cache
from typing import Any

from grading.engine import Broke, Examiner, Failure, Found, draw
from grading.verdicts import Options
from properties.registry import Property, Stage, load


@dataclass(frozen=True)
class Catch:
    """The first failing script of one property: `example` counts from 1, explicit examples first.

    `owner` is the property that the failure is told for, "" if that is the property itself.
    """

    property: str
    example: int
    script: Any
    owner: str
    message: str


def first_catch(
    prop: Property, harness: Any, options: Options, *, explicit: bool = True, keep: bool = False
) -> Catch | None:
    """The first failure among the examples of a property, or None if all of them hold.

    None, too, where the property does not apply. With `explicit` off only draws are judged, with
    no examples in the options only explicit ones. What is drawn does not depend on the harness, so
    with `keep` it is drawn once and kept, for whoever judges many harnesses: the result is the same.
    Raises Broke for an error of ours.
    """
    examiner = Examiner(prop, harness, options)
    if prop.needs - examiner.harness.capabilities:
        return None
    count = 0
    for number, stage in examiner.in_force():
        fixed, draws = examiner.scripts(stage)
        for script in fixed if explicit else ():
            count += 1
            failure = examiner.once(stage, script)
            if failure is not None:
                return _catch(prop, count, failure)
        if not options.examples:
            continue
        if keep:
            found, count = _kept(examiner, number, stage, count)
        else:
            found, count = _drawn(examiner, number, stage, draws, count)
        if found is not None:
            return _catch(prop, count, found)
    return None


def _drawn(
    examiner: Examiner, number: int, stage: Stage, draws: Any, count: int
) -> tuple[Failure | None, int]:
    """The first failing draw, and how many examples have run by then."""
    found: list[Failure] = []

    def body(script: Any) -> None:
        nonlocal count
        if not found:
            count += 1
            failure = examiner.once(stage, script)
            if failure is not None:
                found.append(failure)
        if found:
            raise Found

    with contextlib.suppress(Found):
        draw(body, draws, examiner.options.examples, examiner.name(number), shrink=False)
    return (found[0] if found else None), count


def _kept(examiner: Examiner, number: int, stage: Stage, count: int) -> tuple[Failure | None, int]:
    """As `_drawn`, over scripts that were drawn once for all harnesses."""
    scripts = drawn(examiner.prop.id, number, examiner.options)
    for place, script in enumerate(scripts, count + 1):
        failure = examiner.once(stage, script)
        if failure is not None:
            return failure, place
    return None, count + len(scripts)


@cache
def drawn(id_: str, number: int, options: Options) -> tuple[Any, ...]:
    """The scripts that are drawn for one stage of a property, in order."""
    examiner = Examiner(load()[id_], None, options)
    scripts: list[Any] = []
    draws = examiner.scripts(examiner.prop.stages[number])[1]
    draw(scripts.append, draws, options.examples, examiner.name(number), shrink=False)
    return tuple(scripts)


def _catch(prop: Property, example: int, failure: Failure) -> Catch:
    owner = getattr(failure.why, "owner", "")
    return Catch(prop.id, example, failure.script, "" if owner == prop.id else owner, str(failure.why))


__all__ = ["Broke", "Catch", "first_catch"]
