"""What is known of a program, as data; `docs/programs.md` explains every key.

A program of the suite's own list lies in `known/NAME.toml`; a user's own file has the same format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WIRES = ("chat", "responses", "anthropic", "gemini")
FILLED = ("prompt", "base_url", "work", "home", "prefix", "here", "model")


@dataclass(frozen=True)
class Install:
    """How it is brought to a machine: commands with {prefix}, and a file that is there afterwards."""

    commands: list[str] = field(default_factory=list)
    check: str = ""
    needs: list[str] = field(default_factory=list)
    folder: str = ""


@dataclass(frozen=True)
class Run:
    """One run: the command for the first prompt, the one for each that follows (none: one prompt a run)."""

    command: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    input: str = ""


@dataclass(frozen=True)
class Service:
    """A mode in which one process plays many runs: it is told lines of JSON, and says some.

    `begin` and `prompt` are what it is told; `began` and `done` are patterns of its lines.
    """

    command: list[str]
    begin: str
    began: str
    prompt: str
    done: str
    single: bool = False  # a conversation is one prompt


@dataclass(frozen=True)
class Shell:
    """Its tool for commands: how it is called, and how it shows what a command printed."""

    name: str
    command: str = "command"
    extra: dict[str, Any] = field(default_factory=dict)
    shows: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    quoted: bool = False  # what it shows as output is that output as JSON
    errors: list[str] = field(default_factory=list)
    lines: int = 2000
    bytes: int = 50_000
    listed: bool = False  # it takes a list of commands

    def given(self, command: Any) -> dict[str, Any]:
        """The arguments of a call that runs this command."""
        return {self.command: [command] if self.listed else command, **self.extra}

    def command_of(self, arguments: Any) -> Any:
        """The command in the arguments of a call, None if there is none."""
        found = arguments.get(self.command) if isinstance(arguments, dict) else None
        if self.listed:
            return found[0] if isinstance(found, list) and len(found) == 1 else None
        return found


@dataclass(frozen=True)
class Reading:
    """Its tool that reads a file page by page, and how its notices read."""

    name: str
    path: str = "path"
    offset: str = ""
    limit: str = ""
    absolute: bool = False
    numbered: str = ""
    extra: dict[str, Any] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lines: int = 2000
    bytes: int = 50_000


@dataclass(frozen=True)
class Writing:
    """Its tool that writes a file."""

    name: str
    path: str = "path"
    content: str = "content"
    absolute: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Finish:
    """The call that ends a run, where an answer without a call does not."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tools:
    """The tools of its own that are used; without one for commands no scripted tool can be run.

    `misnamed` is the one in whose name a call that cannot be run is sent again, if there is one.
    """

    shell: Shell | None = None
    finish: Finish | None = None
    read: Reading | None = None
    write: Writing | None = None
    misnamed: str = ""


@dataclass(frozen=True)
class Prompts:
    """What it does with prompts: how they are wrapped, whether trimmed, which it takes for something else."""

    wrapped: str = ""
    trimmed: bool = False
    taken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Own:
    """What it sends of its own accord: user messages and what it has the model say to them, requests
    that are none of the run's, and white space behind a reply's words (`padded`)."""

    messages: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    padded: bool = False


@dataclass(frozen=True)
class Says:
    """A policy, with the program's own words for it and where they stand."""

    value: str
    words: str
    where: str


@dataclass(frozen=True)
class Limits:
    """What a prompt may take before it counts as hung, and how long scripts may be."""

    cpu: float = 60.0
    idle: float = 30.0
    turns: int = 40
    shrinks: int = 40


@dataclass(frozen=True)
class Program:
    """A command-line agent."""

    name: str
    homepage: str
    licence: str
    version: str
    wires: list[str]
    run: Run = Run()
    install: Install = Install()
    service: Service | None = None
    environment: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    tools: Tools = Tools()
    prompts: Prompts = Prompts()
    own: Own = Own()
    policies: dict[str, Says] = field(default_factory=dict)
    can: list[str] = field(default_factory=list)
    lacks: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    limits: Limits = Limits()
    model: str = "fake-model"
    base: str = "{base_url}"
    source: str = ""  # the file that this was read from

    @property
    def several(self) -> bool:
        """Whether a conversation may go on with another prompt."""
        return bool(self.run.again) or (self.service is not None and not self.service.single)


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with {prefix}, {work} and so on replaced; other braces stay as they are."""
    return re.sub(r"\{(" + "|".join(FILLED) + r")\}", lambda m: values.get(m[1], m[0]), text)
