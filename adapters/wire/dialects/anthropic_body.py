"""Anthropic's Messages API: what comes in, and what that API refuses by its schema."""

from __future__ import annotations

import functools
import re
from typing import Any

from adapters.wire.dialects import Body, Refused
from adapters.wire.parts import named, texts

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
ID = re.compile(r"[a-zA-Z0-9_-]+")
NAME_FAULT, ID_FAULT, BLANK_FAULT, TAIL_FAULT, EXTRA_FAULT = 13, 14, 15, 16, 17
_KINDS = {str: "string", list: "list", dict: "dictionary", bool: "boolean", int: "integer"}


def read(body: dict[str, Any]) -> Body:
    """The body in the normal form. Raises Refused."""
    model = _want(body, "model", str)
    if _want(body, "max_tokens", int) < 1:
        raise Refused(400, "max_tokens: Input should be greater than or equal to 1")
    asked = _want(body, "messages", list)
    streamed = bool(_want(body, "stream", bool, optional=True))
    heat = body.get("temperature")
    number = isinstance(heat, (int, float)) and not isinstance(heat, bool)
    if heat is not None and not (number and 0 <= heat <= 1):
        raise Refused(400, "temperature: range: 0..1")
    found = Body("", [], _tools(body), model, streamed, asked=body)
    if body.get("tool_choice") is not None and not body.get("tools"):
        raise Refused(400, "tool_choice may only be specified while providing tools.")
    for at, message in enumerate(asked):
        _message(message, f"messages.{at}", found)
    _tail(found)
    system = _system(body, found)
    named(found.messages)
    return Body(system, found.messages, found.tools, model, streamed, found.odd, found.faults, body)


def _want(body: dict[str, Any], key: str, kind: type, where: str = "", *, optional: bool = False) -> Any:
    path = f"{where}.{key}" if where else key
    value = body.get(key)
    if value is None and (optional or key not in body):
        if optional:
            return None
        raise Refused(400, f"{path}: Field required")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refused(400, f"{path}: Input should be a valid {_KINDS[kind]}")
    return value


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refused(400, f"{where}: Input should be a valid dictionary or object to extract fields from")
    return value


def _system(body: dict[str, Any], found: Body) -> Any:
    given = body.get("system")
    if given is None or isinstance(given, str):
        return given or ""
    if not isinstance(given, list):
        raise Refused(400, "system: Input should be a valid string or list")
    told = []
    for at, block in enumerate(given):
        where = f"system.{at}"
        if _want(_object(block, where), "type", str, where) != "text":
            raise Refused(400, f"{where}.type: Input should be 'text'")
        told.append(_want(block, "text", str, where))
        _blank(told[-1], "system", found)
    return told[0] if len(told) == 1 else (told or "")


def _message(message: Any, where: str, found: Body) -> None:
    role = _want(_object(message, where), "role", str, where)
    if role not in ("user", "assistant", "system"):
        raise Refused(400, f"{where}.role: Input should be 'user' or 'assistant'")
    _extras(message, "MessageParam", where, found)
    content = message.get("content")
    if "content" not in message:
        raise Refused(400, f"{where}.content: Field required")
    if role == "system":
        _middle(texts(content), where, found)
        return
    if isinstance(content, str):
        _blank(content, where, found)
        blocks = [{"type": "text", "text": content}]
        empty = role == "assistant" and not content
        kept: Any = ([] if empty else blocks) if role == "assistant" else content
        found.messages.append({"role": role, "content": kept})
        return
    if not isinstance(content, list):
        raise Refused(400, f"{where}.content: Input should be a valid list")
    blocks = [_checked(block, f"{where}.content.{at}", found) for at, block in enumerate(content)]
    found.messages.extend([_assistant(blocks, where, found)] if role == "assistant" else _user(blocks, where))


def _middle(text: str, where: str, found: Body) -> None:
    """A system message among the others: a user's, unless it says the system prompt once more."""
    given = found.asked.get("system")
    if text and text == (given if isinstance(given, str) else texts(given)):
        found.messages.append({"role": "system", "content": text})
        return
    found.odd.append(f"{where}: a system message in the middle of the conversation")
    found.messages.append({"role": "user", "content": text})


def _checked(block: Any, where: str, found: Body) -> dict[str, Any]:
    """A block that has what its type asks for."""
    kind = _want(_object(block, where), "type", str, where)
    if kind == "text":
        _blank(_want(block, "text", str, f"{where}.text"), where, found)
        _extras(block, "TextBlockParam", f"{where}.text", found)
    elif kind == "tool_use":
        where = f"{where}.tool_use"
        if not ID.fullmatch(_want(block, "id", str, where)):
            words = "String should match pattern '^[a-zA-Z0-9_-]+$'"
            found.faults.append((ID_FAULT, f"{where}.id: {words}"))
        if not NAME.fullmatch(_want(block, "name", str, where)):
            words = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
            found.faults.append((NAME_FAULT, f"{where}.name: {words}"))
        if "input" not in block:
            raise Refused(400, f"{where}.input: Field required")
        _extras(block, "ToolUseBlockParam", where, found)
    elif kind == "tool_result":
        _want(block, "tool_use_id", str, f"{where}.tool_result")
        _want(block, "is_error", bool, f"{where}.tool_result", optional=True)
        if block.get("content") is not None and not isinstance(block["content"], (str, list)):
            raise Refused(400, f"{where}.tool_result.content: Input should be a valid list")
        _extras(block, "ToolResultBlockParam", f"{where}.tool_result", found)
    elif kind == "thinking":
        _want(block, "thinking", str, f"{where}.thinking")
        _want(block, "signature", str, f"{where}.thinking")
    return block  # type: ignore[no-any-return]


def _assistant(blocks: list[dict[str, Any]], where: str, found: Body) -> dict[str, Any]:
    content = []
    for block in blocks:
        if block["type"] == "text":
            content.append({"type": "text", "text": block["text"]})
        elif block["type"] == "tool_use":
            call = {"type": "toolCall", "id": block["id"], "name": block["name"], "arguments": block["input"]}
            content.append(call)
        elif block["type"] == "thinking":
            content.append({"type": "thinking", "thinking": block["thinking"]})
        elif block["type"] == "tool_result":
            raise Refused(400, f"{where}: `tool_result` blocks can only be in `user` messages")
        else:
            found.odd.append(f"{where}: a block of type {block['type']}")
            content.append(block)
    return {"role": "assistant", "content": content}


def _user(blocks: list[dict[str, Any]], where: str) -> list[dict[str, Any]]:
    """The messages of a user's turn: a result each, and the rest in between as it comes."""
    found: list[dict[str, Any]] = []
    for block in blocks:
        if block["type"] == "tool_use":
            raise Refused(400, f"{where}: `tool_use` blocks can only be in `assistant` messages")
        if block["type"] == "tool_result":
            found.append({
                "role": "toolResult", "tool_call_id": block["tool_use_id"],
                "content": texts(block.get("content") or ""), "is_error": bool(block.get("is_error")),
            })  # fmt: skip
            continue
        part = {"type": "text", "text": block["text"]} if block["type"] == "text" else block
        if found and found[-1]["role"] == "user":
            found[-1]["content"].append(part)
        else:
            found.append({"role": "user", "content": [part]})
    for message in found:
        content = message["content"]
        if message["role"] == "user" and len(content) == 1 and content[0]["type"] == "text":
            message["content"] = content[0]["text"]
    return found or [{"role": "user", "content": ""}]


def _blank(text: str, where: str, found: Body) -> None:
    if not text.strip():
        words = "contain non-whitespace text" if text else "be non-empty"
        place = "system" if where == "system" else "messages"
        found.faults.append((BLANK_FAULT, f"{place}: text content blocks must {words} ({where})"))


def _tail(found: Body) -> None:
    last = found.messages[-1] if found.messages else {}
    content = last.get("content") if last.get("role") == "assistant" else None
    if content and content[-1].get("type") == "text" and content[-1]["text"] != content[-1]["text"].rstrip():
        words = "messages: final assistant content cannot end with trailing whitespace"
        found.faults.append((TAIL_FAULT, words))


@functools.cache
def _keys(name: str) -> frozenset[str]:
    """The members that the official type has."""
    import anthropic.types

    if name == "MessageParam":
        return frozenset({"role", "content"})
    return frozenset(getattr(anthropic.types, name).__annotations__)


def _extras(value: dict[str, Any], name: str, where: str, found: Body) -> None:
    for key in sorted(set(value) - _keys(name)):
        found.faults.append((EXTRA_FAULT, f"{where}.{key}: Extra inputs are not permitted"))


def _tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The tools that the body offers, in the normal form; tools of the provider's own have no schema."""
    found: list[dict[str, Any]] = []
    for at, tool in enumerate(_want(body, "tools", list, optional=True) or ()):
        where = f"tools.{at}"
        kind = _want(_object(tool, where), "type", str, where, optional=True) or "custom"
        where = f"{where}.{kind}"
        name = _want(tool, "name", str, where)
        if not NAME.fullmatch(name):
            raise Refused(400, f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if any(name == each["name"] for each in found):
            raise Refused(400, "tools: Tool names must be unique.")
        schema: dict[str, Any] = {}
        if kind == "custom":
            schema = _want(tool, "input_schema", dict, where)
            if schema.get("type") != "object":
                raise Refused(400, f"{where}.input_schema.type: Input should be 'object'")
        found.append({"name": name, "description": tool.get("description", ""), "parameters": schema})
    return found
