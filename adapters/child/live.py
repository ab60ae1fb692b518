"""Live objects for what a script only names: exceptions, odd values, edits of arguments.

Standard library only and no import of the suite.
"""

from __future__ import annotations

import builtins
import json

from . import codec
from .pool import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from typing import Any


class Stop(BaseException):
    """Ends a run that has outlived its script. Not an Exception, so that no guard catches it."""


class Failure(Exception):
    """A scripted tool's own kind of exception."""


class BrokenText(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("this exception has no readable text")

    __repr__ = __str__


def make_exception(kind: str, text: str) -> BaseException:
    """The live exception that a script names. Unknown names are a fault of the script."""
    special = {"NoText": ValueError, "BrokenText": BrokenText, "Failure": Failure}
    if kind == "NoText":
        return ValueError()
    if kind == "UnicodeDecodeError":
        return UnicodeDecodeError("utf-8", b"\xff", 0, 1, text)
    if kind == "CancelledError":
        from asyncio import CancelledError

        return CancelledError(text)
    made: type[BaseException] = special.get(kind) or getattr(builtins, kind)
    return made(text)


def odd_value(kind: str) -> Any:
    """The live value that a script names where a tool returns something that is not text."""
    cycle: list[Any] = []
    cycle.append(cycle)
    return {
        "None": None, "True": True, "False": False, "int": 42, "float": 1.5, "bytes": b"\xffab",
        "list": ["a", 1], "dict": {"error": "no"}, "nested": {"a": {"b": [1, {"c": None}]}},
        "set": {1}, "cycle": cycle, "object": object(), "huge": "x" * 10_000_000,
        "surrogate": "a\ud800b",
    }[kind]  # fmt: skip


def change(value: Any, depth: int = 0) -> None:
    """Edit a live argument value in place, nested containers first."""
    if depth > 3:
        return
    if isinstance(value, dict):
        for inner in list(value.values()):
            change(inner, depth + 1)
        value["changed"] = True
    elif isinstance(value, list):
        for inner in value:
            change(inner, depth + 1)
        value.append("changed")


def shown_error(error: BaseException, keys: dict[int, str], home: str) -> dict[str, Any]:
    """An exception that came out of the harness: what it is and where in the harness it rose."""
    try:
        text = str(error)
    except Exception:
        text = "<no readable text>"
    where, frame = "", error.__traceback__
    while frame is not None:
        code = frame.tb_frame.f_code
        if code.co_filename == home:
            where = f"line {frame.tb_lineno} in {code.co_name}"
        frame = frame.tb_next
    return {
        "type": type(error).__name__, "text": codec.encode(text[:2000]), "key": keys.get(id(error)),
        "is_exception": isinstance(error, Exception), "where": where,
    }  # fmt: skip


def mark(value: Any) -> Any:
    """Something that differs as soon as the value does."""
    return fingerprint(value) or json.dumps(codec.encode(value))


def same(one: Any, other: Any) -> bool:
    """Whether two argument values are equal; odd ones that cannot be compared are not."""
    try:
        return bool(one == other)
    except Exception:
        return False


def public(tool: Any) -> Any:
    """A tool as it can be written down: everything but what it runs; what is no dict, as it is."""
    return {k: v for k, v in tool.items() if k != "execute"} if isinstance(tool, dict) else tool
