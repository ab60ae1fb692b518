"""Exceptions on their way: the suite's own as data, the harness's as objects."""

from __future__ import annotations

from typing import Any


class Foreign(Exception):
    """An exception of the harness's own, told by its type's name and its text."""


class ForeignExit(BaseException):
    """The same for one that no guard catches."""


def bare(error: BaseException) -> str:
    """What an exception was raised with, without what Python's own types put round it when shown."""
    if isinstance(error, UnicodeError):
        return str(getattr(error, "reason", error))
    if isinstance(error, KeyError) and len(error.args) == 1 and isinstance(error.args[0], str):
        return error.args[0]
    return str(error)


_kinds: dict[tuple[str, bool], type[BaseException]] = {}


def foreign(error: dict[str, Any], text: str) -> BaseException:
    """An exception that is called as the harness's is."""
    usual = error.get("exception") is not False
    name = "".join(filter(str.isprintable, str(error["type"])[:200])) or "Error"
    if (name, usual) not in _kinds:
        _kinds[name, usual] = type(name, (Foreign if usual else ForeignExit,), {})
    return _kinds[name, usual](text)
