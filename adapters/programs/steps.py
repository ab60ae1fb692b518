"""Steps: what a scripted tool does, as a command for the program's own shell.

A step notes in a log outside the workspace that it was run and with which arguments, prints what the script
says, and ends with status 1 where the script has the tool fail. Its path tells which call it stands for.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.contract import Unplayable
from adapters.programs.described import Shell
from adapters.programs.room import OUT, STEPS
from strategies.script import Call, Changes, Gives, Interrupts, Mark, Raises, Raw, Reads, Returns

LOG = f"{OUT}/log"
LONGEST = 100_000  # bytes of an argument that every system takes
COMMAND = re.compile(rf"sh {STEPS}/([0-9.]+) '(.*)'", re.DOTALL)
SCRIPT = """printf '%s\\n' "{place} $1" >> {log}
cat {steps}/{place}.out{errors}
exit {status}
"""


@dataclass
class Steps:
    """The steps of one script: what is put where, and which call each stands for."""

    files: dict[str, str] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)

    def command(self, place: str, call: Call) -> str:
        """The command that stands for this call. Raises Unplayable where no command can do it."""
        output, status = outcome(call)
        errors = " >&2" if status else ""
        self.calls[place] = call
        self.files[f"{STEPS}/{place}"] = SCRIPT.format(
            place=place, log=LOG, steps=STEPS, errors=errors, status=status
        )
        self.files[f"{STEPS}/{place}.out"] = output
        given = quoted(call.arguments)
        if len(given) > LONGEST:
            raise Unplayable("its arguments are longer than a command may be")
        return f"sh {STEPS}/{place} '{given}'"


    def cut_off(self, place: str, call: Call, shell: Shell) -> Raw:
        """The arguments of the shell's call, cut where the script's are: who completes them runs the step."""
        assert isinstance(call.arguments, Raw)
        command = self.command(place, replace(call, arguments={}))
        self.calls[place] = call
        whole, text = json.dumps(shell.given(command)), call.arguments.text
        if text.endswith('"') and text.count('"') % 2 == 0:
            return Raw(whole[:-1])
        return Raw(whole[: whole.index(" '")] if text.count('"') % 2 else text)


def quoted(arguments: Any) -> str:
    """Arguments as JSON that a shell takes for one word between single quotes, and nobody for more."""
    text = json.dumps(arguments)
    return text.replace("'", "\\u0027").replace("$", "\\u0024").replace("`", "\\u0060")


def outcome(call: Call) -> tuple[str, int]:
    """What a step prints and its exit status. Raises Unplayable."""
    does = call.does
    if isinstance(does, (Returns, Changes)):
        return _printable(does.text), 0
    if isinstance(does, Raises):
        if not does.text.strip() or does.type in ("NoText", "BrokenText"):
            raise Unplayable("a command has no exception, and so none without words")
        return _printable(does.text), 1
    if isinstance(does, Reads):
        given = call.arguments
        if isinstance(given, dict) and isinstance(given.get(does.member), str):
            return _printable(given[does.member]), 0
        return f"TypeError: {does.member} has to be a text", 1
    if isinstance(does, Interrupts):
        raise Unplayable("no command can interrupt a program as Ctrl-C does")
    assert isinstance(does, Gives)
    raise Unplayable("a command prints text and nothing else")


def _printable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unplayable("a lone surrogate cannot be printed") from None
    return text


def raw(call: Call) -> Raw | None:
    """The argument string that is sent as it is, for a call whose arguments are no object; else None."""
    given = call.arguments
    if isinstance(given, Raw):
        return given
    if isinstance(given, Mark):
        return Raw("")
    return None if isinstance(given, dict) else Raw(json.dumps(given))
