"""Counterexamples out of files: what `check --json` wrote, or one counterexample by itself."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading import formats
from grading.leave import BadCall
from grading.verdicts import FAILS
from grading.verdicts import SCHEMA as ONE
from properties.registry import Stage, load
from strategies.printing import MalformedScript, from_json

# What holds several counterexamples, and the member that lists what they belong to.
LISTS = {formats.SCHEMA: "properties", formats.FUZZ: "findings", formats.BASELINE: "entries"}


@dataclass(frozen=True)
class Case:
    """One counterexample that can be played. `id` is the property that it was reported for."""

    id: str
    target: str
    lesson: int
    stage: Stage
    judged_by: str
    script: Any
    before: tuple[Any, ...]

    def wanted(self, only: tuple[str, ...]) -> bool:
        """Whether one of the patterns names it, or the property that judges it."""
        return any(fnmatch.fnmatchcase(id_, p) for p in only for id_ in (self.id, self.judged_by))


def cases(file: str, target: str | None) -> list[Case]:
    """All counterexamples in the file. Raises BadCall naming the place that cannot be used."""
    return cases_of(read(file), file, target)


def cases_of(data: Any, file: str, target: str | None) -> list[Case]:
    """All counterexamples in what a file holds, to be played on `target` or on what the file names."""
    found: list[Case] = []
    unplayable = 0
    for where, part in objects(data):
        at = f"{file}: {where}" if where else file
        schema = an_object(part, at).get("schema")
        if schema == ONE:
            if target is None:
                raise BadCall(f"{at}: a counterexample does not say on what to play it; add --target TARGET")
            found.append(case_of(part, at, target))
        elif schema in LISTS:
            held = LISTS[schema]
            for place, entry in enumerate(member(part, held, list, at)):
                here = f"{at}: {held}[{place}]"
                shown = an_object(entry, here).get("counterexample")
                if shown is None:
                    unplayable += entry.get("verdict") == FAILS
                    continue
                on = target if target is not None else member(part, "target", str, at)
                there = f"{here}.counterexample"
                found.append(case_of(an_object(shown, there), there, on, entry.get("id")))
        else:
            known = ", ".join(map(repr, (ONE, *LISTS)))
            raise BadCall(f"{at}: its schema is {schema!r}; replay reads {known}")
    if unplayable and not found:
        raise BadCall(f"{file}: what fails there fails without a script, so that there is nothing to play; "
                      "use harness-props check")  # fmt: skip
    return found


def read(file: str) -> Any:
    """The JSON in a file. Raises BadCall naming the place that is wrong."""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadCall(f"{file}: cannot be read, {error.strerror or error}") from error
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise BadCall(f"{file}: not JSON: {error.msg} at {at}") from error
    except (ValueError, RecursionError) as error:
        raise BadCall(f"{file}: not JSON: {error}") from error


def objects(data: Any) -> Iterator[tuple[str, Any]]:
    """The only object, or each of an array, with its place in the file."""
    if isinstance(data, list):
        yield from ((f"[{i}]", part) for i, part in enumerate(data))
    else:
        yield "", data


def an_object(data: Any, at: str) -> dict[str, Any]:
    """The data itself. Raises BadCall if it is no object."""
    if not isinstance(data, dict):
        raise BadCall(f"{at}: here should be an object, not {kind_word(data)}")
    return data


def case_of(data: dict[str, Any], at: str, target: str, id_: Any = None) -> Case:
    """What can be played of a counterexample. Raises BadCall naming the member that is wrong."""
    named = member(data, "property", str, at)
    known = load().get(named)
    if known is None:
        raise BadCall(f"{at}.property: there is no property {named!r}; `harness-props list` shows them all")
    stage = member(data, "stage", int, at)
    if not 0 <= stage < len(known.stages):
        raise BadCall(f"{at}.stage: {named} has no stage {stage}; it has 0 to {len(known.stages) - 1}")
    lesson = data.get("lesson", 6)
    if lesson not in (3, 6):
        raise BadCall(f"{at}.lesson: {lesson!r} is not 3 or 6")
    earlier = member({"before": [], **data}, "before", list, at)
    script = script_of(member(data, "script", dict, at), f"{at}.script")
    before = tuple(script_of(part, f"{at}.before[{i}]") for i, part in enumerate(earlier))
    told = id_ if isinstance(id_, str) else named
    return Case(told, target, lesson, known.stages[stage], named, script, before)


def member(data: dict[str, Any], name: str, kind: type, at: str) -> Any:
    """A member of an object. Raises BadCall if it is not there, or of another kind."""
    if name not in data:
        raise BadCall(f"{at}: lacks {name!r}")
    if not isinstance(data[name], kind) or isinstance(data[name], bool):
        raise BadCall(f"{at}.{name}: here should be {_NAMES[kind]}, not {kind_word(data[name])}")
    return data[name]


_NAMES: dict[type, str] = {dict: "an object", list: "an array", str: "a text", int: "a whole number",
                           bool: "true or false", float: "a number", type(None): "null"}  # fmt: skip


def kind_word(value: Any) -> str:
    """What a value is called where JSON is spoken of."""
    return _NAMES.get(type(value), type(value).__name__)


def script_of(data: Any, where: str) -> Any:
    """The script, with every field of the kind that `strategies.script` declares."""
    try:
        script = from_json(data, where)
        if not dataclasses.is_dataclass(script):
            raise MalformedScript(f"{where}: here should be a script, but this object has no kind")
        fit(script, type(script), where)
    except MalformedScript as error:
        raise BadCall(str(error)) from error
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        raise BadCall(f"{where}: cannot be read back: {type(error).__name__}: {error}") from error
    return script


def fit(value: Any, hint: Any, where: str) -> None:
    """Raise MalformedScript unless the value, and all in it, is what the type hint says."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        rooms = [h for h in inner if isinstance(value, typing.get_origin(h) or h)]
        if not rooms:
            wanted = " or ".join(map(_word, inner))
            raise MalformedScript(f"{where}: here should be {wanted}, not {kind_word(value)}")
        fit(value, rooms[0], where)
    elif hint is not Any:
        kind = origin or hint
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise MalformedScript(f"{where}: here should be {_word(hint)}, not {kind_word(value)}")
        if kind is tuple:
            for place, part in enumerate(value):
                fit(part, inner[0], f"{where}[{place}]")
        elif kind is dict and inner:
            for key, part in value.items():
                fit(part, inner[1], f"{where}.{key}")
        elif dataclasses.is_dataclass(value):
            for name, declared in typing.get_type_hints(type(value)).items():
                fit(getattr(value, name), declared, f"{where}.{name}")


def _word(hint: Any) -> str:
    kind = typing.get_origin(hint) or hint
    return "an array" if kind is tuple else _NAMES.get(kind, getattr(kind, "__name__", str(kind)))
