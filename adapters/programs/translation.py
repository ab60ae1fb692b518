"""The way there: a script as the wire plays it, its tools run by the program's own shell (`steps.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adapters.contract import Unplayable
from adapters.programs.described import Program, Shell
from adapters.programs.fitting import owned, portable
from adapters.programs.steps import Steps, raw
from strategies.printing import to_json
from strategies.script import (
    Block,
    Call,
    Conversation,
    Crash,
    Pager,
    Raw,
    Reply,
    Say,
    Sent,
    unrolled,
)  # fmt: skip

Seen = Mapping[str, Any]


@dataclass
class Translated:
    """One script for one program: as the wire plays it, with its steps, and as it was drawn."""

    program: Program
    script: Conversation
    played: list[list[Reply | Crash]]  # of each prompt, one by one
    wire: Conversation
    steps: Steps

    def job(self) -> dict[str, Any]:
        """What the supervisor is told."""
        return {"op": "play", "script": to_json(self.wire), "files": self.steps.files}


def translated(script: Conversation, program: Program) -> Translated:
    """The script as this program can play it. Raises Unplayable."""
    shell = program.tools.shell
    if owned(script) or script.files or any(isinstance(p.replies, Pager) for p in script.prompts):
        raise Unplayable("its own file tools are asked one by one, not in a conversation")
    if script.history:
        raise Unplayable("a program begins with an empty record")
    if len(script.prompts) > 1 and not program.several:
        raise Unplayable("a run of it is one prompt")
    steps, names = Steps(), {t.name for t in script.tools}
    played, prompts = [], []
    for number, prompt in enumerate(script.prompts):
        if prompt.max_turns not in (None, replace(prompt).max_turns) or isinstance(prompt.max_turns, int):
            raise Unplayable("it has no turn limit that a script could set")
        assert isinstance(prompt.replies, tuple)
        own = [portable(reply, program) for reply in unrolled(prompt.replies)]
        sent: list[Reply | Crash] = []
        for at, reply in enumerate(own):
            if program.service and (isinstance(reply, Crash) or (reply.sent and broken(reply.sent))):
                raise Unplayable("what it tries again is played by the process for each run")
            if isinstance(reply, Crash):
                sent.append(reply)
                continue
            if reply.failed:
                raise Unplayable("a wire has no reply that failed")
            blocks: list[Block] = []
            for place, block in enumerate(reply.blocks):
                known = isinstance(block, Call) and block.name in names
                step, cut = f"{number}.{at}.{place}", reply.label == "length"
                blocks.append(_call(block, step, shell, steps, cut) if known else block)  # type: ignore[arg-type]
            sent.append(_finishing(replace(reply, blocks=tuple(blocks)), program))
        played.append(own)
        prompts.append(replace(prompt, replies=tuple(sent)))
    return Translated(program, script, played, replace(script, prompts=tuple(prompts)), steps)


def broken(sent: Sent) -> bool:
    """Whether a reply that is sent like this does not come to its end."""
    return sent.cut is not None or sent.unclosed


def _finishing(reply: Reply, program: Program) -> Reply:
    """The reply; one without calls with the call that ends a run of this program, if it needs one."""
    finish = program.tools.finish
    if finish is None or reply.calls:
        return reply
    if not any(isinstance(block, Say) and block.text.strip() for block in reply.blocks):
        raise Unplayable("a run of it ends with a call, so that no reply at its end holds nothing")
    ends = Call("finish", finish.name, finish.arguments)
    label = "toolUse" if reply.label == "stop" else reply.label
    return replace(reply, blocks=(*reply.blocks, ends), label=label)


def _call(call: Call, place: str, shell: Shell | None, steps: Steps, cut: bool) -> Call:
    """The call of the program's shell that stands for a call of a scripted tool; `cut` by length, perhaps."""
    if shell is None:
        raise Unplayable("it has no tool that runs commands")
    given = raw(call)
    if cut and isinstance(call.arguments, Raw):
        given = steps.cut_off(place, call, shell)
    if given is not None:
        return replace(call, name=shell.name, arguments=given)
    return replace(call, name=shell.name, arguments=shell.given(steps.command(place, call)))
