"""A program as a harness: what it can, what it does, and how a conversation is played on it."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.contract import DEFAULTS, About, AdapterError, OpenDesk, Unplayable, Unusable
from adapters.programs.described import Program, described, filled, known
from adapters.programs.fitting import fitted
from adapters.programs.installing import home_of, lacking
from adapters.programs.room import Room
from adapters.programs.translation import trace_of, translated
from adapters.trace import Trace
from strategies.script import Conversation

USUAL = {
    **DEFAULTS, "lesson": "6", "provider-errors": "other", "turn-limit": "other", "marks": "no", "answer": "text",
    "keeps": "own-record", "labels": "none", "notice": "other", "budgets": "fixed",
    "specs": "own", "system": "own", "results": "shown", "error-words": "own",
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
        needed = [filled(path, self._values) for path in program.install.needs]
        self._room = Room([path for path in (self._values["prefix"], *needed) if Path(path).exists()])

    @property
    def capabilities(self) -> frozenset[str]:
        raw = {"raw-arguments"} if self.program.wires[0] in RAW else set()
        always = ALWAYS if self.program.service is None else frozenset({"loop", "offline"})
        return (always | raw | set(self.program.can)) - set(self.program.lacks)

    @property
    def policies(self) -> Mapping[str, str]:
        return {**USUAL, **{key: says.value for key, says in self.program.policies.items()}}

    def fit(self, script: Any) -> Any:
        """The nearest script to this one that the program can play."""
        return fitted(script, self.program)

    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        """Play a conversation; what the provider received is all that is told of it."""
        del watch
        made = translated(script, self.program)
        return trace_of(made, self._ask(made.job()))

    def _ask(self, job: dict[str, Any]) -> Any:
        if not self._room.open:
            self._room.ask({"op": "open", "program": dataclasses.asdict(self.program), "values": self._values})
        return self._room.ask(job)

    def cut(self, end: str, text: str, max_lines: int | None, max_bytes: int | None) -> Any:
        raise AdapterError("a program offers no function that cuts a text")

    def help(self, function: str, argument: Any) -> Any:
        raise AdapterError("a program offers no helper functions")

    def desk(self, files: Any, commands: Any, max_lines: int | None, max_bytes: int | None) -> OpenDesk:
        raise Unplayable("its own tools are not asked yet")

    def restart(self) -> None:
        """End what plays many runs; where there is a process for each there is nothing to do."""
        if self._room.open and self.program.service is not None:
            self._room.ask({"op": "reset"})

    def close(self) -> None:
        self._room.close()


def whole(target: str) -> Whole:
    """The program that `wire:NAME` or `wire:FILE.toml` names. Raises Unusable with what to do next."""
    name = target.partition(":")[2]
    if name.endswith(".toml") or "/" in name:
        program = described(Path(name))
    elif name in known():
        program = known()[name]
    else:
        there = ", ".join(f"wire:{each}" for each in known())
        raise Unusable(f"there is no program called {name!r}; there are {there}, and wire:FILE.toml for a file "
                       "of your own")  # fmt: skip
    missing = lacking(program)
    if missing:
        how = f"harness-props programs --install {shlex.quote(name)}"
        raise Unusable(f"{target}: {program.name} is not installed here ({missing} is missing); `{how}` installs it")
    return Whole(program, target)
