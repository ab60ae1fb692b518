"""What a script says beside its trace: prompts, replies in words, what each tool does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grading.html.clean import one_line
from properties.checks import shown
from strategies.script import (
    Call,
    Changes,
    Conversation,
    Gives,
    Interrupts,
    Prompt,
    Raises,
    Reads,
    Relabelled,
    Reply,
    Returns,
    Say,
    unrolled,
)


class Told:
    """The prompts and replies of a script, in the order in which a run comes upon them."""

    def __init__(self, script: Any) -> None:
        self._runs: list[Conversation] = []
        if isinstance(script, Conversation):
            self._runs = [script]
        elif isinstance(script, Relabelled):
            self._runs = [script.conversation, script.second()]
        self._begin(0)

    def _begin(self, run: int) -> None:
        prompts = self._runs[run].prompts if run < len(self._runs) else ()
        self._prompts: list[Prompt] = list(prompts)
        self._replies: list[Reply] = []
        for prompt in prompts:
            if isinstance(prompt.replies, tuple):
                self._replies += [r for r in unrolled(prompt.replies) if isinstance(r, Reply)]
        self._open: list[Call] = []

    def run(self, number: int) -> None:
        """Another run on a fresh record begins; `number` counts from 1."""
        self._begin(number - 1)

    def prompt(self) -> str:
        """What the next prompt says."""
        return self._prompts.pop(0).text if self._prompts else ""

    def reply(self, chip: Sequence[str]) -> str:
        """The words of the reply that a run is given; its calls wait to be run."""
        kind, ids = chip[0], re.findall(r"\[(.*?)\]", chip[1])
        for number, reply in enumerate(self._replies[:50]):
            calls = [str(call.id) for call in reply.calls]
            if ",".join(calls) == (ids[0] if ids else "") and reply.failed == (kind == "E"):
                del self._replies[: number + 1]
                self._open = list(reply.calls)
                return " ".join(b.text for b in reply.blocks if isinstance(b, Say))
        self._open = []
        return ""

    def does(self, tool: str, arguments: str) -> str:
        """What the scripted tool does when it is run with these arguments; "" if calls differ in that."""
        asked = [c for c in self._open if c.name == tool and shown(c.arguments, 50) == arguments]
        said = {_does(call.does) for call in asked}
        return said.pop() if len(said) == 1 else ""


def _does(does: Any) -> str:
    match does:
        case Returns(text):
            return f"returns {one_line(repr(text), 60)}"
        case Gives(kind):
            return f"gives back {one_line(kind, 60)}"
        case Raises(type_, text):
            return f"raises {type_}({one_line(repr(text), 60)})"
        case Interrupts(type_):
            return f"raises {type_}"
        case Reads(member):
            return f"returns arguments[{member!r}]"
        case Changes(text):
            return f"changes its arguments, returns {one_line(repr(text), 60)}"
    return ""
