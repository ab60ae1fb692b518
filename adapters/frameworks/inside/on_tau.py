"""tau with the names of the course: its loop, its repair of histories, and its tools (`tau_tools.py`)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import bridge
import tau_agent.messages
import tau_tools
from tau_agent.harness import AgentHarness, AgentHarnessConfig
from tau_agent.messages import (
    AssistantMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    Usage,
    UserMessage,
)
from tau_agent.provider_events import AssistantDoneEvent, AssistantErrorEvent
from tau_agent.tools import AgentTool, AgentToolResult

sum_usage: Any = getattr(tau_agent.messages, "sum_usage", None)  # early versions have none
LABELS = ("stop", "length", "toolUse", "error", "aborted")  # StopReason in tau_agent/messages.py
__record__ = bridge.record


class Scripted:
    """A provider (tau_agent/provider.py, ModelProvider) whose replies come from the suite."""

    def __init__(self, talk: bridge.Talk) -> None:
        self._talk = talk

    async def stream_response(
        self, *, system: str, messages: list[Any], tools: list[AgentTool], **_: Any
    ) -> AsyncIterator[Any]:
        specs = [bridge.spec(t.name, t.description, dict(t.parameters)) for t in tools]
        reply = assistant(self._talk.ask(system, messages, specs, sent), self._talk)
        if reply.stop_reason == "error":
            yield AssistantErrorEvent(reason="error", error=reply)
        else:
            yield AssistantDoneEvent(reason="stop", message=reply)


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt on tau's AgentHarness; what is returned is the last message of its AgentEndEvent."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.fails = True
        config = AgentHarnessConfig(Scripted(talk), "scripted", system, [native(t) for t in tools])
        talk.state = AgentHarness(config, messages=[write(m, talk) for m in messages])
        talk.record = lambda: read(talk.state.messages)
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("tau's limit is 1 or more: 'max_turns must be at least 1'")
    talk.state.config.max_turns = max_turns
    events = talk.run(drained(talk.state, prompt))
    ends = [event.messages for event in events if event.type == "agent_end"]
    return read(ends[-1][-1:])[0] if ends and ends[-1] else None


async def drained(harness: AgentHarness, prompt: str) -> list[Any]:
    """All events of one prompt."""
    return [event async for event in harness.prompt(prompt)]


def native(tool: Any) -> AgentTool:
    """A scripted tool as tau's; one of tau's own goes as it is."""
    if isinstance(tool["execute"], AgentTool):
        return tool["execute"]

    async def execute(_id: str, arguments: Any, *_: Any) -> Any:
        said = bridge.use(tool, arguments)
        return AgentToolResult(content=[TextContent(text=said)]) if isinstance(said, str) else said

    return AgentTool(tool["name"], tool["name"], tool["description"], tool["parameters"], execute)


# -- its own tools -------------------------------------------------------------------------------


def make_read_tool(desk: Any, max_lines: Any = None, max_bytes: Any = None) -> dict[str, Any]:
    """tau's read tool over the suite's workspace."""
    return tau_tools.own("read", desk, max_lines, max_bytes)


def make_write_tool(desk: Any) -> dict[str, Any]:
    """tau's write tool over the suite's workspace."""
    return tau_tools.own("write", desk)


def make_bash_tool(desk: Any, max_lines: Any = None, max_bytes: Any = None) -> dict[str, Any]:
    """tau's bash tool over the suite's shell."""
    return tau_tools.own("bash", desk, max_lines, max_bytes)


def run_tool(tools: Any, call: dict[str, Any]) -> dict[str, Any]:
    """One call, run by tau's loop as if the model had made it; its result message."""
    talk = bridge.Talk([])
    replies = [{"content": [call]}, {"content": [bridge.text("ok")]}]
    talk.ask = lambda *_: replies.pop(0)  # type: ignore[method-assign]
    harness = AgentHarness(AgentHarnessConfig(Scripted(talk), "scripted", "", [native(t) for t in tools]))
    talk.run(drained(harness, "Go."))
    return next(shown(message) for message in harness.messages if message.role == "toolResult")


def truncate_head(text: str, max_lines: Any = None, max_bytes: Any = None) -> tuple[str, int]:
    """What tau keeps of the beginning of a text."""
    return tau_tools.cut(tau_tools.tau.truncate_head, text, max_lines, max_bytes)


def truncate_tail(text: str, max_lines: Any = None, max_bytes: Any = None) -> tuple[str, int]:
    """What tau keeps of the end of a text."""
    return tau_tools.cut(tau_tools.tau.truncate_tail, text, max_lines, max_bytes)


def usage_of(messages: Any) -> dict[str, int]:
    """What tau's own sum_usage makes of the replies that were recorded."""
    talk = bridge.talk_on(messages, None)
    kept = talk.state.messages if talk.state else ()
    total = sum_usage(m.usage for m in kept if isinstance(m, AssistantMessage))
    return {"input": total.input, "output": total.output}


if sum_usage is None:  # what adds up no usage is asked for none
    del usage_of


# -- messages ------------------------------------------------------------------------------------


def read(messages: Any) -> bridge.Messages:
    """tau's messages in normal form."""
    return [shown(message) for message in messages]


def sent(messages: Any) -> bridge.Messages:
    """What tau's providers make of them: "omit that inert turn too" (tau_ai/anthropic.py)."""
    return bridge.filled(read(messages))


def shown(message: Any) -> dict[str, Any]:
    """One of tau's messages in normal form."""
    if message.role == "user":
        said = message.content
        return bridge.user(said if isinstance(said, str) else message.text)
    if message.role == "toolResult":
        return bridge.result(message.tool_call_id, message.tool_name, message.text, is_error=message.is_error)
    made = bridge.assistant(
        [block(part) for part in message.content], stop_reason=message.stop_reason,
        usage={"input": message.usage.input, "output": message.usage.output},
    )  # fmt: skip
    return made if message.error_message is None else {**made, "error_message": message.error_message}


def block(part: Any) -> dict[str, Any]:
    """One content block in normal form."""
    if part.type == "toolCall":
        return bridge.call(part.id, part.name, part.arguments)
    return {"type": part.type, part.type: getattr(part, part.type)}


def assistant(reply: dict[str, Any], talk: bridge.Talk) -> AssistantMessage:
    """A reply as tau's message. Labels that tau has no word for become the one its providers give."""
    label = reply.get("stop_reason")
    if label not in LABELS[:4]:
        label = "toolUse" if bridge.calls(reply) else "stop"
    return AssistantMessage(
        content=[content(part, talk) for part in reply["content"]], stop_reason=label,
        error_message=reply.get("error_message"), usage=Usage(**(reply.get("usage") or {})),
    )  # fmt: skip


def content(part: dict[str, Any], talk: bridge.Talk) -> Any:
    """A block of a reply as tau's."""
    if part["type"] == "text":
        return TextContent(text=part["text"])
    if part["type"] == "thinking":
        return ThinkingContent(thinking=part["thinking"])
    if part["type"] != "toolCall":
        raise talk.unplayable(f"tau knows no content block of the type {part['type']!r}")
    if not isinstance(part.get("arguments"), dict):
        raise talk.unplayable("a ToolCall of tau's holds an object as its arguments")
    return ToolCall(id=part["id"], name=part["name"], arguments=part["arguments"])


def write(message: dict[str, Any], talk: bridge.Talk) -> Any:
    """A message that was handed in, as tau's."""
    if message["role"] == "user":
        return UserMessage(content=message["content"])
    if message["role"] == "assistant":
        return assistant(message, talk)
    return ToolResultMessage(
        tool_call_id=message["tool_call_id"], tool_name=message["tool_name"],
        content=[TextContent(text=message["content"])], is_error=message["is_error"],
    )  # fmt: skip
