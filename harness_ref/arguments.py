"""The arguments of a call: a schema that asks the model for them, and reading what it wrote.

Nothing makes a model obey a schema, so every tool reads its arguments through here.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

Default = TypeVar("Default")


def schema(texts: Sequence[str], numbers: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of an object with required texts and optional whole numbers."""
    asked = {name: {"type": "string"} for name in texts}
    asked |= {name: {"type": "integer"} for name in numbers}
    return {"type": "object", "properties": asked, "required": [*texts]}


def str_arg(arguments: Any, name: str) -> str:
    """Return the text argument `name`; the empty text is one.

    Raises ValueError, naming the argument, if it is anything but text, or absent, as it is from
    `arguments` that are no object.
    """
    value = _member(arguments, name)
    if isinstance(value, str):
        return value
    raise ValueError(f"{name} must be a text")


def int_arg(arguments: Any, name: str, default: Default) -> int | Default:
    """Return the whole-number argument `name`, or `default` if it is absent or null.

    Raises ValueError, naming the argument, for anything else, true and false among them.
    """
    value = _member(arguments, name)
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"{name} must be a whole number")


def _member(arguments: Any, name: str) -> Any:
    return arguments.get(name) if isinstance(arguments, dict) else None
