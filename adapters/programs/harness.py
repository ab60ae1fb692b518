"""A program as a harness: what it can, what it does, and how a conversation is played on it."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.contract import DEFAULTS, About, AdapterError, OpenDesk, Unusable
from adapters.programs.back import trace_of
from adapters.programs.described import Program
from adapters.programs.fitting import fitted
from adapters.programs.installing import home_of, lacking, visible
from adapters.programs.own_tools import ProgramDesk
from adapters.programs.reading import described, known
from adapters.programs.room import Room
from adapters.programs.translation import translated
from adapters.trace import Trace
from strategies.script import Conversation, Ran

USUAL = {
    **DEFAULTS, "lesson": "6", "provider-errors": "other", "turn-limit": "other", "marks": "no",
    "answer": "text", "keeps": "own-record", "labels": "none", "notice": "other", "budgets": "fixed",
    "specs": "own", "system": "own", "results": "shown", "error-words": "own",
    "missing-files": "named",
}  # fmt: skip
ALWAYS = frozenset({"loop", "stream", "exit-status", "offline"})
RAW = ("chat", "responses", "anthropic")  # wires on which arguments are text


class Whole:
    """A whole program; follows `contract.Harness`."""

    def __init__(self, program: Program, target: str) -> None:
        self.program = program
        self.about = About(program.name, program.version, target)
        here = Path(program.source).resolve().parent
        self._values = {"prefix": str(home_of(program)), "here": str(here)}
        self._desk: ProgramDesk | None = None
        self._room = Room(visible(program))

    @property
    def capabilities(self) -> frozenset[str]:
        raw = {"raw-arguments"} if self.program.wires[0] in RAW else set()
        always = ALWAYS if self.program.service is None else frozenset({"loop", "offline"})
        return (always | raw | set(self.program.can)) - set(self.program.lacks)

    @property
    def policies(self) -> Mapping[str, str]:
        return {**USUAL, **{key: says.value for key, says in self.program.policies.items()}}

    @property
    def lacks(self) -> Mapping[str, str]:
        """What it cannot, each with the reason."""
        return self.program.lacks

    @property
    def shrinks(self) -> int:
        """How many scripts may be tried to find a smaller one that fails, too: each costs a run."""
        return self.program.limits.shrinks

    def fit(self, script: Any) -> Any:
        """The nearest script to this one that the program can play."""
        return fitted(script, self.program)

    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        """Play a conversation; what the provider received is all that is told of it."""
        del watch
        self._end_desk()
        made = translated(script, self.program)
        return trace_of(made, self._ask(made.job()))

    def _ask(self, job: dict[str, Any]) -> Any:
        if not self._room.open:
            program = dataclasses.asdict(self.program)
            self._room.ask({"op": "open", "program": program, "values": self._values})
        return self._room.ask(job)

    def cut(self, *_: Any) -> Any:
        raise AdapterError("a program offers no function that cuts a text")

    def help(self, *_: Any) -> Any:
        raise AdapterError("a program offers no helper functions")

    def desk(
        self, files: Mapping[str, str | bytes], commands: Mapping[str, Ran], max_lines: int | None,
        max_bytes: int | None,
    ) -> OpenDesk:  # fmt: skip
        """The program's own tools, with budgets of its own, in a run that ends when the next one begins."""
        del max_lines, max_bytes
        self._end_desk()
        self._desk = ProgramDesk(self.program, self._ask, files, commands)
        return self._desk

    def _end_desk(self) -> None:
        desk, self._desk = self._desk, None
        if desk is not None and self._room.open:
            desk.close()

    def restart(self) -> None:
        """End what plays many runs; where there is a process for each there is nothing to do."""
        self._end_desk()
        if self._room.open and self.program.service is not None:
            self._room.ask({"op": "reset"})

    def close(self) -> None:
        self._desk = None
        self._room.close()


def named(target: str) -> Program:
    """What is known of the program that `wire:NAME` or `wire:FILE.toml` names. Raises Unusable."""
    name = target.partition(":")[2]
    if name.endswith(".toml") or "/" in name:
        return described(Path(name))
    if name in known():
        return known()[name]
    there = ", ".join(f"wire:{each}" for each in known())
    raise Unusable(f"there is no program called {name!r}; there are {there}, and wire:FILE.toml for a file "
                   "of your own")  # fmt: skip


def whole(target: str) -> Whole:
    """The program that a target names, ready to be played on. Raises Unusable with what to do next."""
    name, program = target.partition(":")[2], named(target)
    missing = lacking(program)
    if missing:
        how = f"harness-props programs --install {shlex.quote(name)}"
        said = f"{target}: {program.name} is not installed here ({missing} is missing)"
        raise Unusable(f"{said}; `{how}` installs it")
    return Whole(program, target)
