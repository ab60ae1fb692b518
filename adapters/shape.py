"""A course-shaped harness behind a channel: the same jobs in this process or in another.

A channel runs one job on the harness (`adapters/child/driver.py` lists them) and calls back
with events. This module turns scripts into jobs and what comes back into traces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from adapters.child import codec
from adapters.contract import About, AdapterError, Endless, Garbage, HarnessFault, Missing, Unplayable
from adapters.course_desk import CourseDesk, fine
from adapters.desk import Place
from adapters.protocol import reading
from adapters.provider import Provider
from adapters.trace import Trace
from strategies import lines
from strategies.notices import take_notice
from strategies.script import OMITTED, Conversation, Own, Pager, Prompt, Ran, Tool

LESSONS = {
    3: frozenset({"loop", "record", "helpers"}),
    6: frozenset(
        {"loop", "record", "helpers", "max-turns", "error-reply", "truncate", "read", "write", "bash"}
    ),
}
CPU_SECONDS = 2.0  # what an ordinary job may cost; good samples need less than a twentieth of it
LESSON_3_NAMES = {"user_message", "text_of", "tool_calls", "tool_specs", "run_tool", "run_agent"}


@dataclass(frozen=True)
class Declared:
    """What an adapter says of its harness, where that is not to be found out by probing.

    `pace` is how many times more CPU time than a plain loop a run may take.
    """

    capabilities: frozenset[str]
    policies: Mapping[str, str]
    pace: float = 1.0


class Channel(Protocol):
    """A way to a live harness module."""

    def run(self, job: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]],
            cpu_seconds: float) -> Any:  # fmt: skip
        """Do one job; `answer` serves its events. Raises HarnessFault if the harness breaks."""
        ...

    def restart(self) -> None: ...

    def close(self) -> None: ...


class CourseShape:
    """A harness with the names and message shapes of the course; follows `contract.Harness`."""

    def __init__(
        self, channel: Channel, about: About, lesson: int = 6, *, line_model: str | None = None,
        declared: Declared | None = None,
    ) -> None:  # fmt: skip
        """`line_model` declares what a line is, where that need not be found out; `declared` everything."""
        self.about = about
        self.lesson = lesson
        self._channel = channel
        self._line_model = line_model
        self._wrong: dict[str, str] | None = None
        self._extras: frozenset[str] = frozenset()
        self._declared = declared
        self._pace = declared.pace if declared else 1.0
        self._policies: Mapping[str, str] | None = declared.policies if declared else None

    # -- what it is --------------------------------------------------------------------------

    @reading()
    def _inspect(self) -> dict[str, str]:
        if self._wrong is None:
            found = self._job({"op": "inspect", "keywords": self.lesson >= 6})
            names = LESSON_3_NAMES if self.lesson == 3 else set(found["wrong"])
            self._wrong = {k: v for k, v in found["wrong"].items() if k in names}
            self._extras = frozenset(codec.decode(found["extras"]))
        return self._wrong

    @property
    def capabilities(self) -> frozenset[str]:
        self._inspect()
        if self._declared is not None:
            return self._declared.capabilities
        return LESSONS[self.lesson] | self._extras

    @property
    def policies(self) -> Mapping[str, str]:
        if self._policies is None:
            cutting, reading = self._line_model, None
            if self._line_model is None:
                cutting = self._probe_cut() if "truncate" in self.capabilities else None
                reading = self._probe_read() if "read" in self.capabilities else None
            self._policies = {
                "lines": cutting or reading or "universal",
                "read-lines": reading or cutting or "universal",
                "bash-lines": cutting or reading or "universal",
                "calls": "sequential", "notice": "course", "turn-limit": "failed-reply",
                "provider-errors": "other" if "retry" in self._extras else "raise",
                "lesson": str(self.lesson),
            }  # fmt: skip
        return self._policies

    def _probe_cut(self) -> str | None:
        try:
            kept = self.cut("head", lines.PROBE, 1, 1000)
        except HarnessFault:
            return None
        pair = isinstance(kept, (tuple, list)) and len(kept) == 2 and isinstance(kept[0], str)
        return lines.model_of(kept[0]) if pair else None

    def _probe_read(self) -> str | None:
        try:
            page = self.desk({"p": lines.PROBE}, {}, None, None).use("read", {"path": "p", "limit": 1})
        except HarnessFault:
            return None
        return lines.model_of(take_notice(page.content)[0]) if isinstance(page.content, str) else None

    # -- what it does ------------------------------------------------------------------------

    def _job(self, job: dict[str, Any], answer: Any = None, cpu_seconds: float = CPU_SECONDS) -> Any:
        done = self._channel.run(job, answer or (lambda _: {}), cpu_seconds * self._pace)
        if self._declared is not None and "error" in done:
            _no_word_of_the_adapter(done["error"].get("type"), codec.decode(done["error"]["text"]))
        return done

    def _need(self, *names: str) -> None:
        wrong = [(name, said) for name, said in self._inspect().items() if name in names]
        if wrong:
            told = ", and it ".join(said for _, said in wrong)
            raise Missing(f"{self.about.name} {told}", f"missing:{wrong[0][0]}")

    @reading()
    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        owned = [f"make_{t.name}_tool" for t in script.tools if isinstance(t, Own)]
        self._need("run_agent", *owned)
        provider = Provider(script)
        before = [codec.encode(_public(t)) for t in script.tools if isinstance(t, Tool)]
        job = {
            "op": "converse", "system": codec.encode(script.system), "watch": watch, "glance": script.glance,
            "files": provider.place.contents(),
            "history": [codec.encode(m) for m in script.history],
            "tools": [_tool(t) for t in script.tools],
            "prompts": [_prompt(p, self.lesson) for p in script.prompts],
            "refresh": self._declared is not None,
        }  # fmt: skip
        report = fine(self._job(job, provider.answer, cpu_seconds=allowance(script)), "run_agent")
        provider.hear(report["queued"])
        trace = provider.trace
        if self._declared is not None:
            for ending in trace.endings:
                if ending.problem is not None:
                    _no_word_of_the_adapter(ending.problem.type, ending.problem.text)
        if len(trace.endings) != len(script.prompts):
            raise Garbage(f"of {len(script.prompts)} prompts the harness reported {len(trace.endings)} ends")
        trace.changed_requests = tuple((a, b) for a, b in report["changed_requests"])
        trace.tools_before = [codec.decode(t) for t in before]
        trace.tools_after = [codec.decode(t) for t in report["tools"]]
        trace.usage = None if report["usage"] is None else codec.decode(report["usage"])
        return trace

    def cut(self, end: str, text: str, max_lines: int | None, max_bytes: int | None) -> Any:
        limits = {"max_lines": max_lines, "max_bytes": max_bytes}
        kwargs = {k: v for k, v in limits.items() if v is not None}
        return self._call(f"truncate_{end}", text, **kwargs)

    def help(self, function: str, argument: Any) -> Any:
        return self._call(function, argument)

    @reading()
    def _call(self, function: str, *args: Any, **kwargs: Any) -> Any:
        self._need(function)
        job = {"op": "call", "function": function, "args": codec.encode(list(args)), "kwargs": kwargs}
        return codec.decode(fine(self._job(job), function)["value"])

    def desk(self, files: Mapping[str, str | bytes], commands: Mapping[str, Ran],
             max_lines: int | None, max_bytes: int | None) -> CourseDesk:  # fmt: skip
        self._need("run_tool", "make_read_tool", "make_write_tool", "make_bash_tool")
        return CourseDesk(self._job, Place(dict(files), dict(commands)), max_lines, max_bytes)

    def restart(self) -> None:
        self._channel.restart()

    def close(self) -> None:
        self._channel.close()


def _no_word_of_the_adapter(kind: Any, text: str) -> None:
    """Raise what the adapter's file in the child said of itself (`frameworks/inside/bridge.py`)."""
    if kind == "Unplayable":
        raise Unplayable(text)
    if kind == "Endless":
        raise Endless(text)
    if kind == "AdapterBroke":
        raise AdapterError(f"the adapter's own code broke with {text}")


def _tool(tool: Tool | Own) -> dict[str, Any]:
    if isinstance(tool, Own):
        return {"own": tool.name, "max_lines": tool.max_lines, "max_bytes": tool.max_bytes}
    return {"public": codec.encode(_public(tool)), "private": codec.encode(tool.private)}


def _public(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


def _prompt(prompt: Prompt, lesson: int) -> dict[str, Any]:
    job: dict[str, Any] = {"text": codec.encode(prompt.text)}
    if prompt.max_turns is not OMITTED and lesson >= 6:
        job["max_turns"] = prompt.max_turns
    return job


def allowance(script: Conversation) -> float:
    """CPU seconds that playing this script may cost the harness before it counts as a hang.

    At least 20 times the slowest good sample: one that deep-copies every request, which costs
    about 10 microseconds for each message of each request.
    """
    turns = sum(
        p.replies.max_replies if isinstance(p.replies, Pager)
        else sum(getattr(r, "times", 1) for r in p.replies)
        for p in script.prompts
    )  # fmt: skip
    return CPU_SECONDS + 20 * 1e-5 * turns * turns
