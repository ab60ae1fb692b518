"""`harness-props replay`: judge counterexamples again, on the same harness or another one."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
import sys
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from adapters.contract import HarnessFault, Unplayable
from grading import formats
from grading.leave import BROKEN, FAILED, OK, BadCall
from grading.run import Target, introduced, not_loading
from grading.screen import Screen, safe
from grading.verdicts import FAILS, steady
from grading.verdicts import SCHEMA as ONE
from grading.watched import Watched
from properties.checks import Violation
from properties.registry import Stage, load
from strategies.printing import MalformedScript, from_json

FIXED, STILL_FAILS, ERROR = "FIXED", "STILL FAILS", "ERROR"
COLOURS = {FIXED: "bold green", STILL_FAILS: "bold red", ERROR: "bold magenta"}
# What holds several counterexamples, and the member that lists what they belong to.
LISTS = {formats.SCHEMA: "properties", formats.FUZZ: "findings", formats.BASELINE: "entries"}
STATUS = {FIXED: OK, STILL_FAILS: FAILED, ERROR: BROKEN}


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


def replay_file(
    file: str, *, target: str | None = None, only: tuple[str, ...] = (), app_dir: str | None = None
) -> int:
    """Play the counterexamples in a file and say what came of each; returns the worst status.

    Raises BadCall if the file, or what is asked of it, cannot be used; Unusable if a target cannot.
    """
    chosen = [case for case in cases(file, target) if not only or _wanted(case, only)]
    if not chosen:
        if only:
            raise BadCall(f"{file}: holds no counterexample of {', '.join(only)}")
        sys.stdout.write(f"{file}: every property holds, there is nothing to replay\n")
    screen = Screen(Console())
    worst = OK
    for case in chosen:
        said, message, lines = _on_a_fresh_one(case, app_dir)
        named = case.id if case.id == case.judged_by else f"{case.id} (judged by {case.judged_by})"
        words = f" {named} on {case.target}{': ' * bool(message)}{message}"
        screen.line(Text.assemble((said, COLOURS[said]), safe(words)))
        for line in lines:
            screen.line(line, indent=4)
        worst = max(worst, STATUS[said])
    return worst


def _on_a_fresh_one(case: Case, app_dir: str | None) -> tuple[str, str, list[str]]:
    harness = Target(case.target, case.lesson, app_dir).open()
    try:
        fault = introduced(harness)
        if fault is not None:
            return STILL_FAILS, not_loading(harness, fault), []
        return played(case, Watched(harness))
    finally:
        harness.close()


def played(case: Case, harness: Watched) -> tuple[str, str, list[str]]:
    """What came of one counterexample, why, and the new trace if it still fails."""
    said, message, why = outcome(case, harness)
    return said, message, [steady(line) for line in harness.lines()] if why is not None else []


def outcome(case: Case, harness: Watched) -> tuple[str, str, Exception | None]:
    """What came of one counterexample, why, and the failure itself if it still fails."""
    try:
        lacking = sorted(load()[case.judged_by].needs - harness.capabilities)
        if lacking:
            return ERROR, f"this harness does not offer {', '.join(lacking)}", None
        for script in case.before:
            try:
                case.stage.judge(script, harness)
            except Violation:
                continue  # what counts is what it leaves behind
        harness.seen.clear()
        case.stage.judge(case.script, harness)
    except (Violation, HarnessFault) as why:
        return STILL_FAILS, steady(str(why)), why
    except Unplayable as why:
        return ERROR, f"this harness cannot be told the script: {steady(str(why))}", None
    except Exception as error:
        told = steady(f"{type(error).__name__}: {error}")
        why_ours = "the adapter is at fault, or the script is not of the kind that this property judges"
        return ERROR, f"judging broke with {told}; either {why_ours}", None
    return FIXED, "", None


# ---- the file -----------------------------------------------------------------------------


def _wanted(case: Case, only: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(id_, p) for p in only for id_ in (case.id, case.judged_by))


def cases(file: str, target: str | None) -> list[Case]:
    """All counterexamples in the file. Raises BadCall naming the place that cannot be used."""
    data = read(file)
    found: list[Case] = []
    unplayable = 0
    for where, part in _objects(data):
        at = f"{file}: {where}" if where else file
        schema = _object(part, at).get("schema")
        if schema == ONE:
            if target is None:
                raise BadCall(f"{at}: a counterexample does not say on what to play it; add --target TARGET")
            found.append(case_of(part, at, target))
        elif schema in LISTS:
            held = LISTS[schema]
            for place, entry in enumerate(_member(part, held, list, at)):
                here = f"{at}: {held}[{place}]"
                shown = _object(entry, here).get("counterexample")
                if shown is None:
                    unplayable += entry.get("verdict") == FAILS
                    continue
                on = target or _member(part, "target", str, at)
                there = f"{here}.counterexample"
                found.append(case_of(_object(shown, there), there, on, entry.get("id")))
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


def _objects(data: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(data, list):
        yield from ((f"[{i}]", part) for i, part in enumerate(data))
    else:
        yield "", data


def _object(data: Any, at: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadCall(f"{at}: here should be an object, not {_kind(data)}")
    return data


def case_of(data: dict[str, Any], at: str, target: str, id_: Any = None) -> Case:
    """What can be played of a counterexample. Raises BadCall naming the member that is wrong."""
    named = _member(data, "property", str, at)
    known = load().get(named)
    if known is None:
        raise BadCall(f"{at}.property: there is no property {named!r}; `harness-props list` shows them all")
    stage = _member(data, "stage", int, at)
    if not 0 <= stage < len(known.stages):
        raise BadCall(f"{at}.stage: {named} has no stage {stage}; it has 0 to {len(known.stages) - 1}")
    lesson = data.get("lesson", 6)
    if lesson not in (3, 6):
        raise BadCall(f"{at}.lesson: {lesson!r} is not 3 or 6")
    earlier = _member({"before": [], **data}, "before", list, at)
    script = _script(_member(data, "script", dict, at), f"{at}.script")
    before = tuple(_script(part, f"{at}.before[{i}]") for i, part in enumerate(earlier))
    told = id_ if isinstance(id_, str) else named
    return Case(told, target, lesson, known.stages[stage], named, script, before)


def _member(data: dict[str, Any], name: str, kind: type, at: str) -> Any:
    if name not in data:
        raise BadCall(f"{at}: lacks {name!r}")
    if not isinstance(data[name], kind) or isinstance(data[name], bool):
        raise BadCall(f"{at}.{name}: here should be {_NAMES[kind]}, not {_kind(data[name])}")
    return data[name]


_NAMES: dict[type, str] = {dict: "an object", list: "an array", str: "a text", int: "a whole number",
                           bool: "true or false", float: "a number", type(None): "null"}  # fmt: skip


def _kind(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)


def _script(data: Any, where: str) -> Any:
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
            raise MalformedScript(f"{where}: here should be {wanted}, not {_kind(value)}")
        fit(value, rooms[0], where)
    elif hint is not Any:
        kind = origin or hint
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise MalformedScript(f"{where}: here should be {_word(hint)}, not {_kind(value)}")
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
