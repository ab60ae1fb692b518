"""Scripts on paper: as Python that rebuilds them, and as JSON that a replay reads.

Both forms leave out what has its default value, so that a small script looks small.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

from strategies import script as _script

KINDS: dict[str, type] = {
    name: kind
    for name, kind in vars(_script).items()
    if isinstance(kind, type) and dataclasses.is_dataclass(kind)
}
_OWN_KIND = "of"  # how a field that is itself called `kind` is written, for `kind` names the class
_LONG = 60  # characters; a longer text is looked at for repetition


def _changed(value: Any) -> list[tuple[str, Any]]:
    """The fields of a script object that differ from their defaults, in order."""
    found = []
    for f in dataclasses.fields(value):
        default: Any = f.default
        if f.default_factory is not dataclasses.MISSING:
            default = f.default_factory()
        now = getattr(value, f.name)
        if type(now) is not type(default) or now != default:
            found.append((f.name, now))
    return found


def _text(text: str) -> str:
    """A text as a Python expression; runs of equal lines become a multiplication."""
    if len(text) <= _LONG:
        return repr(text)
    parts: list[str] = []
    for line, group in itertools.groupby(text.splitlines(keepends=True)):
        count = len(list(group))
        shown = _run(line)
        parts.append(f"{shown} * {count}" if count > 1 else shown)
    merged: list[str] = []
    for part in parts:
        plain = part[-1] in "'\"" and " * " not in part
        if plain and merged and merged[-1][-1] in "'\"" and " * " not in merged[-1]:
            merged[-1] += " " + part
        else:
            merged.append(part)
    return "(" + " + ".join(merged) + ")"


def _run(line: str) -> str:
    """One line; a long run of one character inside it becomes a multiplication."""
    if len(line) <= _LONG:
        return repr(line)
    parts: list[str] = []
    plain = ""  # what has come since the last long run
    for char, group in itertools.groupby(line):
        count = len(list(group))
        if count <= 8:
            plain += char * count
            continue
        parts += [repr(plain)] if plain else []
        parts.append(f"{char!r} * {count}")
        plain = ""
    parts += [repr(plain)] if plain else []
    return "(" + " + ".join(parts) + ")" if len(parts) > 1 else parts[0]


def to_python(value: Any) -> str:
    """An expression that rebuilds `value` after `from strategies.script import *`."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in dataclasses.fields(value)]
        parts: list[str] = []
        for name, now in _changed(value):
            positional = names.index(name) == len(parts) and len(parts) < 2 and "=" not in "".join(
                p.split("(")[0] for p in parts
            )
            parts.append(to_python(now) if positional else f"{name}={to_python(now)}")
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, tuple):
        inner = ", ".join(map(to_python, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return "[" + ", ".join(map(to_python, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{to_python(k)}: {to_python(v)}" for k, v in value.items()) + "}"
    return repr(value)


def to_json(value: Any) -> Any:
    """The script as JSON data: objects carry their kind, tuples are lists."""
    if isinstance(value, _script.Mark):
        return {"kind": value.name}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {_OWN_KIND if name == "kind" else name: to_json(now) for name, now in _changed(value)}
        return {"kind": type(value).__name__, **fields}
    if isinstance(value, (tuple, list)):
        return [to_json(v) for v in value]
    if isinstance(value, dict):
        if "kind" in value:
            return {"kind": "dict", "items": [[k, to_json(v)] for k, v in value.items()]}
        return {k: to_json(v) for k, v in value.items()}
    return value


class MalformedScript(ValueError):
    """A script file that cannot be read back; the message says where and what was found."""


def from_json(data: Any, where: str = "script") -> Any:
    """Rebuild what `to_json` wrote. Raises MalformedScript naming the place that is wrong."""
    if isinstance(data, list):
        return [from_json(v, f"{where}[{i}]") for i, v in enumerate(data)]
    if not isinstance(data, dict):
        return data
    kind = data.get("kind")
    if kind is None:
        return {k: from_json(v, f"{where}.{k}") for k, v in data.items()}
    if kind == "dict":
        return {k: from_json(v, f"{where}.{k}") for k, v in data["items"]}
    if kind in _script.Mark.__members__:
        return _script.Mark[kind]
    if kind not in KINDS:
        known = ", ".join(sorted(KINDS))
        raise MalformedScript(f"{where}: no script part is called {kind!r}; known: {known}")
    fields = {f.name: f for f in dataclasses.fields(KINDS[kind])}
    built = {}
    for name, raw in data.items():
        if name == "kind":
            continue
        name = "kind" if name == _OWN_KIND else name
        if name not in fields:
            raise MalformedScript(f"{where}: {kind} has no {name!r}; it has {', '.join(fields)}")
        now = from_json(raw, f"{where}.{name}")
        built[name] = tuple(now) if isinstance(now, list) and "tuple" in fields[name].type else now
    return KINDS[kind](**built)
