"""Looking into bodies of Google's generateContent: protocol buffers as JSON, and its words for what is wrong.

A member may be written in camelCase or as protocol buffers call it, one message alone is taken for a list
of one, and what is not there is empty.
"""

from __future__ import annotations

import json
import re
from typing import Any

from adapters.wire.dialects import Refused
from adapters.wire.parts import content_of

DECLARED = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
NAMES = (
    "Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), "
    "underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128."
)
TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")


def get(found: dict[str, Any], key: str) -> Any:
    """A member by its name in camelCase, or as protocol buffers call it."""
    return found.get(key, found.get(snake(key)))


def snake(key: str) -> str:
    """The name of a member as protocol buffers have it."""
    return re.sub(r"[A-Z]", lambda match: f"_{match.group().lower()}", key)


def listed(value: Any) -> list[Any]:
    """A repeated field: one message alone is taken for a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _invalid(where: str, kind: str, value: Any) -> Refused:
    return Refused(400, f"Invalid value at '{where}' ({kind}), {json.dumps(value)}")


def struct(value: Any, where: str) -> dict[str, Any]:
    """A value that has to be an object. Raises Refused."""
    if not isinstance(value, dict):
        raise _invalid(where, "type.googleapis.com/google.protobuf.Struct", value)
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _invalid(where, "TYPE_STRING", value)
    return value


def optional(found: dict[str, Any], key: str, where: str) -> str:
    """A text member; one that is not there is empty, as protocol buffers have it."""
    value = get(found, key)
    return "" if value is None else _text(value, f"{where}.{snake(key)}")


def result_of(held: dict[str, Any]) -> tuple[str, dict[str, bool]]:
    """A result's text, and whether it is marked as an error: what the API says of "output" and "error"."""
    for key, marked in (("output", False), ("error", True)):
        if key in held:
            return _said(held[key]), {"is_error": marked}
    if len(held) == 1:  # {"result": …} and {"content": …} are common
        return _said(next(iter(held.values()))), {}
    return _said(held), {}


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def system(body: dict[str, Any]) -> Any:
    """The system instruction: a text, or its parts."""
    given = get(body, "systemInstruction")
    if given is None:
        return ""
    parts = listed(get(struct(given, "system_instruction"), "parts"))
    where = "system_instruction.parts"
    found = [
        {"type": "text", "text": optional(struct(part, f"{where}[{k}]"), "text", f"{where}[{k}]")}
        for k, part in enumerate(parts)
    ]
    return content_of(found) if found else ""


def tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that the body offers, in the normal form; tools that the provider runs are not told."""
    found: list[dict[str, Any]] = []
    for at, tool in enumerate(listed(get(body, "tools"))):
        declared = listed(get(struct(tool, f"tools[{at}]"), "functionDeclarations"))
        for k, each in enumerate(declared):
            where = f"tools[{at}].function_declarations[{k}]"
            name = optional(struct(each, where), "name", where)
            if not DECLARED.fullmatch(name):
                raise Refused(400, f"* GenerateContentRequest.{where}.name: {NAMES}\n")
            if any(other["name"] == name for other in found):
                raise Refused(400, f"Duplicate function declaration found: {name}")
            schema, given = get(each, "parameters"), get(each, "parametersJsonSchema")
            if schema is not None and given is not None:
                words = "parameters and parameters_json_schema must not both be set."
                raise Refused(400, f"* GenerateContentRequest.{where}: {words}\n")
            parameters = given if schema is None else plain_schema(struct(schema, f"{where}.parameters"))
            told = optional(each, "description", where)
            found.append({"name": name, "description": told, "parameters": parameters or {}})
    return found


def plain_schema(schema: Any) -> Any:
    """A schema of this API as JSON Schema: it writes the names of types in capitals."""
    if isinstance(schema, list):
        return [plain_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {}
    for key, value in schema.items():
        if key == "type" and value in TYPES:
            plain[key] = value.lower()
        elif key == "properties" and isinstance(value, dict):
            plain[key] = {name: plain_schema(each) for name, each in value.items()}
        elif key in ("items", "anyOf", "any_of"):
            plain[key] = plain_schema(value)
        else:
            plain[key] = value
    return plain
