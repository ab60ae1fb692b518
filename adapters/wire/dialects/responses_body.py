"""OpenAI's Responses API: what comes in, and what that API refuses.

Items are flat. Assistant items that follow each other are one reply of the normal form, unless the ids
that this provider gave them say otherwise; a call that stands behind the result of another call of its
own reply is moved to its reply. Nothing is kept from one request to the next: a `previous_response_id`, a
conversation and an item reference are refused as what is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from adapters.normal import calls_of
from adapters.wire.dialects import Body, Refused, Route
from adapters.wire.dialects.schema import an_object, named, want
from adapters.wire.parts import content_of, loads
from adapters.wire.parts import named as with_names

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
OWN_ID = re.compile(r"(?:msg|fc|rs|it)_(\d+)_\d+")
NAME_FAULT = 13  # a name of a call that the API's pattern does not take
ALONE_FAULT = 14  # a reasoning item with nothing of its reply behind it
LONG_FAULT = 15  # a call_id of more than 64 characters
ROLES = ("assistant", "system", "developer", "user")
MOVED = {"messages": "input", "max_tokens": "max_output_tokens", "response_format": "text.format"}
CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
RESULTS = ("function_call_output", "custom_tool_call_output")
PARTS = ("input_text", "input_image", "output_text", "refusal", "input_file", "computer_screenshot", "summary_text")
# Items that the API knows and no scripted reply holds.
OTHERS = (
    "file_search_call", "computer_call", "computer_call_output", "web_search_call", "image_generation_call",
    "code_interpreter_call", "local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output",
    "apply_patch_call", "apply_patch_call_output", "mcp_list_tools", "mcp_approval_request",
    "mcp_approval_response", "mcp_call", "compaction", "tool_search_call", "tool_search_output",
    "additional_tools",
)  # fmt: skip
KNOWN = ("message", *CALLS, *RESULTS, "reasoning", "item_reference", *OTHERS)


def read(body: dict[str, Any], route: Route) -> Body:  # noqa: ARG001
    """The body in the normal form. Raises Refused."""
    for old, new in MOVED.items():
        if old in body:
            raise Refused(400, f"Unsupported parameter: '{old}'. In the Responses API, this parameter has moved to "
                          f"'{new}'.", param=old)  # fmt: skip
    model = want(body, "model", str)
    for key in ("previous_response_id", "conversation"):
        if body.get(key) is not None:
            what = "Previous response" if key.startswith("prev") else "Conversation"
            status = 400 if key.startswith("prev") else 404
            id_ = body[key]["id"] if isinstance(body[key], dict) and "id" in body[key] else body[key]
            raise Refused(status, f"{what} with id '{id_}' not found.", param=key)
    reader = _Reader()
    instructions = want(body, "instructions", str, optional=True)
    if instructions is not None:
        reader.leading.append(instructions)
    reader.all(_input(body))
    streamed = bool(want(body, "stream", bool, optional=True))
    system = reader.leading[0] if len(reader.leading) == 1 else (reader.leading or "")
    messages = with_names(reader.messages)
    faults = [*reader.faults, *_pairs(messages)]
    return Body(system, messages, _tools(body), model, streamed, reader.odd, faults, body)


def _input(body: dict[str, Any]) -> list[Any]:
    given = body.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if given is None:
        raise Refused(400, "Missing required parameter: 'input'.", param="input")
    if not isinstance(given, list):
        words = f"Invalid type for 'input': expected one of an array of input items or a string, but got {named(given)} "
        raise Refused(400, f"{words}instead.", param="input")
    return given


class _Reader:
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
            words = "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided."
            self.faults.append((9, words))
        for at, item in enumerate(items):
            self._item(an_object(item, f"input[{at}]"), f"input[{at}]", items[at + 1 :])
        for id_, count in self._ids.items():
            if count > 1:
                words = f"Duplicate item found with id {id_}. Remove duplicate items from your input and try again."
                self.faults.append((4, words))

    def _item(self, item: dict[str, Any], where: str, later: list[Any]) -> None:
        kind = item.get("type", "message" if "role" in item else None)
        if not isinstance(kind, str):
            want(item, "type", str, where)
        id_ = want(item, "id", str, where, optional=True)
        if kind == "item_reference":
            raise Refused(404, f"Item with id '{id_}' not found. Items are not persisted when `store` is set to false.",
                          param="input")  # fmt: skip
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
        elif not (OWN_ID.fullmatch(id_ or "") and kind in item):  # a block that this provider sent comes back
            listed = ", ".join(f"'{each}'" for each in KNOWN[:-1])
            words = f"Invalid value: '{kind}'. Supported values are: {listed}, and '{KNOWN[-1]}'."
            raise Refused(400, words, param=f"{where}.type")
        else:
            self.odd.append(f"{where}: an item of the type {kind}")
            self._block({"type": kind, kind: item[kind]}, id_)

    def _block(self, block: dict[str, Any], id_: str | None) -> None:
        """Add a block to the reply that it belongs to."""
        match = OWN_ID.fullmatch(id_ or "")
        answer = match and match.group(1)
        after_result = bool(self.messages) and self.messages[-1] is not self._open
        same = self._open is not None and (
            answer == self._answer if answer and self._answer else not after_result
        )
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
            raise Refused(400, f"Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', and "
                          "'user'.", param=f"{where}.role")  # fmt: skip
        content = self._content(item, where, role)
        if role == "assistant":
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for block in blocks:
                self._block(block, id_)
            if not blocks:
                self.faults.append((8, f"Invalid '{where}.content': empty array. Expected an array with minimum length 1."))
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
            words = f"Invalid type for '{where}.content': expected one of an array of objects or string, but got "
            raise Refused(400, f"{words}{named(content)} instead.", param=f"{where}.content")
        return [self._part(part, f"{where}.content[{at}]", role) for at, part in enumerate(content)]

    def _part(self, part: Any, where: str, role: str) -> dict[str, Any]:
        kind = want(an_object(part, where), "type", str, where)
        allowed = ("output_text", "refusal") if role == "assistant" else PARTS
        if kind not in allowed:
            listed = ", ".join(f"'{each}'" for each in allowed[:-1])
            comma = "," if len(allowed) > 2 else ""
            words = f"Invalid value: '{kind}'. Supported values are: {listed}{comma} and '{allowed[-1]}'."
            raise Refused(400, words, param=where)
        if kind in ("input_text", "output_text", "summary_text"):
            return {"type": "text", "text": want(part, "text", str, where)}
        self.odd.append(f"{where}: a part of the type {kind}")
        return {key: value for key, value in part.items() if not key.startswith("_")}

    def _call(self, item: dict[str, Any], key: str, where: str, id_: str | None) -> None:
        call_id, name = want(item, "call_id", str, where), want(item, "name", str, where)
        given = want(item, key, str, where)
        if len(call_id) > 64:
            self.faults.append((LONG_FAULT, f"Invalid '{where}.call_id': string too long. Expected a string with maximum "
                                f"length 64, but got a string with length {len(call_id)} instead."))  # fmt: skip
        if not NAME.fullmatch(name):
            self.faults.append((NAME_FAULT, f"Invalid '{where}.name': string does not match pattern. Expected a string "
                                "that matches the pattern '^[a-zA-Z0-9_-]+$'."))  # fmt: skip
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
            words = f"Invalid type for '{where}.output': expected one of an array of objects or string, but got "
            raise Refused(400, f"{words}{named(given)} instead.", param=f"{where}.output")
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


def _pairs(messages: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """Calls without an output anywhere, and outputs without a call, in this API's words."""
    calls = [call["id"] for message in messages for call in calls_of(message)]
    results = [m["tool_call_id"] for m in messages if m["role"] == "toolResult"]
    return [
        *((1, f"No tool output found for function call {id_}.") for id_ in calls if id_ not in results),
        *((2, f"No tool call found for function call output with call_id {id_}.") for id_ in results if id_ not in calls),
    ]


def _tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that the body offers, in the normal form; tools that the provider runs are not told."""
    found = []
    for at, tool in enumerate(want(body, "tools", list, optional=True) or ()):
        where = f"tools[{at}]"
        kind = want(an_object(tool, where), "type", str, where)
        if kind not in ("function", "custom"):
            continue
        name = want(tool, "name", str, where)
        if not NAME.fullmatch(name):
            raise Refused(400, f"Invalid '{where}.name': string does not match pattern. Expected a string that matches "
                          "the pattern '^[a-zA-Z0-9_-]+$'.", param=f"{where}.name")  # fmt: skip
        parameters = want(tool, "parameters", dict, where, optional=True) if kind == "function" else {}
        if parameters and parameters.get("type") != "object":
            raise Refused(400, f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"', "
                          f"got 'type: \"{parameters.get('type')}\"'.")  # fmt: skip
        found.append({"name": name, "description": tool.get("description") or "", "parameters": parameters or {}})
    return found
