"""What the panels show, as data in the page: a pool of texts, a pool of counterexamples.

Equal ones are kept once. Where the whole would be too large for a browser, transcripts and file
pages are left out first, then whole counterexamples, those that stand for a cluster last. What is
left out is said, with the file that holds it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from grading.batch.record import AFTER_DUE_DATE, VISIBLE, Judged, Result
from grading.html import clean
from grading.html.clean import CODE, NAME, SENTENCE, one_line, visible
from grading.html.sheet import sheets
from grading.html.transcript import events
from grading.pretty import pretty
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED
from strategies.printing import from_json

LETTERS = {HOLDS: "h", FAILS: "f", NOT_REACHED: "r", NOT_APPLICABLE: "n", ERROR: "e"}
SEEN = {VISIBLE: "v", AFTER_DUE_DATE: "a"}
TEXTS, COUNTEREXAMPLES = 1_000_000, 4_000_000  # bytes of the two pools
PATH = 1000  # characters of a path in a command
SMALL = 20_000  # with less room than this nothing more is tried
LEFT_OUT = "(left out of this page for its size; the student's verdicts.json has it)"


class Pool:
    """Values that are kept once and named by their place, up to so many bytes."""

    def __init__(self, room: int, instead: Any) -> None:
        self.values: list[Any] = [instead]
        self.full = False
        self._room, self._known = room, {clean.data(instead): 0}

    def add(self, value: Any) -> int:
        """The value's place; 0, where the stand-in lies, if there is no room for another."""
        key = clean.data(value)
        place = self._known.get(key)
        if place is None:
            size = len(key.encode())
            if size > self._room:
                self.full = self._room < SMALL
                return 0
            self._room -= size
            place = self._known[key] = len(self.values)
            self.values.append(value)
        return place


def counterexample(verdict: Judged, policies: dict[str, str], *, drawn: bool = True) -> dict[str, Any]:
    """A counterexample as it is shown; `drawn` with its transcript and its file pages."""
    known = verdict.counterexample or {}
    trace = [str(line) for line in known.get("trace", ())]
    shown: dict[str, Any] = {
        "by": one_line(known.get("property", ""), 20),
        "sentence": visible(known.get("sentence", ""), SENTENCE),
        "step": one_line(known.get("step", ""), 120), "hint": visible(known.get("hint", ""), SENTENCE),
        "python": _code(str(known.get("python", ""))), "before": len(known.get("before", ())),
        "trace": [one_line(line) for line in trace[:60]],
    }  # fmt: skip
    if drawn:
        try:
            script = from_json(json.loads(json.dumps(known.get("script"))))
            shown["events"] = events(trace, script, str(known.get("step", "")))
            shown["sheets"] = sheets(script, trace, policies)
        except (ValueError, TypeError, KeyError, AttributeError):  # of another suite version
            shown["events"], shown["sheets"] = events(trace, None, str(known.get("step", ""))), []
    return shown


def _code(python: str) -> str:
    """The script in lines, as far as it is short enough to lay out."""
    return visible(pretty(python, 72) if len(python) <= CODE else python, CODE)


def replay(result: Result, folder: str) -> list[str]:
    """The two ends of the command that plays a counterexample again: its folder, and its target.

    Between them stands `/counterexample-ID.json`. It is run from the folder of the results, and
    SUBMISSIONS stands for the folder that was graded. Nothing if a name is too long to be typed.
    """
    if max(len(folder), len(result.submission)) > PATH:
        return []
    target = quoted(f"SUBMISSIONS/{result.submission}")
    return [f"harness-props replay {quoted(folder)}", f" --target {target}"]


def quoted(text: str) -> str:
    """A word for the shell; what cannot be typed is written as `$'…'` does it."""
    if text.isprintable():
        return shlex.quote(text)
    raw = text.encode("utf-8", "surrogateescape" if _from_bytes(text) else "surrogatepass")
    return "$'" + "".join(chr(b) if 32 <= b < 127 and b not in b"'\\" else f"\\x{b:02x}" for b in raw) + "'"


def _from_bytes(text: str) -> bool:
    return all("\udc80" <= c <= "\udcff" for c in text if "\ud800" <= c <= "\udfff")


def panels(
    results: Sequence[Result], ids: Sequence[str], first: Iterable[tuple[int, str]],
    folder: Callable[[Result], str],
) -> dict[str, Any]:
    """The data of all panels. `ids` are the columns, `first` what must have its counterexample."""
    texts = Pool(TEXTS, LEFT_OUT)
    kept, small = _kept(results, first)
    students = []
    for place, result in enumerate(results):
        verdicts = {v.id: v for v in result.verdicts}
        row = [verdicts.get(id_) for id_ in ids]
        told = {
            str(column): [texts.add(visible(v.message)), small.get((place, v.id), 0)]
            for column, v in enumerate(row) if v and (v.message or v.counterexample)
        }  # fmt: skip
        students.append({
            "name": one_line(result.student, NAME), "file": one_line(result.submission, 200),
            "folder": one_line(folder(result), 200), "status": result.status,
            "problem": visible(result.problem, SENTENCE * 2),
            "score": clean.number(result.score), "max": clean.number(result.max_score),
            "rung": one_line(result.isolation.rung, 40),
            "lacks": [texts.add(one_line(s, SENTENCE)) for s in result.isolation.uncontained[:20]],
            "v": "".join(LETTERS.get(v.verdict, "e") if v else "-" for v in row),
            "points": [clean.number(v.points) if v else "" for v in row],
            "most": [clean.number(v.max_points) if v else "" for v in row],
            "seen": "".join(SEEN.get(v.visibility, "x") if v else "-" for v in row),
            "told": told,
            "replay": replay(result, folder(result)),
        })  # fmt: skip
    return {"students": students, "texts": texts.values, "shown": kept.values}


def _kept(
    results: Sequence[Result], first: Iterable[tuple[int, str]]
) -> tuple[Pool, dict[tuple[int, str], int]]:
    """The counterexamples that fit, and for each (student, property) the place of its own."""
    failing = {(i, v.id): v for i, r in enumerate(results) for v in r.verdicts if v.counterexample}
    wanted = dict.fromkeys(key for key in first if key in failing)
    pool = Pool(COUNTEREXAMPLES, None)
    places: dict[tuple[int, str], int] = {}
    known: dict[str, int] = {}
    for key in wanted | failing:
        verdict, policies = failing[key], results[key[0]].policies
        same = clean.data([verdict.counterexample, policies])
        if same not in known:
            known[same] = _add(pool, verdict, policies)
        places[key] = known[same]
    return pool, places


def _add(pool: Pool, verdict: Judged, policies: dict[str, str]) -> int:
    """Its place in the pool, drawn if there is room for that; 0 once the pool is full."""
    if pool.full:
        return 0
    return pool.add(counterexample(verdict, policies)) or pool.add(
        counterexample(verdict, policies, drawn=False)
    )
