"""The input items of OpenAI's Responses API, read into messages.

Items are flat. Assistant items that follow each other are one reply of the normal form, unless the ids
that this provider gave them say otherwise; a call that stands behind the result of another call of its
own reply is moved to its reply.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from adapters.wire.dialects import Refused
from adapters.wire.dialects.schema import an_object, off_pattern, out_of, want, wrong_type
from adapters.wire.parts import content_of, loads

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
EMPTY = "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided."
TOO_LONG = "Expected a string with maximum length {}, but got a string with length {} instead."
LONGEST = 64  # characters of a call_id
OWN_ID = re.compile(r"(?:msg|fc|rs|it)_(\d+)_\d+")
NAME_FAULT = 13  # a name of a call that the API's pattern does not take
ALONE_FAULT = 14  # a reasoning item with nothing of its reply behind it
LONG_FAULT = 15  # a call_id that is too long
ROLES = ("assistant", "system", "developer", "user")
CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
RESULTS = ("function_call_output", "custom_tool_call_output")
PARTS = (
    "input_text", "input_image", "output_text", "refusal", "input_file", "computer_screenshot",
    "summary_text",
)  # fmt: skip
# Items that the API knows and no scripted reply holds.
OTHERS = (
    "file_search_call", "computer_call", "computer_call_output", "web_search_call", "image_generation_call",
    "code_interpreter_call", "local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output",
    "apply_patch_call", "apply_patch_call_output", "mcp_list_tools", "mcp_approval_request",
    "mcp_approval_response", "mcp_call", "compaction", "tool_search_call", "tool_search_output",
    "additional_tools",
)  # fmt: skip
KNOWN = ("message", *CALLS, *RESULTS, "reasoning", "item_reference", *OTHERS)


class Reader:
    """Reads items one after the other into messages."""

    def __init__(self) -> None:
        self.leading: list[Any] = []
        self.messages: list[dict[str, Any]] = []
        self.faults: list[tuple[int, str]] = []
        self.odd: list[str] = []
        self._open: dict[str, Any] | None = None  # the reply that the next assistant item may belong to
        self._answer: str | None = None  # which answer of the run that reply was, if its ids say so
        self._ids: Counter[str] = Counter()

    def all(self, items: list[Any]) -> None:
        """Read all items."""
        if not items:
            self.faults.append((9, EMPTY))
        for at, item in enumerate(items):
            self._item(an_object(item, f"input[{at}]"), f"input[{at}]", items[at + 1 :])
        for id_, count in self._ids.items():
            if count > 1:
                words = "Remove duplicate items from your input and try again."
                self.faults.append((4, f"Duplicate item found with id {id_}. {words}"))

    def _item(self, item: dict[str, Any], where: str, later: list[Any]) -> None:
        kind: str = "message" if "role" in item and "type" not in item else want(item, "type", str, where)
        id_ = want(item, "id", str, where, optional=True)
        if kind == "item_reference":
            words = f"Item with id '{id_}' not found. Items are not persisted when `store` is set to false."
            raise Refused(404, words, param="input")
        if id_ is not None:
            self._ids[id_] += 1
        if kind == "message":
            self._message(item, where, id_)
        elif kind in CALLS:
            self._call(item, CALLS[kind], where, id_)
        elif kind in RESULTS:
            self._result(item, where)
        elif kind == "reasoning":
            self._reasoning(item, where, id_, later)
        elif kind in OTHERS:
            self.odd.append(f"{where}: a {kind} item is not looked at")
        elif not (OWN_ID.fullmatch(id_ or "") and kind in item):
            raise out_of(kind, f"{where}.type", KNOWN)
        else:  # a block that this provider sent comes back
            self.odd.append(f"{where}: an item of the type {kind}")
            self._block({"type": kind, kind: item[kind]}, id_)

    def _block(self, block: dict[str, Any], id_: str | None) -> None:
        """Add a block to the reply that it belongs to."""
        match = OWN_ID.fullmatch(id_ or "")
        answer = match and match.group(1)
        after_result = bool(self.messages) and self.messages[-1] is not self._open
        told = bool(answer and self._answer)
        same = self._open is not None and (answer == self._answer if told else not after_result)
        if not same:
            self._open = {"role": "assistant", "content": []}
            self.messages.append(self._open)
            self._answer = None
        assert self._open is not None
        self._answer = answer or self._answer
        self._open["content"].append(block)

    def _message(self, item: dict[str, Any], where: str, id_: str | None) -> None:
        role = want(item, "role", str, where)
        if role not in ROLES:
            raise out_of(role, f"{where}.role", ROLES)
        content = self._content(item, where, role)
        if role == "assistant":
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for block in blocks:
                self._block(block, id_)
            if not blocks:
                words = f"Invalid '{where}.content': empty array. Expected an array with minimum length 1."
                self.faults.append((8, words))
            return
        self._open = None
        content = content_of(content)
        if role == "user":
            self.messages.append({"role": "user", "content": content})
        elif not self.messages:
            if content in self.leading:
                self.faults.append((12, f"{where}: the system prompt is given twice"))
            self.leading.append(content)
        elif content in self.leading:
            self.messages.append({"role": "system", "content": content})
        else:
            self.odd.append(f"{where}: a {role} message in the middle of the conversation")
            self.messages.append({"role": "user", "content": content})

    def _content(self, item: dict[str, Any], where: str, role: str) -> Any:
        content = item.get("content")
        if isinstance(content, str):
            return content
        if content is None:
            raise Refused(400, f"Missing required parameter: '{where}.content'.", param=f"{where}.content")
        if not isinstance(content, list):
            raise text_or_parts(content, f"{where}.content")
        return [self._part(part, f"{where}.content[{at}]", role) for at, part in enumerate(content)]

    def _part(self, part: Any, where: str, role: str) -> dict[str, Any]:
        kind = want(an_object(part, where), "type", str, where)
        allowed = ("output_text", "refusal") if role == "assistant" else PARTS
        if kind not in allowed:
            raise out_of(kind, where, allowed)
        if kind in ("input_text", "output_text", "summary_text"):
            return {"type": "text", "text": want(part, "text", str, where)}
        self.odd.append(f"{where}: a part of the type {kind}")
        return {key: value for key, value in part.items() if not key.startswith("_")}

    def _call(self, item: dict[str, Any], key: str, where: str, id_: str | None) -> None:
        call_id, name = want(item, "call_id", str, where), want(item, "name", str, where)
        given = want(item, key, str, where)
        if len(call_id) > LONGEST:
            words = f"Invalid '{where}.call_id': string too long. {TOO_LONG.format(LONGEST, len(call_id))}"
            self.faults.append((LONG_FAULT, words))
        if not NAME.fullmatch(name):
            self.faults.append((NAME_FAULT, off_pattern(f"{where}.name")))
        arguments = loads(given) if key == "arguments" else given
        self._block({"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}, id_)

    def _result(self, item: dict[str, Any], where: str) -> None:
        call_id = want(item, "call_id", str, where)
        given = item.get("output")
        if given is None:
            raise Refused(400, f"Missing required parameter: '{where}.output'.", param=f"{where}.output")
        if isinstance(given, list):
            parts = [self._part(part, f"{where}.output[{at}]", "user") for at, part in enumerate(given)]
            given = "".join(part["text"] if part["type"] == "text" else f"[{part['type']}]" for part in parts)
        elif not isinstance(given, str):
            raise text_or_parts(given, f"{where}.output")
        self.messages.append({"role": "toolResult", "tool_call_id": call_id, "content": given})

    def _reasoning(self, item: dict[str, Any], where: str, id_: str | None, later: list[Any]) -> None:
        summary = want(item, "summary", list, where)
        parts = [*summary, *(item.get("content") or ())]
        texts = [part.get("text") for part in parts if isinstance(part, dict)]
        self._block({"type": "thinking", "thinking": "".join(t for t in texts if isinstance(t, str))}, id_)
        follows = later[0] if later and isinstance(later[0], dict) else {}
        if follows.get("type") not in ("reasoning", *CALLS) and follows.get("role") != "assistant":
            words = f"Item '{id_}' of type 'reasoning' was provided without its required following item."
            self.faults.append((ALONE_FAULT, words))


def text_or_parts(value: Any, where: str) -> Refused:
    """The refusal of what is neither a text nor a list of parts."""
    return wrong_type(where, "one of an array of objects or string", value)
