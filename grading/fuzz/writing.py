"""`harness-props baseline`: a baseline of what a run has found."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from grading import formats
from grading.cases import cases, read
from grading.fuzz.baseline import entries, entry_of, text
from grading.fuzz.groups import CHANCE, KEPT, of_verdict
from grading.fuzz.journal import Finding, counterexample
from grading.leave import OK, BadCall
from grading.verdicts import FAILS, Verdict


def write_baseline(results: str, file: str, *, reason: str, link: str | None, expires: date) -> int:
    """Add what a run has found to a baseline, or begin one; what stands there keeps its words.

    `results` is what `fuzz --json` or `check --json` wrote. Raises BadCall or Unwritable.
    """
    if file != "-":
        formats.writable(file)
    cases(results, "")  # every counterexample can be played
    data = read(results)
    if not isinstance(data, dict):
        raise BadCall(f"{results}: has several targets; a baseline is of one")
    target = data["target"]
    kept = entries(file, target) if file != "-" and Path(file).exists() else []
    there = {one.id for one in kept}
    new = []
    for id_, law, shown, message, chance in _found(data, results):
        if id_ in there:
            continue
        there.add(id_)
        known = counterexample(shown)
        new.append(entry_of(id_, law, known, reason or _sentence(message), link, expires, chance=chance))
    whole = text(target, [*kept, *new])
    if file == "-":
        sys.stdout.write(whole)
        return OK
    formats.write(file, whole)
    sys.stdout.write(f"{file}: {len(new)} written, {len(kept)} there before\n")
    return OK


def _found(data: dict[str, Any], at: str) -> Iterator[tuple[str, str, dict[str, Any], str, bool]]:
    """Each finding that has a script: id, property, counterexample, message, and whether it is chance."""
    if data["schema"] == formats.FUZZ:
        for one in data["findings"]:
            if one["counterexample"] is not None:
                finding = Finding.from_json(one)
                yield finding.id, finding.law, one["counterexample"], one["message"], finding.chance
    elif data["schema"] == formats.SCHEMA:
        for one in data["properties"]:
            shown = one.get("counterexample")
            if one["verdict"] == FAILS and shown:
                verdict = _verdict(one, shown)
                yield of_verdict(verdict).id, one["id"], shown, one["message"], verdict.blame == CHANCE
    else:
        raise BadCall(f"{at}: its schema is {data['schema']!r}, and not that of what check or fuzz wrote")


def _verdict(one: dict[str, Any], shown: dict[str, Any]) -> Verdict:
    """A verdict of a report, with the blame that its counterexample shows."""
    blame = KEPT if shown["before"] else CHANCE if one["id"] == CHANCE != shown["property"] else ""
    return Verdict(one["id"], one["tier"], FAILS, one["message"], counterexample(shown), blame=blame)


def _sentence(message: str) -> str:
    """A message as the reason of an entry, on one line."""
    return " ".join(message.split())[:300]
