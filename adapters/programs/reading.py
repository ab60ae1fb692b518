"""A description of a program, read out of its TOML file; what is wrong with it is said with file and key."""

from __future__ import annotations

import dataclasses
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.contract import CAPABILITIES, POLICIES, Unusable
from adapters.programs.described import WIRES, Program

KNOWN = Path(__file__).with_name("known")


class Malformed(Unusable):
    """A description that cannot be used; the message names the file, the key and what is expected."""


def described(path: Path) -> Program:
    """The program that this file describes. Raises Malformed."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Malformed(f"{path}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{path}: this is not TOML: {error}") from error
    data.pop("source", None)
    program: Program = _made(Program, {**data, "source": str(path)}, path, "")
    _sound(program, path)
    return program


def rebuilt(data: dict[str, Any]) -> Program:
    """The program out of what `dataclasses.asdict` made of it."""
    program: Program = _made(Program, {k: v for k, v in data.items() if v is not None}, Path("program"), "")
    return program


def known() -> Mapping[str, Program]:
    """The programs of the suite's own list, by name."""
    return {path.stem: described(path) for path in sorted(KNOWN.glob("*.toml"))}


def _made(kind: Any, given: Any, path: Path, key: str) -> Any:
    """An object of this dataclass out of a table."""
    where = f"{path}: {key or 'the whole file'}"
    if not isinstance(given, dict):
        raise Malformed(f"{where}: a table is expected, not {_word(given)}")
    hints = typing.get_type_hints(kind)
    fields = {f.name: f for f in dataclasses.fields(kind)}
    for name in given:
        if name not in fields:
            there = ", ".join(n for n in fields if n != "source")
            raise Malformed(f"{path}: {_joined(key, name)}: there is no such key; here are {there}")
    made = {}
    for name, one in fields.items():
        if name in given:
            made[name] = _value(hints[name], given[name], path, _joined(key, name))
        elif one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
            raise Malformed(f"{path}: {_joined(key, name)}: missing; {_expected(hints[name])} is expected")
    return kind(**made)


def _value(hint: Any, given: Any, path: Path, key: str) -> Any:
    """A value of this type. Raises Malformed."""
    if isinstance(hint, types.UnionType):  # X | None
        if given is None:
            return None
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
    if dataclasses.is_dataclass(hint):
        return _made(hint, given, path, key)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is list and isinstance(given, list):
        return [_value(parts[0], one, path, f"{key}[{i}]") for i, one in enumerate(given)]
    if origin is dict and isinstance(given, dict):
        return {name: _value(parts[1], one, path, _joined(key, name)) for name, one in given.items()}
    if hint is Any:
        return given
    if hint is float and isinstance(given, int) and not isinstance(given, bool):
        return float(given)
    plain = origin or hint
    if not isinstance(given, plain) or (isinstance(given, bool) and plain is not bool):
        raise Malformed(f"{path}: {key}: {_expected(hint)} is expected, not {_word(given)}")
    return given


WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list",
         dict: "a table"}  # fmt: skip


def _expected(hint: Any) -> str:
    if typing.get_origin(hint) is list:
        return f"a list, each of its members {_expected(typing.get_args(hint)[0])},"
    return WORDS.get(typing.get_origin(hint) or hint, "a table")


def _word(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _joined(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _sound(program: Program, path: Path) -> None:
    """Raise Malformed where values do not fit what they are for."""
    def refuse(key: str, words: str) -> typing.NoReturn:
        raise Malformed(f"{path}: {key}: {words}")

    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", program.name):
        refuse("name", f"small letters, digits and dashes are expected, not {_word(program.name)}")
    if not program.wires:
        refuse("wires", f"at least one of {', '.join(WIRES)} is expected")
    for wire in program.wires:
        if wire not in WIRES:
            refuse("wires", f"{_word(wire)} is no wire; there are {', '.join(WIRES)}")
    for key, command in (("run.command", program.run.command), ("run.again", program.run.again)):
        if command and not any("{prompt}" in part for part in [*command, program.run.input]):
            refuse(key, "{prompt} is expected in one of its parts, or in run.input")
    if not program.run.command and program.service is None:
        refuse("run.command", "a command is expected: a list of texts (or a table called service)")
    if program.run.command and program.service is not None:
        refuse("service", "a program is started for each run or plays many, not both; make two files of it")
    if program.service is not None and '"{prompt}"' not in program.service.prompt:
        refuse("service.prompt", 'a line with "{prompt}", quotation marks and all, is expected')
    for name in program.can:
        if name not in CAPABILITIES:
            refuse("can", f"{_word(name)} is no capability; there are {', '.join(CAPABILITIES)}")
    for name, says in program.policies.items():
        if name not in POLICIES:
            refuse(f"policies.{name}", f"there is no such policy; there are {', '.join(POLICIES)}")
        if says.value not in POLICIES[name]:
            there = ", ".join(POLICIES[name])
            refuse(f"policies.{name}.value", f"one of {there} is expected, not {_word(says.value)}")
    shell, read = program.tools.shell, program.tools.read
    patterns = {
        "tools.shell.shows": (shell.shows if shell else [], ("output",)),
        "own.messages": (program.own.messages, ()), "own.requests": (program.own.requests, ()),
        "own.answers": (program.own.answers, ()),
        "prompts.taken": (program.prompts.taken, ()),
        "prompts.wrapped": ([program.prompts.wrapped] if program.prompts.wrapped else [], ("prompt",)),
        "tools.shell.empty": (shell.empty if shell else [], ()),
        "tools.read.empty": (read.empty if read else [], ()),
        "service.began": ([program.service.began] if program.service else [], ()),
        "service.done": ([program.service.done] if program.service else [], ()),
        "tools.read.notices": (read.notices if read else [], ("next",)),
        **{f"tools.{tool}.errors": (one.errors if one else [], ())
           for tool, one in (("shell", shell), ("read", read), ("write", program.tools.write))},
    }  # fmt: skip
    for key, (texts, groups) in patterns.items():
        for text in texts:
            _pattern(text, groups, lambda words, key=key: refuse(key, words))


def _pattern(text: str, groups: tuple[str, ...], refuse: Any) -> None:
    try:
        compiled = re.compile(text)
    except re.error as error:
        refuse(f"{_word(text)} is no regular expression: {error}")
        return
    for name in groups:
        if name not in compiled.groupindex:
            refuse(f"{_word(text)} has no group called {name}: (?P<{name}>...) is expected")
