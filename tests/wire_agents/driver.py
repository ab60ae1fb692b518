"""Runs one program against the wire provider, without a room: for the agents of these tests alone.

What a program is asked to do is one shell command for each call; the step that it runs says so in a log.
`adapters/programs` does the same for programs that nobody knows, behind walls.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.contract import DEFAULTS, About, Unplayable
from adapters.trace import Ending, Execution, Request, Trace
from adapters.wire.parts import dumps
from adapters.wire.server import Server
from strategies.script import Call, Conversation, Crash, Raw, Reply, Returns, Tool, message_of

CAN = {"loop", "stream", "raw-arguments", "retry", "exit-status", "read", "write", "bash"}


class Driven:
    """A program as a harness: one process for each conversation, which has one prompt."""

    def __init__(self, server: Server, program: Path, *, environment: dict[str, str] | None = None) -> None:
        self.server, self.program, self.about = server, program, About(program.stem)
        self.capabilities, self.policies = frozenset(CAN), {**DEFAULTS, "answer": "text"}
        self._environment = environment or {}

    def restart(self) -> None:
        """Each run is a fresh one."""

    def close(self) -> None:
        """Nothing is kept."""

    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        del watch
        if len(script.prompts) > 1 or script.history or not all(isinstance(t, Tool) for t in script.tools):
            raise Unplayable("one prompt and scripted tools are all that this program takes")
        with tempfile.TemporaryDirectory() as folder:
            steps = Steps(Path(folder))
            run = self.server.open(steps.translated(script))
            try:
                done = self._run(run.v1, script.prompts[0].text, Path(folder))
            finally:
                run.close()
            return traced(run.exchanges, done, steps)

    def _run(self, base: str, prompt: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-S", "-E", str(self.program), prompt], cwd=folder, capture_output=True, check=False,
            env={"PATH": os.environ["PATH"], "OPENAI_BASE_URL": base, "OPENAI_API_KEY": "none", **self._environment},
        )


class Steps:
    """The calls of a script as shell commands, each a file that writes itself down when it is run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.calls = folder, []
        self.log = folder / "log"
        self.log.touch()
        self.replies: list[Reply] = []  # as they are in the script; a reply's copy on the wire says which

    def translated(self, script: Conversation) -> Conversation:
        """The script as it goes out."""
        prompt = script.prompts[0]
        replies = tuple(r if isinstance(r, Crash) else self._reply(r) for r in prompt.replies)
        return replace(script, prompts=(replace(prompt, replies=replies),), tools=(Tool("bash"),))

    def _reply(self, reply: Reply) -> Reply:
        self.replies.append(reply)
        return replace(reply, blocks=tuple(self._call(b) if isinstance(b, Call) else b for b in reply.blocks))

    def _call(self, call: Call) -> Call:
        if not isinstance(call.does, Returns):
            raise Unplayable("a program's tools do what they do")
        number = len(self.calls)
        self.calls.append(call)
        (self.folder / f"out{number}").write_text(call.does.text, encoding="utf-8", newline="")
        step = self.folder / f"step{number}"
        step.write_text(f"echo {number} >> {shlex.quote(str(self.log))}\ncat {self.folder}/out{number}\n")
        arguments: Any = {"command": f"sh {step}"}
        if isinstance(call.arguments, Raw):
            arguments = Raw(dumps(arguments).decode()[:-1])
        return replace(call, name="bash", arguments=arguments)

    def ran(self) -> list[int]:
        """The numbers of the steps that were run, in order."""
        return [int(line) for line in self.log.read_text().split()]

    def back(self, message: dict[str, Any]) -> dict[str, Any]:
        """A message as the script has it: the calls that are steps by their own names again."""
        if message["role"] != "assistant":
            return message
        return {**message, "content": [self._block(block) for block in message["content"]]}

    def _block(self, block: dict[str, Any]) -> dict[str, Any]:
        given = block.get("arguments")
        command = given.get("command") if isinstance(given, dict) else None
        found = re.fullmatch(r"sh .*/step(\d+)", command) if isinstance(command, str) else None
        if found is None:
            return block
        call = self.calls[int(found[1])]
        return {**block, "name": call.name, "arguments": call.arguments}


def traced(exchanges: Sequence[Any], done: subprocess.CompletedProcess[bytes], steps: Steps) -> Trace:
    """What the provider saw, what the steps wrote down, and how the process ended."""
    trace, ran, given, first = Trace(), steps.ran(), 0, 0
    for number, one in enumerate(e for e in exchanges if e.kind == "model" and not e.side):
        messages = [steps.back(m) for m in one.read.messages] if one.read else []
        common = (0, number, one.read.system if one.read else None, messages, one.read.tools if one.read else [], None, False)
        if not isinstance(one.played, Reply):
            crashed = one.played.type if isinstance(one.played, Crash) else None
            reply = message_of(one.delivered) if one.delivered else None
            refused = {"refusal": one.refusal, "rule": one.rule, "extra": one.extra}
            trace.events.append(Request(*common, reply, crashed=crashed, **refused))
            continue
        reply = steps.replies[given]
        given += 1
        cut = one.cut or (reply.sent is not None and reply.sent.unclosed)
        trace.events.append(Request(*common, message_of(reply), played=reply, cut=cut))
        places = {first + place: place for place in range(len(reply.calls))}
        first += len(reply.calls)
        trace.events += [
            Execution(0, number, steps.calls[n].name, steps.calls[n].arguments, places[n], steps.calls[n], None)
            for n in ran if n in places
        ]
    out, err = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    label = {"stop_reason": "stop"} if done.returncode == 0 else {"stop_reason": "error", "error_message": err}
    returned = {"role": "assistant", "content": [{"type": "text", "text": out.strip()}], **label}
    trace.events.append(Ending(0, "returned", returned, None, [], done.returncode, out + err))
    return trace
