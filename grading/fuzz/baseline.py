"""A baseline: what is known to fail, why, and until when that is accepted.

An entry is judged by playing its script, never by whether a run happens to find it again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from adapters.contract import Harness
from grading import formats
from grading.cases import Case, case_of, read
from grading.engine import Failure
from grading.fuzz.groups import of_failure, plain
from grading.leave import BROKEN, FAILED, OK, BadCall
from grading.replay import FIXED, STILL_FAILS, outcome
from grading.verdicts import Counterexample
from grading.watched import Watched
from properties.registry import load

DAYS = 90  # how long a new entry is accepted if nobody says otherwise
ENTRY = ("id", "property", "reason", "link", "expires", "counterexample")
KEPT = ("schema", "property", "stage", "lesson", "before", "script", "python", "message")


@dataclass(frozen=True)
class Entry:
    """One known finding. `chance` marks a harness that differs by itself, where playing it says little."""

    id: str
    property: str
    reason: str
    link: str | None
    expires: date
    counterexample: Mapping[str, Any]
    case: Case
    chance: bool = False

    def to_json(self) -> dict[str, Any]:
        """The entry as it stands in a file."""
        shown = {key: self.counterexample[key] for key in KEPT if self.counterexample.get(key)
                 or key in ("stage", "script")}  # fmt: skip
        data = {
            "id": self.id, "property": self.property, "reason": self.reason, "link": self.link,
            "expires": self.expires.isoformat(), "counterexample": shown,
        }  # fmt: skip
        return {**data, "chance": True} if self.chance else data


@dataclass(frozen=True)
class Fresh:
    """A failure as a run tells it: the id of its group, its property, and what it says.

    It is not new if one of its `roots` is known to fail.
    """

    id: str
    property: str
    message: str
    roots: tuple[str, ...] = ()


@dataclass
class Compared:
    """What a run says of a baseline, and the other way round."""

    new: list[Fresh] = field(default_factory=list)
    known: list[Entry] = field(default_factory=list)
    gone: list[Entry] = field(default_factory=list)
    expired: list[Entry] = field(default_factory=list)
    broken: list[tuple[Entry, str]] = field(default_factory=list)

    @property
    def status(self) -> int:
        """The exit status that stands for it."""
        if self.broken:
            return BROKEN
        return FAILED if self.new or self.gone or self.expired else OK


class Baseline:
    """The entries of a file, played on one harness."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self.ids = {one.id for one in self.entries}
        self._compared = Compared()

    def play(self, harness: Harness, today: date | None = None) -> None:
        """Play every entry on a fresh harness, and learn what its failure is called today."""
        now = today or datetime.now(UTC).date()
        for entry in self.entries:
            harness.restart()
            said, message, why = outcome(entry.case, Watched(harness))
            if said == FIXED and not entry.chance:
                self._compared.gone.append(entry)
            elif said in (FIXED, STILL_FAILS):
                kind = self._compared.expired if entry.expires < now else self._compared.known
                kind.append(entry)
                self.ids |= _ids_today(entry, why)
            else:
                self._compared.broken.append((entry, message))
        harness.restart()

    def compared(self, found: Iterable[Fresh]) -> Compared:
        """What is new among the failures of a run, beside what became of the entries."""
        said = self._compared
        failing = {one.property for one in (*said.known, *said.expired)}
        said.new = [one for one in found if one.id not in self.ids and not failing & set(one.roots)]
        return said


def _ids_today(entry: Entry, why: Exception | None) -> set[str]:
    """What the group of an entry is called today, if that is still the failure which is known.

    A hang or a crash that a run would show in any property is another one, unless it says the same.
    """
    if why is None or entry.case.before:
        return set()
    stages = load()[entry.case.judged_by].stages
    number = next(n for n, stage in enumerate(stages) if stage is entry.case.stage)
    group = of_failure(entry.case.judged_by, number, Failure(entry.case.script, why, (), 0))
    same = plain(str(why)) == plain(str(entry.counterexample.get("message", "")))
    return {group.id} if group.scope or same else set()


# ---- the file -----------------------------------------------------------------------------


def entries(file: str, target: str) -> list[Entry]:
    """The entries of a baseline. Raises BadCall naming the place that is wrong."""
    data = read(file)
    if not isinstance(data, dict) or data.get("schema") != formats.BASELINE:
        raise BadCall(f"{file}: no baseline; `harness-props baseline RESULTS -o {file}` writes one")
    held = data.get("entries")
    if not isinstance(held, list):
        raise BadCall(f"{file}: entries: here should be an array")
    found = [_entry(one, f"{file}: entries[{place}]", target) for place, one in enumerate(held)]
    ids = [one.id for one in found]
    double = next((id_ for id_ in ids if ids.count(id_) > 1), None)
    if double:
        raise BadCall(f"{file}: {double} stands there {ids.count(double)} times; keep one of them")
    return found


def _entry(data: Any, at: str, target: str) -> Entry:
    if not isinstance(data, dict):
        raise BadCall(f"{at}: here should be an object")
    lacking = [name for name in ENTRY if name not in data]
    if lacking:
        raise BadCall(f"{at}: lacks {', '.join(lacking)}")
    for name in ("id", "property", "reason"):
        if not isinstance(data[name], str) or not data[name].strip():
            raise BadCall(f"{at}.{name}: here should be a text that is not empty")
    if data["property"] not in load():
        raise BadCall(f"{at}.property: there is no property {data['property']!r}; `harness-props list` "
                      "shows them all")  # fmt: skip
    link = data["link"]
    if link is not None and not (isinstance(link, str) and link.strip()):
        raise BadCall(f"{at}.link: here should be a text or null")
    shown = data["counterexample"]
    if not isinstance(shown, dict):
        raise BadCall(f"{at}.counterexample: here should be an object")
    case = case_of(shown, f"{at}.counterexample", target, data["id"])
    return Entry(data["id"], data["property"], data["reason"], link, day(data["expires"], f"{at}.expires"),
                 shown, case, bool(data.get("chance")))  # fmt: skip


def day(text: Any, at: str) -> date:
    """A day written as YYYY-MM-DD. Raises BadCall naming where it stands."""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return date.fromisoformat(text)
    except (TypeError, ValueError):
        pass
    raise BadCall(f"{at}: {text!r} is no day; write it as 2030-12-31")


def soon(days: int = DAYS) -> date:
    """The day on which a new entry expires."""
    return datetime.now(UTC).date() + timedelta(days=days)


def entry_of(id_: str, property_: str, known: Counterexample, reason: str, link: str | None, expires: date,
             *, chance: bool = False) -> Entry:  # fmt: skip
    """A new entry for a finding."""
    data = known.to_json()
    return Entry(id_, property_, reason, link, expires, data, case_of(data, id_, ""), chance)


def text(target: str, kept: Iterable[Entry]) -> str:
    """The text of a baseline's file."""
    data = {"schema": formats.BASELINE, "target": target, "entries": [one.to_json() for one in kept]}
    return json.dumps(data, indent=1) + "\n"
