"""OpenAI's chat completions: what comes in, and what that API refuses by its schema."""

from __future__ import annotations

import re
from typing import Any

from adapters.wire.dialects import Body, Refused
from adapters.wire.dialects.schema import an_object, not_empty, off_pattern, out_of, want, wrong_type
from adapters.wire.parts import content_of, loads, texts
from adapters.wire.parts import named as with_names

ROLES = ("system", "assistant", "user", "function", "tool", "developer")
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
KINDS = ("function", "custom")
NAME_FAULT = 13  # a name of a call that the API's pattern does not take
NUMBERS = {"temperature": (0, 2), "top_p": (0, 1), "presence_penalty": (-2, 2), "frequency_penalty": (-2, 2)}
COUNTS = ("max_tokens", "max_completion_tokens", "n")


def read(body: dict[str, Any]) -> Body:
    """The body in the normal form. Raises Refused."""
    if not body.get("model"):
        raise Refused(400, "you must provide a model parameter", param="model")
    model = want(body, "model", str)
    asked = want(body, "messages", list)
    _settings(body)
    found = Body("", [], _tools(body), model, bool(want(body, "stream", bool, optional=True)), asked=body)
    leading: list[Any] = []
    for at, message in enumerate(asked):
        where = f"messages[{at}]"
        role = _role(an_object(message, where), where)
        if role in ("system", "developer"):
            _system(message, where, leading, found)
        else:
            found.messages.append(_READERS[role](message, where, found))
    system = leading[0] if len(leading) == 1 else (leading or "")
    with_names(found.messages)
    return Body(system, found.messages, found.tools, model, found.streamed, found.odd, found.faults, body)


def _settings(body: dict[str, Any]) -> None:
    for key, (least, most) in NUMBERS.items():
        value = body.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise wrong_type(key, "a decimal", value)
        if not least <= value <= most:
            side = f"maximum value. Expected a value <= {most}"
            if value < least:
                side = f"minimum value. Expected a value >= {least}"
            raise Refused(400, f"Invalid '{key}': decimal out of range: {side}, but got {value}.", param=key)
    for key in COUNTS:
        value = want(body, key, int, optional=True)
        if value is not None and value < 1:
            words = f"Invalid '{key}': integer below minimum value. Expected a value >= 1, but got {value}"
            raise Refused(400, f"{words} instead.", param=key)
    options = want(body, "stream_options", dict, optional=True)
    if options is not None and not body.get("stream"):
        words = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise Refused(400, words, param="stream_options")
    if body.get("tool_choice") is not None and not body.get("tools"):
        words = "'tool_choice' is only allowed when 'tools' are specified."
        raise Refused(400, f"Invalid value for 'tool_choice': {words}", param="tool_choice")


def _role(message: dict[str, Any], where: str) -> str:
    role: str = want(message, "role", str, where)
    if role not in ROLES:
        raise out_of(role, f"{where}.role", ROLES)
    return role


def _content(message: dict[str, Any], where: str) -> Any:
    """A content that has to be a text or a list of parts."""
    content = message.get("content")
    if content is None:
        words = f"{where}: Invalid value for 'content': expected a string, got null."
        raise Refused(400, words, param=f"{where}.content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise wrong_type(f"{where}.content", "one of a string or array of objects", content)
    for number, part in enumerate(not_empty(content, f"{where}.content")):
        place = f"{where}.content[{number}]"
        if want(an_object(part, place), "type", str, place) == "text":
            want(part, "text", str, place)
    return content


def _system(message: dict[str, Any], where: str, leading: list[Any], found: Body) -> None:
    content = content_of(_content(message, where))
    if not found.messages:
        if content in leading:
            found.faults.append((12, f"{where}: the system prompt is given twice"))
        leading.append(content)
        return
    if content in leading:
        found.messages.append({"role": "system", "content": content})
        return
    found.odd.append(f"{where}: a {message['role']} message in the middle of the conversation")
    found.messages.append({"role": "user", "content": content})


def _user(message: dict[str, Any], where: str, found: Body) -> dict[str, Any]:  # noqa: ARG001
    return {"role": "user", "content": content_of(_content(message, where))}


def _tool(message: dict[str, Any], where: str, found: Body) -> dict[str, Any]:  # noqa: ARG001
    id_ = want(message, "tool_call_id", str, where)
    result = {"role": "toolResult", "tool_call_id": id_, "content": texts(_content(message, where))}
    if isinstance(message.get("name"), str):
        result["tool_name"] = message["name"]
    return result


def _assistant(message: dict[str, Any], where: str, found: Body) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    thought = message.get("reasoning_content")
    if isinstance(thought, str) and thought:
        blocks.append({"type": "thinking", "thinking": thought})
    calls = not_empty(want(message, "tool_calls", list, where, optional=True), f"{where}.tool_calls")
    if message.get("content") is not None:
        text = texts(_content(message, where))
        if text or not calls:  # beside calls an empty text is how many clients write that there is none
            blocks.append({"type": "text", "text": text})
    elif not calls and not message.get("function_call") and not message.get("refusal"):
        words = f"{where}: Invalid value for 'content': expected a string, got null."
        found.faults.append((8, words))
    for number, call in enumerate(calls):
        place = f"{where}.tool_calls[{number}]"
        blocks.append(_call(an_object(call, place), place, found))
    return {"role": "assistant", "content": blocks}


def _call(call: dict[str, Any], where: str, found: Body) -> dict[str, Any]:
    id_ = want(call, "id", str, where)
    kind = want(call, "type", str, where)
    if kind not in KINDS:
        raise out_of(kind, f"{where}.type", KINDS)
    function = want(call, kind, dict, where)
    name = want(function, "name", str, f"{where}.{kind}")
    if not NAME.fullmatch(name):
        found.faults.append((NAME_FAULT, off_pattern(f"{where}.{kind}.name")))
    given = want(function, "arguments" if kind == "function" else "input", str, f"{where}.{kind}")
    return {"type": "toolCall", "id": id_, "name": name, "arguments": loads(given)}


def _function(message: dict[str, Any], where: str, found: Body) -> dict[str, Any]:
    found.odd.append(f"{where}: the role 'function' is long out of use")
    content = texts(_content(message, where))
    return {"role": "toolResult", "tool_call_id": message.get("name"), "content": content}


_READERS = {"user": _user, "tool": _tool, "assistant": _assistant, "function": _function}


def _tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that the body offers, in the normal form."""
    found = []
    for at, tool in enumerate(not_empty(want(body, "tools", list, optional=True), "tools")):
        where = f"tools[{at}]"
        kind = want(an_object(tool, where), "type", str, where)
        if kind == "custom":
            custom = want(tool, "custom", dict, where)
            found.append({"name": want(custom, "name", str, f"{where}.custom"),
                          "description": custom.get("description", ""), "parameters": {}})  # fmt: skip
            continue
        if kind != "function":
            raise out_of(kind, f"{where}.type", KINDS)
        function = want(tool, "function", dict, where)
        name = want(function, "name", str, f"{where}.function")
        if not NAME.fullmatch(name):
            raise Refused(400, off_pattern(f"{where}.function.name"), param=f"{where}.function.name")
        parameters = want(function, "parameters", dict, f"{where}.function", optional=True)
        if parameters and parameters.get("type") != "object":
            got = f"got 'type: \"{parameters.get('type')}\"'"
            words = f"schema must be a JSON Schema of 'type: \"object\"', {got}."
            raise Refused(400, f"Invalid schema for function {name!r}: {words}")
        told = function.get("description", "")
        found.append({"name": name, "description": told, "parameters": parameters or {}})
    return found
