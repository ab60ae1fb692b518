"""The scripted provider and the scripted tools: they play one script and record what they see.

The provider never waits. A script that runs dry is answered with a plain closing reply, so
that one request too many shows as such; after `PATIENCE` of those the run is stopped, and a
harness that does not let itself be stopped is a hang.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.child import codec, pool
from adapters.contract import Garbage, Hung
from adapters.desk import Place
from adapters.strict import Gate
from adapters.trace import Ending, Execution, Problem, Request, Trace
from strategies.paging import next_page
from strategies.script import (
    Behaviour,
    Call,
    Changes,
    Conversation,
    Crash,
    Gives,
    Interrupts,
    Mark,
    Pager,
    Raises,
    Raw,
    Reads,
    Reply,
    Say,
    message_of,
    unrolled,
)  # fmt: skip

PATIENCE = 3  # requests past the end of the script before the run is stopped


class Provider:
    """Plays one conversation; `answer` takes the driver's events and fills `trace`."""

    def __init__(self, script: Conversation) -> None:
        self.script = script
        self.trace = Trace()
        self.place = Place(dict(script.files), dict(script.commands))
        self._gate = Gate(script.allowed)
        self._unpool = pool.Unpool()
        self._said: dict[str, Any] = {"system": None, "tools": None}  # of the last request
        self._prompt = 0
        self._number = 0  # requests so far, over all prompts
        self._in_prompt = 0
        self._extra = 0
        self._ran = 0
        self._source = self._replies()
        self._open: list[Call] = []  # calls of the last delivered reply

    # -- events ------------------------------------------------------------------------------

    def answer(self, event: dict[str, Any]) -> dict[str, Any]:
        """One event of the driver in, what it is to do next out."""
        self.hear(event.pop("queued", ()))
        if event["event"] == "request":
            return self._request(event)
        if event["event"] == "desk":
            return self.place.answer(event)
        return {}

    def hear(self, events: Any) -> None:
        """Take in events that needed no answer: tool runs and endings, in order."""
        for event in events:
            if event["event"] == "execute":
                self._executed(event)
            else:
                self._ended(event)

    def _request(self, event: dict[str, Any]) -> dict[str, Any]:
        looked = "messages" in event
        messages = self._unpool.lists("request", event["messages"]) if looked else None
        record = self._unpool.lists("record", event["record"]) if looked else None
        self._said.update({k: codec.decode(event[k]) for k in ("system", "tools") if k in event})
        system, tools = self._said["system"], self._said["tools"]
        refused = self._gate.refuse(system, messages, tools) if looked else None
        common: dict[str, Any] = {
            "prompt": self._prompt, "number": self._number, "system": system,
            "messages": messages, "tools": tools, "record": record, "aliased": event["aliased"],
        }  # fmt: skip
        self._number += 1
        self._in_prompt += 1
        self._open = []
        if self._extra > PATIENCE:
            self._extra += 1
            if self._extra > 3 * PATIENCE:
                raise Hung("it goes on calling the model after the script is over, and cannot be stopped")
            return {"stop": True}
        if refused:
            return self._deliver(common, Reply((), "error", refused[1]), refusal=refused[1], rule=refused[0])
        reply = self._next(messages)
        if isinstance(reply, Crash):
            self.trace.events.append(Request(**common, reply=None, crashed=reply.type))
            key = f"crash{self._number}"
            return {"raise": {"type": reply.type, "text": codec.encode(reply.text), "key": key}}
        if reply is None:
            self._extra += 1
            return self._deliver(common, Reply((Say("(the script is over)"),)), extra=True)
        return self._deliver(common, reply)

    def _deliver(self, common: dict[str, Any], reply: Reply, **how: Any) -> dict[str, Any]:
        message = message_of(reply)
        played = None if how else reply
        # encoding copies: what the harness does to its reply cannot reach this trace
        self.trace.events.append(Request(**common, reply=message, played=played, **how))
        self._open = list(reply.calls)
        does = [[c.name, codec.encode(_given(c)), _action(c.does)] for c in reply.calls]
        return {"reply": codec.encode(message), "meddling": self.script.meddling, "does": does}

    def _executed(self, event: dict[str, Any]) -> None:
        arguments, name, place = codec.decode(event["arguments"]), event["tool"], event["call"]
        if place is not None and place >= len(self._open):
            raise Garbage("the harness reported the run of a call that was never made")
        call = None if place is None else self._open[place]
        self.trace.events.append(
            Execution(
                self._prompt, self._number - 1, name, arguments, place, call,
                self._unpool.lists("record", event["record"]) if "record" in event else None,
            )  # fmt: skip
        )
        self._ran += 1
        if self._ran > 50 * (self._number + 4) + 2000:
            raise Hung("it runs tools without end")

    def _ended(self, event: dict[str, Any]) -> None:
        error = event.get("error")
        problem = error and Problem(
            error["type"], codec.decode(error["text"]), error["where"], error["key"],
            error["is_exception"],
        )  # fmt: skip
        self.trace.events.append(
            Ending(
                self._prompt, event["kind"], codec.decode(event.get("returned")), problem,
                self._unpool.lists("record", event["record"]),
            )  # fmt: skip
        )
        self.trace.left_over += sum(1 for _ in self._source)
        self._prompt += 1
        self._in_prompt = self._extra = 0
        self._source = self._replies()

    # -- the script --------------------------------------------------------------------------

    def _replies(self) -> Iterator[Reply | Crash]:
        if self._prompt >= len(self.script.prompts):
            return iter(())
        replies = self.script.prompts[self._prompt].replies
        return iter(()) if isinstance(replies, Pager) else unrolled(replies)

    def _next(self, messages: Any) -> Reply | Crash | None:
        if self._prompt >= len(self.script.prompts):
            raise Garbage("the harness called the model when no run was under way")
        replies = self.script.prompts[self._prompt].replies
        if isinstance(replies, Pager):
            return next_page(replies, messages, self._in_prompt)
        return next(self._source, None)


def _given(call: Call) -> Any:
    """The arguments that the tool of this call is expected to be given."""
    return None if isinstance(call.arguments, (Raw, Mark)) else call.arguments


def _action(does: Behaviour) -> dict[str, Any]:
    """What a tool does, as data that the driver performs on live objects."""
    if isinstance(does, (Raises, Interrupts)):
        text = does.text if isinstance(does, Raises) else ""
        return {"raise": {"type": does.type, "text": codec.encode(text)}}
    if isinstance(does, Gives):
        return {"gives": does.kind}
    if isinstance(does, Reads):
        return {"reads": does.member}
    return {"text": codec.encode(does.text), "changes": isinstance(does, Changes)}
