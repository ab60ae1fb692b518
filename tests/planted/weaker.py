"""Strategies made weaker on purpose: what draws still catch, and what goes uncaught.

Each way takes one thing out of what is drawn, as if nobody had thought of it, and leaves the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from grading.hunt import first_catch
from grading.verdicts import Options
from properties.registry import FIELD, Property, load
from strategies.script import Call, Conversation, Cut, Desk, Paging, Reply
from tests.miniatures.planting import Miniature

Weaker = Callable[[Any], Any]


def everywhere(value: Any, change: Weaker) -> Any:
    """The value with `change` applied to each part of it, innermost first."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: everywhere(getattr(value, f.name), change) for f in fields(value)}
        return change(replace(value, **parts))
    if isinstance(value, tuple):
        return tuple(everywhere(part, change) for part in value)
    if isinstance(value, dict):
        return {key: everywhere(part, change) for key, part in value.items()}
    return change(value)


def one_ending(script: Any) -> Any:
    """Every line of a text ends in a line feed."""

    def plain(part: Any) -> Any:
        if not isinstance(part, str) or len(part.splitlines()) == part.count("\n"):
            return part
        return "".join(line + "\n" for line in part.splitlines())

    return everywhere(script, plain)


def honest_labels(script: Any) -> Any:
    """A reply's label follows from what it holds."""

    def honest(part: Any) -> Any:
        if not isinstance(part, Reply) or part.failed:
            return part
        return replace(part, label="toolUse" if part.calls else "stop")

    return everywhere(script, honest)


def unique_ids(script: Any) -> Any:
    """No two calls of a script have one id."""
    numbers = itertools.count(1)
    return everywhere(script, lambda p: replace(p, id=f"u{next(numbers)}") if isinstance(p, Call) else p)


def no_edges(script: Any) -> Any:
    """No text comes near its byte budget: each fits with room to spare."""

    def roomy(part: Any) -> Any:
        if isinstance(part, (Cut, Paging, Desk)) and part.max_bytes is not None:
            return replace(part, max_bytes=100_000)
        return part

    return everywhere(script, roomy)


def one_prompt(script: Any) -> Any:
    """A conversation has one prompt."""
    return everywhere(
        script, lambda p: replace(p, prompts=p.prompts[:1]) if isinstance(p, Conversation) else p
    )


WAYS: Mapping[str, Weaker] = {
    "endings": one_ending, "labels drawn independently": honest_labels, "ids repeated": unique_ids,
    "budget edges": no_edges, "several prompts": one_prompt,
}  # fmt: skip


def weakened(prop: Property, way: Weaker) -> Property:
    """The property with weaker draws at every stage."""
    stages = [replace(s, draws=s.draws.map(way) if s.draws is not None else None) for s in prop.stages]
    return replace(prop, stages=stages)


def uncaught(
    bugs: Iterable[Miniature], way: Weaker | None = None, examples: int = 100, seeds: Iterable[int] = (0,)
) -> list[str]:
    """The bugs that the draws of the property they name miss with one of these seeds at least."""
    missed = []
    for bug in bugs:
        prop = load()[bug.property]
        prop = weakened(prop, way) if way else prop
        options = [Options(tier=FIELD, examples=examples, seed=seed) for seed in seeds]
        harness = bug.harness()
        if any(first_catch(prop, harness, o, explicit=False) is None for o in options):
            missed.append(bug.name)
    return missed
