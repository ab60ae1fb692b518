"""The strict provider's rules: what a hosted provider refuses, each with its number.

Every refusal is one that public reports quote from hosted providers; the wording follows the
manner of `400 invalid_request: messages[1]: toolCall c1 has no toolResult`.
"""

from __future__ import annotations

import json
from collections import Counter
from operator import is_
from typing import Any

from adapters.child.codec import Foreign
from adapters.normal import blocks_of, calls_of, role_of

RULES = {
    1: "a call that has no result in the messages right after its reply",
    2: "a result with no call right before it",
    3: "more or fewer results than calls",
    4: "two calls of one reply with the same id",
    5: "a result that does not follow its call's reply directly",
    6: "call arguments that are not a JSON object",
    7: "a result whose content is not text",
    8: "an assistant message whose content list is empty",
    9: "an empty message list",
    10: "a list that does not start with a user message",
    11: "a body that is not valid UTF-8 JSON",
    12: "a repeated system prompt",
}


class Gate:
    """Checks the requests of one conversation; what it has accepted it need not read again.

    `allowed` names rules that the script switches off. Messages are decoded snapshots that
    nobody changes, the same object for the same message, so a prefix is compared by identity.
    """

    def __init__(self, allowed: tuple[int, ...] = ()) -> None:
        self.allowed = allowed
        self._accepted: list[Any] = []
        self._sound: dict[str, Any] = {}  # system and tools that were written down before
        self._seen: set[Any] = set()  # ids of calls in what was accepted
        self._writable: dict[int, Any] = {}  # id of a message known to be plain JSON -> message

    def refuse(self, system: Any, messages: Any, tools: Any) -> tuple[int, str] | None:
        """The first refusal that this request earns, as (rule number, words), or None."""
        for number, words in self._faults(system, messages, tools):
            if number not in self.allowed:
                return number, f"400 invalid_request: {words}"
        self._accepted = list(messages)
        return None

    def _faults(self, system: Any, messages: Any, tools: Any) -> list[tuple[int, str]]:
        if not isinstance(messages, (list, tuple)):
            return [(11, f"messages is not a list but {type(messages).__name__}")]
        if not messages:
            return [(9, "messages: at least one message is required")]
        known = len(self._accepted)
        grown = 0 < known <= len(messages) and all(map(is_, self._accepted, messages))
        start = known if grown else 0
        while start > 0 and role_of(messages[start - 1]) == "toolResult":
            start -= 1
        start = max(start - 1, 0)
        if not grown:
            self._seen = set()
        faults = self._bodies(system, messages, tools, start)
        if faults:  # what cannot be written down cannot be looked at further
            return faults
        if role_of(messages[0]) != "user":
            faults.append((10, f"messages[0]: must be a user message, not {role_of(messages[0])}"))
        faults += _contents(messages, start) + _pairing(messages, start, self._seen)
        return sorted(faults, key=lambda fault: _position(fault[1]))

    def _bodies(self, system: Any, messages: Any, tools: Any, start: int) -> list[tuple[int, str]]:
        for where, value in (("system", system), ("tools", tools)):
            if self._sound.get(where, self) is value:
                continue
            fault = unwritable(value)
            if fault:
                return [(11, f"{where}: {fault}")]
            self._sound[where] = value
        for i in range(start, len(messages)):
            message = messages[i]
            if id(message) in self._writable:
                continue
            if not isinstance(message, dict):
                return [(11, f"messages[{i}]: not an object but {type(message).__name__}")]
            fault = unwritable(message)
            if fault:
                return [(11, f"messages[{i}]: {fault}")]
            self._writable[id(message)] = message
        return []


def _position(words: str) -> int:
    inner = words.partition("messages[")[2].partition("]")[0]
    return int(inner) if inner.isdigit() else -1


def unwritable(value: Any) -> str | None:
    """Why this value cannot be sent as UTF-8 JSON, or None."""
    if isinstance(value, Foreign):
        return f"not JSON ({value.type_name} {value.text})"
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"not valid UTF-8 (character {error.object[error.start]!r})"
    except (TypeError, ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    return None


def _contents(messages: Any, start: int) -> list[tuple[int, str]]:
    faults = []
    for i in range(start, len(messages)):
        message = messages[i]
        role = role_of(message)
        if role == "system":
            faults.append((12, f"messages[{i}]: the system prompt is given twice"))
        elif role == "assistant":
            if not blocks_of(message):
                faults.append((8, f"messages[{i}]: assistant content must not be empty"))
            for call in calls_of(message):
                if not isinstance(call.get("arguments"), dict):
                    where = f"messages[{i}]: toolCall {call.get('id')}"
                    faults.append((6, f"{where}: arguments must be an object"))
        elif role == "toolResult":
            if not isinstance(message.get("content"), str):
                where = f"messages[{i}]: toolResult {message.get('tool_call_id')}"
                faults.append((7, f"{where}: content must be text"))
        elif role != "user":
            faults.append((11, f"messages[{i}]: no role is called {role!r}"))
    return faults


def _pairing(messages: Any, start: int, seen: set[Any]) -> list[tuple[int, str]]:
    """Calls and the run of results right after their reply, compared reply by reply."""
    faults: list[tuple[int, str]] = []
    i = start
    while i < len(messages):
        message = messages[i]
        if role_of(message) == "toolResult":
            faults.append(_orphan(messages, i, seen))
            i += 1
            continue
        calls = [_hashable(c.get("id")) for c in calls_of(message)]
        end = i + 1
        while calls and end < len(messages) and role_of(messages[end]) == "toolResult":
            end += 1
        if calls:
            faults += _one_reply(i, calls, messages[i + 1 : end], seen)
            seen.update(calls)
        i = end
    return faults


def _hashable(value: Any) -> Any:
    return value if isinstance(value, (str, int, type(None))) else repr(value)


def _orphan(messages: Any, i: int, seen: set[Any]) -> tuple[int, str]:
    found = _hashable(messages[i].get("tool_call_id"))
    if found in seen:
        return 5, f"messages[{i}]: toolResult {found} does not follow its call's reply directly"
    return 2, f"messages[{i}]: toolResult {found} has no toolCall before it"


def _one_reply(i: int, calls: list[Any], results: Any, seen: set[Any]) -> list[tuple[int, str]]:
    faults = []
    wanted = Counter(calls)
    for id_, count in wanted.items():
        if count > 1:
            faults.append((4, f"messages[{i}]: toolCall {id_} stands {count} times in one reply"))
    given = Counter(_hashable(r.get("tool_call_id")) for r in results)
    for id_ in calls:
        if given[id_] == 0:
            faults.append((1, f"messages[{i}]: toolCall {id_} has no toolResult"))
    for j, result in enumerate(results):
        id_ = _hashable(result.get("tool_call_id"))
        if id_ not in wanted:
            number = 5 if id_ in seen else 2
            where = f"messages[{i + 1 + j}]: toolResult {id_}"
            faults.append((number, f"{where} has no toolCall right before it"))
        elif given[id_] > wanted[id_]:
            faults.append((3, f"messages[{i + 1 + j}]: toolCall {id_} has {given[id_]} toolResults"))
    if len(results) != len(calls) and not faults:
        faults.append((3, f"messages[{i}]: {len(calls)} toolCalls but {len(results)} toolResults"))
    return faults
