"""The strict provider's rules: what a hosted provider refuses, each with its number.

Every refusal is one that public reports quote from hosted providers; the wording follows the
manner of `400 invalid_request: messages[1]: toolCall c1 has no toolResult`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from operator import is_, itemgetter
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


Fault = tuple[int, int, str]  # index of the message, number of the rule, words


class Gate:
    """Checks the requests of one conversation; what it has accepted it need not read again.

    `allowed` names rules that the script switches off. Messages are decoded snapshots that
    nobody changes, the same object for the same message, so a prefix is compared by identity.
    """

    def __init__(self, allowed: tuple[int, ...] = ()) -> None:
        self.allowed = allowed
        self._accepted: list[Any] = []
        self._writable: dict[int, Any] = {}  # id of a value known to be plain JSON -> that value

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
        start = self._unread(messages)
        unsendable = self._unsendable(system, messages, tools, start)
        if unsendable:  # what cannot be written down cannot be looked at further
            return [(11, unsendable)]
        faults = [*_beginning(messages[0]), *_contents(messages, start), *_pairing(messages, start)]
        faults.sort(key=itemgetter(0))
        return [(number, f"messages[{i}]: {words}") for i, number, words in faults]

    def _unread(self, messages: Any) -> int:
        """Where to start: at the last reply that was accepted, since results may have come after it."""
        known = len(self._accepted)
        if known > len(messages) or not all(map(is_, self._accepted, messages)):
            return 0  # the list was rewritten
        return next((i for i in reversed(range(known)) if role_of(messages[i]) != "toolResult"), 0)

    def _unsendable(self, system: Any, messages: Any, tools: Any, start: int) -> str | None:
        parts = {"system": system, "tools": tools}
        for i in range(start, len(messages)):
            if not isinstance(messages[i], dict):
                return f"messages[{i}]: not an object but {type(messages[i]).__name__}"
            parts[f"messages[{i}]"] = messages[i]
        for where, value in parts.items():
            if id(value) in self._writable:
                continue
            fault = unwritable(value)
            if fault:
                return f"{where}: {fault}"
            self._writable[id(value)] = value
        return None


def unwritable(value: Any) -> str | None:
    """Why this value cannot be sent as UTF-8 JSON, or None."""
    if isinstance(value, Foreign):
        return f"not JSON ({value.type_name} {value.text})"
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return f"not valid UTF-8 (character {error.object[error.start]!r})"
    except (TypeError, ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    return None


def _beginning(first: Any) -> Iterator[Fault]:
    if role_of(first) != "user":
        yield 0, 10, f"must be a user message, not {role_of(first)}"


def _contents(messages: Any, start: int) -> Iterator[Fault]:
    for i in range(start, len(messages)):
        message = messages[i]
        role = role_of(message)
        if role == "system":
            yield i, 12, "the system prompt is given twice"
        elif role == "assistant":
            if not blocks_of(message):
                yield i, 8, "assistant content must not be empty"
            for call in calls_of(message):
                if not isinstance(call.get("arguments"), dict):
                    yield i, 6, f"toolCall {call.get('id')}: arguments must be an object"
        elif role == "toolResult":
            if not isinstance(message.get("content"), str):
                yield i, 7, f"toolResult {message.get('tool_call_id')}: content must be text"
        elif role != "user":
            yield i, 11, f"no role is called {role!r}"


def _pairing(messages: Any, start: int) -> Iterator[Fault]:
    """Calls and the run of results right after their reply, compared reply by reply."""
    heads = [i for i in range(start, len(messages)) if i == start or role_of(messages[i]) != "toolResult"]
    for i, end in pairwise([*heads, len(messages)]):
        given = {j: _result_id(messages[j]) for j in range(i, end) if role_of(messages[j]) == "toolResult"}
        yield from _exchange(messages, i, given)


def _exchange(messages: Any, i: int, given: dict[int, Any]) -> Iterator[Fault]:
    """The faults of one message's calls and of the results after it: index -> id of the call."""
    wanted, got = Counter(_call_ids(messages[i])), Counter(given.values())
    for id_, count in wanted.items():
        if count > 1:
            yield i, 4, f"toolCall {id_} stands {count} times in one reply"
    for id_, count in wanted.items():
        if not got[id_]:
            yield i, 1, f"toolCall {id_} has no toolResult"
        elif got[id_] < count:
            yield i, 3, f"toolCall {id_} stands {count} times and has {got[id_]} toolResults"
    for j, id_ in given.items():
        if id_ in wanted:
            if got[id_] > wanted[id_]:
                yield j, 3, f"toolCall {id_} has {got[id_]} toolResults"
        elif any(id_ in _call_ids(earlier) for earlier in messages[:i]):
            yield j, 5, f"toolResult {id_} does not follow its call's reply directly"
        else:
            yield j, 2, f"toolResult {id_} has no toolCall before it"


def _call_ids(message: Any) -> list[Any]:
    return [_hashable(call.get("id")) for call in calls_of(message)]


def _result_id(message: Any) -> Any:
    return _hashable(message.get("tool_call_id"))


def _hashable(value: Any) -> Any:
    return value if isinstance(value, (str, int, type(None))) else repr(value)
