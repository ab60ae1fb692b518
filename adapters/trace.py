"""Traces: all that a property may look at after a run.

Everything here is a snapshot taken at the moment it names; nothing changes afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from strategies.script import Call, Reply

Message = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """What one model call carried, and what the provider answered.

    `record` is the caller's list at that moment, `aliased` says that the very list was handed
    over, `refusal` the provider's refusal in words (then `reply` is the refusal as a message).
    `played` is the script's reply as it was delivered, None for a refusal, a crash or an extra.
    """

    prompt: int
    number: int
    system: Any
    messages: Any
    tools: Any
    record: Any
    aliased: bool
    reply: Message | None
    played: Reply | None = None
    crashed: str | None = None
    refusal: str | None = None
    rule: int = 0  # the number of the strict provider's rule that refused it
    extra: bool = False  # the script had already run dry
    cut: bool = False  # the reply's stream ended before its closing event


@dataclass(frozen=True)
class Execution:
    """One run of a scripted tool. `call` is its place in the reply, None if no call matches."""

    prompt: int
    request: int
    tool: str
    arguments: Any
    call: int | None
    does: Call | None
    record: Any


@dataclass(frozen=True)
class Problem:
    """An exception that came out of the harness. `key` names a scripted one, else None."""

    type: str
    text: str
    where: str = ""
    key: str | None = None
    is_exception: bool = True


@dataclass(frozen=True)
class Ending:
    """How one prompt ended: returned (with what), raised (what), or stopped by the suite.

    `status` is the exit status of a program, `printed` what its user could see of it, None elsewhere.
    """

    prompt: int
    kind: str
    returned: Any = None
    problem: Problem | None = None
    record: Any = None
    status: int | None = None
    printed: str | None = None


Event = Request | Execution | Ending


@dataclass(frozen=True)
class Round:
    """One model call and the tool runs that came of it."""

    request: Request
    executions: tuple[Execution, ...]
    last: bool  # nothing was asked of the model afterwards in this prompt


@dataclass
class Trace:
    """One conversation as it was seen from outside, in order."""

    events: list[Event] = field(default_factory=list)
    left_over: int = 0  # replies of the script that were never asked for
    changed_requests: tuple[tuple[int, int], ...] = ()  # (request, message) changed afterwards
    tools_before: Any = None
    tools_after: Any = None
    usage: Any = None
    beside: tuple[str, ...] = ()  # what the harness said beside the run: notes, standard error
    lookups: tuple[str, ...] = ()  # names of hosts that were asked for

    @property
    def requests(self) -> list[Request]:
        return [e for e in self.events if isinstance(e, Request)]

    @property
    def executions(self) -> list[Execution]:
        return [e for e in self.events if isinstance(e, Execution)]

    @property
    def endings(self) -> list[Ending]:
        return [e for e in self.events if isinstance(e, Ending)]

    @property
    def record(self) -> Any:
        """The record after the last prompt."""
        endings = self.endings
        return endings[-1].record if endings else []

    @property
    def refusals(self) -> list[str]:
        return [r.refusal for r in self.requests if r.refusal]

    def rounds(self, prompt: int) -> list[Round]:
        """The model calls of one prompt, each with the executions that followed it."""
        found: list[tuple[Request, list[Execution]]] = []
        for event in self.events:
            if isinstance(event, Ending) or event.prompt != prompt:
                continue
            if isinstance(event, Request):
                found.append((event, []))
            elif found:
                found[-1][1].append(event)
        last = len(found) - 1
        return [Round(q, tuple(done), i == last) for i, (q, done) in enumerate(found)]
