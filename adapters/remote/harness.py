"""A command that speaks the process protocol, as a harness."""

from __future__ import annotations

import importlib.metadata
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from adapters.child import driver
from adapters.contract import DEFAULTS, About, AdapterError, HarnessFault, Hung, Unplayable, Unusable
from adapters.remote.command import Command
from adapters.remote.messages import PLAYS, Hello, Schemas
from adapters.remote.module import Module
from adapters.remote.talk import Talk
from adapters.shape import CourseShape, Declared
from adapters.trace import Trace
from strategies.script import Call, Changes, Conversation, Gives, Interrupts, Raises, Reply

PREFIX = "process:"
ODD = frozenset({"bytes", "set", "cycle", "object"})  # what tools give back that no JSON holds
SHOWN = 600  # characters of standard error beside a trace


class Remote:
    """A channel to a command. A fault ends the command, and the next job starts it anew."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.module = talk, Module(talk)
        self.hangs = 0  # how often a job ran into its limits, for whoever counts tries

    def run(
        self, job: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]],
        cpu_seconds: float,
    ) -> Any:  # fmt: skip
        """Do one job. Raises HarnessFault for what the harness did, AdapterError for what its adapter did."""
        if job["op"] == "inspect":
            return {"wrong": {}, "extras": []}
        talk = self.talk
        if not talk.running:
            talk.open()

        def ask(event: dict[str, Any]) -> dict[str, Any]:
            try:
                return answer(event)
            except BaseException as error:
                talk.failed(error)
                raise

        self.module.watch = bool(job.get("watch"))
        talk.begin(cpu_seconds)
        try:
            value = driver.perform(self.module, job, ask)
            if talk.fault is not None:
                raise talk.fault
        except BaseException as error:
            fault = talk.fault or error
            if isinstance(fault, (HarnessFault, AdapterError)):
                fault.args = (f"{fault}{talk.aside()}",)
            if isinstance(fault, Hung):
                self.hangs += 1
            if not isinstance(fault, Unplayable):  # after that it is ready for the next command
                talk.failed(fault)
                self._end()
            raise fault from None
        return value

    def restart(self) -> None:
        """Begin afresh; a command that was asked nothing yet is fresh."""
        if self.talk.running and self.talk.used:
            self._end()

    def close(self) -> None:
        """Say goodbye, and end it."""
        self.module.forget()
        self.talk.goodbye()

    def _end(self) -> None:
        self.module.forget()
        self.talk.close()
        self.module = Module(self.talk)


class RemoteShape(CourseShape):
    """A harness behind the process protocol; follows `contract.Harness`."""

    def __init__(self, channel: Remote, about: About, hello: Hello) -> None:
        declared = Declared(hello.capabilities, {}, hello.pace)
        super().__init__(channel, about, declared=declared)
        self._remote, self._hello = channel, hello
        self._policies = None
        self.lacks: Mapping[str, str] = hello.lacks
        self.homepage = hello.homepage

    @property
    def policies(self) -> Mapping[str, str]:
        """What it declares; what a line is for it is found out where it does not say."""
        if self._policies is None:
            said, can = self._hello.policies, self._hello.capabilities
            cutting, reading = said.get("lines"), said.get("read-lines")
            if cutting is None and "truncate" in can:
                cutting = self._probe_cut()
            if reading is None and "read" in can:
                reading = self._probe_read()
            self._policies = {
                **DEFAULTS, "lesson": "6", "lines": cutting or reading or "universal",
                "read-lines": reading or cutting or "universal",
                "bash-lines": cutting or reading or "universal", **said,
            }  # fmt: skip
        return self._policies

    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        """Play a conversation, unless it needs what the harness's adapter cannot play."""
        lacking = sorted(_needs(script, watch) - self._hello.plays)
        if lacking:
            named = ", ".join(f"{PLAYS[word]} ({word})" for word in lacking)
            raise Unplayable(f"its adapter does not play {named}")
        trace = super().converse(script, watch=watch)
        trace.beside = tuple(self._remote.talk.beside(SHOWN))
        return trace


def _needs(script: Conversation, watch: bool) -> set[str]:
    """The words of PLAYS that this script needs."""
    needs = {"watch"} if watch else set()
    if script.meddling:
        needs.add("meddling")
    for prompt in script.prompts:
        for reply in prompt.replies if isinstance(prompt.replies, tuple) else ():
            for call in reply.calls if isinstance(reply, Reply) else ():
                needs |= _need_of(call)
    return needs


def _need_of(call: Call) -> set[str]:
    does = call.does
    if isinstance(does, Interrupts):
        return {"cancel"}
    if isinstance(does, Changes):
        return {"changes"}
    odd = (isinstance(does, Gives) and does.kind in ODD) or (
        isinstance(does, Raises) and does.type == "BrokenText"
    )
    return {"odd-values"} if odd else set()


def words_of(target: str) -> list[str]:
    """The command of a `process:` target, split as a shell does. Raises Unusable if there is none."""
    text = target.removeprefix(PREFIX)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Unusable(f"{target}: the command cannot be split into words: {error}") from error
    if not words:
        raise Unusable(f"{target}: names no command; for example {PREFIX}'node my-agent.mjs'")
    return words


def remote(words: Sequence[str], target: str, *, folder: Path | None = None, validate: bool = False,
           environment: Mapping[str, str] | None = None) -> RemoteShape:  # fmt: skip
    """The harness that a command speaks for; `target` names it. Raises Unusable if there is none."""
    command = Command(words, target, folder, environment)
    try:
        version = importlib.metadata.version("harness-props")
    except importlib.metadata.PackageNotFoundError:
        version = "(not installed)"
    talk = Talk(command, f"harness-props {version}", Schemas() if validate else None)
    talk.open()
    return RemoteShape(Remote(talk), About(talk.hello.name, talk.hello.version, target), talk.hello)


def process(target: str, *, validate: bool = False) -> RemoteShape:
    """The harness of a `process:` target."""
    return remote(words_of(target), target, validate=validate)

