"""Clusters: students who fail the same property at the same first bad step.

The step is normalised, since shrinking ends at the second request for one student and at the
third for another. Where a property names no step, the shape of its message stands in for it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.batch.record import Judged, Result
from grading.html.clean import LINE, MESSAGE, one_line
from grading.verdicts import FAILS
from properties.registry import position

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
UNSHOWN = 10**9  # the size of a script that is not there: any other is smaller

Member = tuple[int, str, int]  # place in the results, shape of the message, size of the script


@dataclass(frozen=True)
class Cluster:
    """Students with one failure. `members` are places in the list of results, in its order.

    `chosen` is the member whose counterexample stands for all: of the most frequent message
    shape, the smallest script. `ways` counts the different shapes of message.
    """

    property: str
    step: str
    named: bool  # the property names a step; else `step` is the shape of the message
    members: tuple[int, ...]
    chosen: int
    ways: int


def normal_step(step: str) -> str:
    """The step in words that do not depend on how far a script was shrunk."""
    if step == "request 1":
        return "the first request"
    if re.fullmatch(r"request \d+", step):
        return "a request after the first"
    if re.fullmatch(r"prompt \d+, request \d+", step):  # the first prompt is not named
        return "a request of a later prompt"
    if re.fullmatch(r"end of prompt \d+", step):
        return "the end of a prompt"
    if re.fullmatch(r"(prompt \d+, )?tool .* run after request \d+", step, re.DOTALL):
        return "a tool run"
    return _NUMBER.sub("N", _QUOTED.sub("'…'", one_line(step)))


def message_shape(message: str) -> str:
    """The message without the values that a draw happened to hold."""
    return _NUMBER.sub("N", _QUOTED.sub("'…'", one_line(message[:MESSAGE], LINE * 2)))


def clusters(results: Sequence[Result]) -> list[Cluster]:
    """All clusters, the largest first, then in the catalogue's order."""
    held: dict[tuple[str, str, bool], list[Member]] = {}
    for place, verdict in _failures(results):
        known = verdict.counterexample or {}
        step = normal_step(str(known.get("step", "")))
        shape = message_shape(verdict.message)
        size = len(str(known.get("python", ""))) or UNSHOWN
        held.setdefault((verdict.id, step or shape, bool(step)), []).append((place, shape, size))
    found = [_cluster(*key, members) for key, members in held.items()]
    return sorted(found, key=lambda c: (-len(c.members), order(c.property), c.step))


def order(id_: str) -> tuple[int, int, str]:
    """Where a property stands in the catalogue; ids that it does not know come last."""
    try:
        return (*position(id_), "")
    except ValueError:
        return (sys.maxsize, 0, id_)


def _failures(results: Sequence[Result]) -> Iterator[tuple[int, Judged]]:
    for place, result in enumerate(results):
        for verdict in result.verdicts:
            if verdict.verdict == FAILS:
                yield place, verdict


def _cluster(id_: str, step: str, named: bool, members: list[Member]) -> Cluster:
    often = Counter(shape for _, shape, _ in members)
    chosen = min(members, key=lambda member: (-often[member[1]], member[2], member[0]))
    return Cluster(id_, step, named, tuple(place for place, _, _ in members), chosen[0], len(often))
