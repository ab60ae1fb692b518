"""Looking into bodies: what is where, and the words of OpenAI's API for what is wrong there."""

from __future__ import annotations

from typing import Any

from adapters.wire.dialects import Refused

_KINDS = {str: "a string", list: "an array", dict: "an object", bool: "a boolean", int: "an integer"}


def named(value: Any) -> str:
    """The kind of a JSON value as these APIs call it."""
    if value is None:
        return "null"
    if isinstance(value, float):
        return "a decimal"
    return _KINDS.get(type(value), type(value).__name__)


def want(body: dict[str, Any], key: str, kind: type, where: str = "", *, optional: bool = False) -> Any:
    """The member of a body, which has to be of this kind. Raises Refused."""
    path = f"{where}.{key}" if where else key
    value = body.get(key)
    if value is None:
        if optional:
            return None
        raise Refused(400, f"Missing required parameter: '{path}'.", param=path)
    right = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    if not right:
        wanted = "an array of objects" if kind is list else _KINDS[kind]
        words = f"Invalid type for '{path}': expected {wanted}, but got {named(value)} instead."
        raise Refused(400, words, param=path)
    return value


def an_object(value: Any, where: str) -> dict[str, Any]:
    """The value, which has to be an object. Raises Refused."""
    if not isinstance(value, dict):
        words = f"Invalid type for '{where}': expected an object, but got {named(value)} instead."
        raise Refused(400, words, param=where)
    return value
