"""Verdicts out of files: what `check --json` wrote, a result, a `results.jsonl`, a counterexample."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading import formats
from grading.batch.record import SCHEMA as RESULT
from grading.batch.record import Result
from grading.leave import BadCall
from grading.verdicts import FAILS
from grading.verdicts import SCHEMA as COUNTEREXAMPLE


@dataclass(frozen=True)
class Entry:
    """One verdict on one target: a harness, or a student's submission."""

    target: str
    id: str
    verdict: str
    message: str


@dataclass(frozen=True)
class Verdicts:
    """All that a file says. `problems` are sentences on targets that have no verdicts."""

    entries: tuple[Entry, ...]
    targets: tuple[str, ...]
    problems: tuple[str, ...]


def read(file: str) -> Verdicts:
    """The verdicts in a file; "-" is standard input. Raises BadCall naming the place at fault."""
    entries: list[Entry] = []
    targets: list[str] = []
    problems: list[str] = []
    for where, data in _objects(file):
        target, found, problem = _one(data, where)
        targets.append(target)
        entries += found
        if problem:
            problems.append(f"{target}: {problem}" if not problem.startswith(target) else problem)
    return Verdicts(tuple(entries), tuple(targets), tuple(problems))


def _objects(file: str) -> Iterator[tuple[str, Any]]:
    """Every object in the file: the only one, those of an array, or one a line."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise BadCall(f"{file}: cannot be read, {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadCall(f"{file}: not UTF-8: {error}") from error
    rows = [(n, row) for n, row in enumerate(text.split("\n"), 1) if row.strip()]
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise BadCall(f"{file}: not JSON: nested too deeply") from error
    except ValueError as error:
        if len(rows) < 2 or not rows[0][1].startswith("{") or not rows[1][1].startswith("{"):
            raise BadCall(f"{file}: not JSON: {error}") from error
        for n, row in rows:
            yield f"{file}, line {n}", _line(row, f"{file}, line {n}")
        return
    if isinstance(data, list):
        yield from ((f"{file}: [{i}]", part) for i, part in enumerate(data))
    else:
        yield file, data


def _line(row: str, where: str) -> Any:
    try:
        return json.loads(row)
    except (ValueError, RecursionError) as error:
        raise BadCall(f"{where}: not JSON: {error}") from error


def _one(data: Any, where: str) -> tuple[str, list[Entry], str]:
    """Target, verdicts and problem of one object."""
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema == RESULT:
        try:
            result = Result.from_json(data)
        except ValueError as error:
            raise BadCall(f"{where}: {error}") from error
        told = [Entry(result.student, v.id, v.verdict, v.message) for v in result.verdicts]
        return result.student, told, result.problem
    try:
        if schema == formats.SCHEMA:
            target = str(data["target"])
            parts = [[str(v[key]) for key in ("id", "verdict", "message")] for v in data["properties"]]
            return target, [Entry(target, *part) for part in parts], str(data.get("problem", ""))
        if schema == COUNTEREXAMPLE:
            return where, [Entry(where, str(data["property"]), FAILS, str(data["message"]))], ""
    except (KeyError, TypeError) as error:
        raise BadCall(f"{where}: not a whole report, {error} is missing or of another kind") from error
    known = ", ".join(map(repr, (formats.SCHEMA, RESULT, COUNTEREXAMPLE)))
    raise BadCall(f"{where}: its schema is {schema!r}; explain reads {known}")
