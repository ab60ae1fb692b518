"""Agno with the names of the course: an Agent on a Model of the suite's, and the session in its database."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import bridge
from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.metrics import MessageMetrics
from agno.models.base import Model
from agno.models.message import Message
from agno.models.response import ModelResponse
from agno.run.base import RunStatus
from agno.tools.function import Function

ALL = 1_000_000
NONE_SKIPPED: list[RunStatus] = []
__record__ = bridge.record
logging.disable(logging.CRITICAL)  # every failing tool is logged with its traceback


@dataclass
class Scripted(Model):
    """A model (agno/models/base.py) whose replies come from the suite."""

    id: str = "scripted"
    talk: Any = None
    tools: Any = ()  # the names of the tools, in the order in which they were given

    async def ainvoke(self, messages: Any, tools: Any = None, **_: Any) -> ModelResponse:
        """One model call: the reply comes from the suite."""
        described = sorted((t["function"] for t in tools or ()), key=lambda f: self.tools.index(f["name"]))
        specs = [bridge.spec(f["name"], f["description"], f["parameters"]) for f in described]
        system = messages[0].content if messages and messages[0].role == "system" else ""
        said = messages[1:] if messages and messages[0].role == "system" else messages
        try:
            return response(self.talk.ask(system, said, specs, sent), self.talk)
        except Exception as error:  # Agno makes an answer of it, which must not hide an adapter's own fault
            if bridge.rose_here(error):
                raise bridge.AdapterBroke(f"{type(error).__name__}: {bridge.readable(error)}") from error
            raise

    def invoke(self, *_: Any, **__: Any) -> ModelResponse:
        raise NotImplementedError("the suite runs agents on the event loop")

    def invoke_stream(self, *_: Any, **__: Any) -> Iterator[ModelResponse]:
        raise NotImplementedError("the suite asks for whole replies")

    def ainvoke_stream(self, *_: Any, **__: Any) -> AsyncIterator[ModelResponse]:
        raise NotImplementedError("the suite asks for whole replies")

    def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
        raise NotImplementedError("the suite's replies need no parsing")

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        raise NotImplementedError("the suite's replies need no parsing")


class State:
    """The agent, what was handed in until a run has stored it, and the messages of its session."""

    def __init__(self, agent: Agent, given: list[Message]) -> None:
        self.agent, self.given, self.stored = agent, given, given
        self.session: Any = None

    async def run(self, prompt: str) -> Any:
        """One run; the first one is given what was handed in, too."""
        said = [*self.given, Message(role="user", content=prompt)] if self.given else prompt
        try:
            return await self.agent.arun(said, session_id="s")
        finally:
            self.look()

    def look(self) -> None:
        """Read the session as the database has it, failed runs included."""
        self.session = self.agent.get_session("s")
        if self.session is not None and self.session.runs:
            kept = self.session.get_messages(skip_statuses=NONE_SKIPPED)
            self.given, self.stored = [], [m for m in kept if m.role != "system"]


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Agent.arun; what is returned is the last message of its RunOutput."""
    talk = bridge.talk_on(messages, model)
    if max_turns is not None:
        raise talk.unplayable("tool_call_limit is no limit on the number of requests")
    if talk.state is None:
        given = [native(m, talk) for m in messages]
        agent = Agent(
            model=Scripted(talk=talk, tools=[t["name"] for t in tools]), tools=[tool(t) for t in tools],
            id="a", db=InMemoryDb(),  # type: ignore[no-untyped-call]
            add_history_to_context=True, num_history_runs=ALL, telemetry=False,
            system_message=system or None, build_context=False, resolve_in_context=False,
        )  # fmt: skip
        talk.state = State(agent, given)
        talk.record = lambda: read(talk.state.stored)
    done = talk.run(talk.state.run(prompt))
    if done.status != RunStatus.completed:
        return bridge.assistant([bridge.text(done.content)], stop_reason="error", error_message=done.content)
    return read(done.messages[-1:])[0]


def tool(given: dict[str, Any]) -> Function:
    """A scripted tool, with the schema that it was given."""

    async def run(**arguments: Any) -> Any:
        return bridge.use(given, arguments)

    return Function(
        name=given["name"], description=given["description"], parameters=given["parameters"], entrypoint=run,
        skip_entrypoint_processing=True,
    )  # fmt: skip


def usage_of(messages: Any) -> dict[str, int]:
    """What Agno counted for the session."""
    state = bridge.talk_on(messages, None).state
    spent = state.agent.get_session_metrics("s") if state and state.session else None
    return {"input": spent.input_tokens, "output": spent.output_tokens} if spent else {}


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """Agno's messages in normal form."""
    return [shown(message) for message in given]


def sent(given: Any) -> bridge.Messages:
    """What Agno's own clients make of them: a reply that holds nothing is not sent."""
    return bridge.filled(read(given))


def shown(message: Message) -> dict[str, Any]:
    """One message in normal form."""
    if message.role == "tool":
        return bridge.result(
            message.tool_call_id, message.tool_name, message.content, is_error=message.tool_call_error
        )
    if message.role != "assistant":
        return {"role": message.role, "content": message.content}
    thought = message.reasoning_content
    blocks = [{"type": "thinking", "thinking": thought}] if thought is not None else []
    blocks += [bridge.text(message.content)] if message.content is not None else []
    for each in message.tool_calls or ():
        called = each["function"]
        blocks.append(bridge.call(each["id"], called["name"], bridge.parsed(called["arguments"])))
    return bridge.assistant(blocks)


def response(reply: dict[str, Any], talk: bridge.Talk) -> ModelResponse:
    """A reply as a ModelResponse."""
    kept, spent = native(reply, talk), reply.get("usage")
    used = spent and MessageMetrics(
        input_tokens=spent.get("input", 0), output_tokens=spent.get("output", 0),
        total_tokens=sum(spent.values()),
    )  # fmt: skip
    return ModelResponse(
        role="assistant", content=kept.content, reasoning_content=kept.reasoning_content,
        tool_calls=kept.tool_calls or [], response_usage=used or None,
    )  # fmt: skip


def native(message: dict[str, Any], talk: bridge.Talk) -> Message:
    """A message in normal form as Agno's."""
    if message["role"] == "user":
        return Message(role="user", content=message["content"])
    if message["role"] == "toolResult":
        return Message(
            role="tool", content=message["content"], tool_call_id=message["tool_call_id"],
            tool_name=message["tool_name"], tool_call_error=message["is_error"],
        )  # fmt: skip
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a ModelResponse has no mark that says it failed")
    kinds = [{"thinking": 0, "text": 1}.get(block["type"], 2) for block in message["content"]]
    if kinds != sorted(kinds) or kinds.count(0) > 1 or kinds.count(1) > 1:
        raise talk.unplayable("a Message has one content, and holds its tool calls apart from it")
    calls = bridge.calls(message)
    if len(calls) != kinds.count(2) or not all("arguments" in c and c.get("id") for c in calls):
        raise talk.unplayable("a tool call has an id and arguments")
    thoughts = [block["thinking"] for block in message["content"] if block["type"] == "thinking"]
    return Message(
        role="assistant", content=bridge.words(message) if 1 in kinds else None,
        reasoning_content=thoughts[0] if thoughts else None, tool_calls=[called(c) for c in calls] or None,
    )  # fmt: skip


def called(block: dict[str, Any]) -> dict[str, Any]:
    """A call; arguments are text, as they come over the wire."""
    given = block["arguments"]
    sent = given if isinstance(given, str) else bridge.json.dumps(given)
    return {"id": block["id"], "type": "function", "function": {"name": block["name"], "arguments": sent}}
