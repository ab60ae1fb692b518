"""Looking into bodies: what is where, and the words of OpenAI's API for what is wrong there."""

from __future__ import annotations

from typing import Any

from adapters.wire.dialects import Refused, Route

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
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise wrong_type(path, "an array of objects" if kind is list else _KINDS[kind], value)
    return value


def listing(method: str, path: str) -> Route | None:
    """The route of a list of models or of one of them, where the path has no other version than v1."""
    head, _, model = path.partition("?")[0].strip("/").removeprefix("v1/").partition("/")
    return Route("models", model=model or None) if method == "GET" and head == "models" else None


def an_object(value: Any, where: str) -> dict[str, Any]:
    """The value, which has to be an object. Raises Refused."""
    if not isinstance(value, dict):
        raise wrong_type(where, "an object", value)
    return value


def wrong_type(where: str, wanted: str, value: Any) -> Refused:
    """The refusal of a value of the wrong kind."""
    words = f"Invalid type for '{where}': expected {wanted}, but got {named(value)} instead."
    return Refused(400, words, param=where)


def not_empty(value: list[Any] | None, where: str) -> list[Any]:
    """The list, which may be left out but not be empty. Raises Refused."""
    if value is not None and not value:
        words = f"Invalid '{where}': empty array. Expected an array with minimum length 1,"
        raise Refused(400, f"{words} but got an empty array instead.", param=where)
    return value or []


def out_of(value: str, where: str, known: tuple[str, ...]) -> Refused:
    """The refusal of a text that is none of those that are known."""
    comma = "," if len(known) > 2 else ""
    listed = f"{', '.join(repr(each) for each in known[:-1])}{comma} and {known[-1]!r}"
    return Refused(400, f"Invalid value: '{value}'. Supported values are: {listed}.", param=where)


def off_pattern(where: str) -> str:
    """The words for a name that does not match the pattern of names."""
    words = f"Invalid '{where}': string does not match pattern."
    return f"{words} Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
