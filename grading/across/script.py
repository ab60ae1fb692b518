"""The one script that is compared, out of a file, and the readings that judge it."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grading.cases import Case, an_object, cases_of, read, script_of
from grading.leave import BadCall
from properties.registry import load
from strategies.script import Conversation


@dataclass(frozen=True)
class Asked:
    """What is played: the script, what comes before it, and a case for each reading that judges it."""

    script: Any
    before: tuple[Any, ...] = ()
    lesson: int = 6
    cases: tuple[Case, ...] = ()


def asked(file: str, patterns: tuple[str, ...] = ()) -> Asked:
    """The script in a file, judged by the properties that match, or that the file names.

    A counterexample, a report with one of them, a bare script and an object with a `script` in it will do.
    Raises BadCall saying which place cannot be used and what to do.
    """
    data = read(file)
    named: tuple[str, ...] = ()
    if isinstance(data, dict) and "schema" not in data and "script" in data:
        also = data.get("also")
        named = tuple(id_ for id_ in [data.get("property"), *(also if isinstance(also, list) else ())]
                      if isinstance(id_, str))  # fmt: skip
        data = an_object(data["script"], f"{file}: script")
    if isinstance(data, dict) and "schema" not in data:
        return _bare(file, data, patterns or named)
    return _shown(file, cases_of(data, file, ""), patterns)


def _bare(file: str, data: dict[str, Any], patterns: Iterable[str]) -> Asked:
    script = script_of(data, file)
    ids = [id_ for pattern in patterns for id_ in _matching(pattern)]
    if not ids and not isinstance(script, Conversation):
        raise BadCall(f"{file}: a {type(script).__name__} is played only by a property that judges it; "
                      "add --property ID")  # fmt: skip
    cases = [Case(id_, "", 6, stage, id_, script, ())
             for id_ in dict.fromkeys(ids) for stage in load()[id_].stages]  # fmt: skip
    return Asked(script, cases=tuple(cases))


def _matching(pattern: str) -> list[str]:
    found = fnmatch.filter(load(), pattern)
    if not found:
        raise BadCall(f"no property is called {pattern!r}; `harness-props list` shows them all")
    return found


def _shown(file: str, found: list[Case], patterns: tuple[str, ...]) -> Asked:
    """One counterexample with the reading that it names."""
    cases = [case for case in found if not patterns or case.wanted(patterns)]
    if not cases:
        which = f" of {', '.join(patterns)}" if found and patterns else ""
        raise BadCall(f"{file}: holds no counterexample{which}, so that there is nothing to play")
    first = cases[0]
    if any((case.script, case.before) != (first.script, first.before) for case in cases):
        ids = ", ".join(dict.fromkeys(case.id for case in cases))
        raise BadCall(f"{file}: holds {len(cases)} counterexamples ({ids}), and one script is compared; "
                      "pick one with --property ID")  # fmt: skip
    readings = {(case.judged_by, case.stage.sentence): case for case in cases}
    return Asked(first.script, first.before, first.lesson, tuple(readings.values()))
