"""What messages must hold, what a harness says of itself, and the check of every line against its schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from adapters.contract import CAPABILITIES, POLICIES, AdapterError, Garbage, Unusable

SCHEMAS = Path(__file__).with_name("schema")
VERSION = 1
PACE = 20.0  # how many times more CPU time than a plain loop a run may take
PLAYS = {
    "cancel": "an interrupt while a tool runs",
    "changes": "a tool that edits the arguments it was handed",
    "meddling": "a provider that edits the list it was handed",
    "odd-values": "tools that give back or raise what no JSON holds",
    "watch": "what becomes of messages after they were sent",
    "private": "members of tools that no model may see",
    "workspace": "files and commands that are asked for, not found in a folder",
}
NOT_OFFERED = frozenset({"lesson"})  # policies that are no harness's to declare
CALLBACKS = ("model", "execute", "workspace", "note")
NEEDED: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "model": {"id": int, "system": object, "messages": object, "tools": object},
    "execute": {"id": int, "name": str, "arguments": object},
    "workspace": {"id": int, "do": str},
    "note": {"text": str},
    "error": {"id": int, "message": str},
    "done": {"id": int},
    "done-hello": {"name": str, "capabilities": list},
    "done-prompt": {"ending": str},
    "done-record": {"messages": object},
    "done-tools": {"tools": list},
    "done-tool": {"message": object},
    "done-help": {"value": object},
    "done-usage": {"usage": object},
}


def lacking(kind: str, message: Mapping[str, Any]) -> str:
    """What a message of this kind lacks or has wrong, in words; nothing if it is fine."""
    for name, wanted in NEEDED.get(kind, {}).items():
        if name not in message:
            return f"it has no {name!r}"
        value = message[name]
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            return f"its {name!r} is {type(value).__name__}"
    return ""


@dataclass(frozen=True)
class Hello:
    """What a harness says of itself."""

    name: str
    version: str = ""
    homepage: str = ""
    capabilities: frozenset[str] = frozenset()
    policies: Mapping[str, str] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)
    plays: frozenset[str] = frozenset()
    pace: float = PACE
    tagged: bool = False


def hello_of(done: Mapping[str, Any], named: str) -> Hello:
    """The answer to hello, looked through. Raises Unusable naming what is not known."""
    wrong = lacking("done-hello", done)
    if not wrong and done.get("protocol", VERSION) != VERSION:
        wrong = f"it speaks version {done['protocol']!r} of the protocol, and this suite version {VERSION}"
    capabilities, plays = _texts(done, "capabilities"), _texts(done, "plays")
    policies, lacks = (_table(done, name) for name in ("policies", "lacks"))
    pace = done.get("pace", PACE)
    if not wrong and not (type(pace) in (int, float) and 1 <= pace <= 10_000):
        wrong = f"its pace is {pace!r}, and a number from 1 to 10000 is accepted"
    if None in (capabilities, plays) or policies is None or lacks is None:
        wrong = wrong or "capabilities and plays are lists of words, policies and lacks objects with texts"
    if wrong:
        raise Unusable(f"{named}: its answer to hello cannot be used: {wrong}; see docs/protocol.md")
    assert capabilities is not None
    assert plays is not None
    assert policies is not None
    assert lacks is not None
    unknown = _unknown(capabilities, plays, policies, lacks)
    if unknown:
        raise Unusable(f"{named}: it declares what this suite does not know: {'; '.join(unknown)}")
    version, homepage = (str(done.get(name) or "") for name in ("version", "homepage"))
    return Hello(done["name"], version, homepage, frozenset(capabilities), policies, lacks, frozenset(plays),
                 float(pace), done.get("tagged") is True)  # fmt: skip


def _unknown(capabilities: list[str], plays: list[str], policies: Mapping[str, str],
             lacks: Mapping[str, str]) -> list[str]:  # fmt: skip
    told = []
    known = {key: values for key, values in POLICIES.items() if key not in NOT_OFFERED}
    for what, words, table in (
        ("capability", capabilities, CAPABILITIES), ("play", plays, PLAYS), ("policy", list(policies), known),
        ("lacking capability", list(lacks), CAPABILITIES),
    ):  # fmt: skip
        for word in words:
            if word not in table:
                told.append(f"{what} {word!r} (known: {', '.join(table)})")
    for key, value in policies.items():
        if key in known and value not in known[key]:
            told.append(f"policy {key}={value!r} (known: {', '.join(known[key])})")
    return told


def _texts(done: Mapping[str, Any], name: str) -> list[str] | None:
    found = done.get(name, [])
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else None


def _table(done: Mapping[str, Any], name: str) -> dict[str, str] | None:
    found = done.get(name, {})
    return found if isinstance(found, dict) and all(isinstance(one, str) for one in found.values()) else None


class Validator(Protocol):
    """Looks at every message in both directions."""

    def sent(self, message: Mapping[str, Any]) -> None: ...

    def received(self, message: Mapping[str, Any], number: int, begin: str) -> None: ...


class Schemas:
    """The schemas of all messages; a message is looked up by its type, an answer by what it answers."""

    def __init__(self) -> None:
        """Raises Unusable where the library for schemas is not installed."""
        try:
            import jsonschema
            import referencing
        except ImportError:
            raise Unusable("--validate needs jsonschema: pip install 'harness-props[validate]'") from None
        texts = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob("*.json"))}
        registry = referencing.Registry().with_resources(
            (f"{name}.json", referencing.Resource.from_contents(text)) for name, text in texts.items()
        )
        kind = jsonschema.Draft202012Validator
        del texts["common"]
        self._by_name = {name: kind(text, registry=registry) for name, text in texts.items()}
        self._asked: dict[Any, str] = {}  # id of a command that is not answered yet -> its type

    def wrong(self, name: str, message: Mapping[str, Any]) -> str:
        """Where a message departs from the schema of this name, in words; nothing if it does not."""
        if name not in self._by_name:
            return f"no message is called {name!r}"
        from jsonschema.exceptions import best_match

        error = best_match(self._by_name[name].iter_errors(message))
        if error is None:
            return ""
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        said = error.message if len(error.message) <= 300 else error.message[:300] + "…"
        return f"it does not fit schema/{name}.json{' at ' + place[1:] if place else ''}: {said}"

    def sent(self, message: Mapping[str, Any]) -> None:
        """Look at a message of the suite's. Raises AdapterError, for that is our own fault."""
        kind = message["type"]
        wrong = self.wrong(kind, message)
        if wrong:
            raise AdapterError(f"the suite sent a wrong message {kind!r}: {wrong}")
        if f"done-{kind}" in self._by_name:
            self._asked[message["id"]] = kind

    def received(self, message: Mapping[str, Any], number: int, begin: str) -> None:
        """Look at a message of the harness's. Raises Garbage naming the line."""
        kind = message["type"]
        asked = self._asked.pop(message.get("id"), "") if kind in ("done", "error") else ""
        if kind in ("done", "error") and not asked:
            wrong = f"it answers no open command (id {message.get('id')!r})"
        elif kind not in (*CALLBACKS, "done", "error"):
            wrong = f"a harness sends no message of the type {kind!r}"
        else:
            wrong = self.wrong(f"done-{asked}" if kind == "done" else kind, message)
        if wrong:
            raise Garbage(f"line {number} is no valid message: {wrong}; it begins with {begin}")
