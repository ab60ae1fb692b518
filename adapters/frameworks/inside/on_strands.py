"""Strands Agents with the names of the course: an Agent on a Model of the suite's, and its messages."""

from __future__ import annotations

import inspect
import re
from collections.abc import AsyncIterator
from typing import Any

import bridge
from strands import Agent
from strands.agent.conversation_manager import NullConversationManager
from strands.models import Model
from strands.tools.tools import PythonAgentTool
from strands.types.exceptions import EventLoopException

NAME = re.compile(r"[a-zA-Z0-9_\-]{1,64}")  # validate_tool_use_name in strands/tools/tools.py
KNOWS = inspect.signature(Agent).parameters  # earlier versions know no retry_strategy
AT_ONCE: dict[str, Any] = {"retry_strategy": None} if "retry_strategy" in KNOWS else {}
__record__ = bridge.record


class Scripted(Model):
    """A model (strands/models/model.py) whose replies come from the suite."""

    def __init__(self, talk: bridge.Talk) -> None:
        self._talk = talk

    def update_config(self, **_: Any) -> None:
        """There is nothing to configure."""

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the suite asks for no structured output")

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **_: Any
    ) -> AsyncIterator[Any]:
        specs = [bridge.spec(t["name"], t["description"], t["inputSchema"]["json"]) for t in tool_specs or ()]
        reply = self._talk.ask(system_prompt or "", messages, specs, read)
        for event in events(reply, self._talk):
            yield event


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Agent.invoke_async; what is returned is the message of its AgentResult."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.state = Agent(
            model=Scripted(talk), messages=native(messages, talk), tools=[tool(t) for t in tools],
            system_prompt=system, callback_handler=None, conversation_manager=NullConversationManager(),
            **AT_ONCE,
        )  # fmt: skip
        talk.record = lambda: read(talk.state.messages)
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("each cap, when set, must be a positive int")
    limits: Any = {} if max_turns is None else {"limits": {"turns": max_turns}}
    try:
        done = talk.run(talk.state.invoke_async(prompt, **limits))
    except EventLoopException as wrapper:
        raise wrapper.original_exception from wrapper
    return read([done.message])[0]


def tool(given: dict[str, Any]) -> PythonAgentTool:
    """A scripted tool, with the schema that it was given."""
    schema = {"json": given["parameters"]}
    about: Any = {"name": given["name"], "description": given["description"], "inputSchema": schema}

    async def run(tool_use: Any, **_: Any) -> Any:
        said = bridge.use(given, tool_use["input"])
        if not isinstance(said, str):
            return said
        return {"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": said}]}

    return PythonAgentTool(given["name"], about, run)


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """Strands' messages in normal form: a message for each prompt and each result."""
    made: bridge.Messages = []
    names: dict[Any, Any] = {}
    for message in given:
        if message["role"] == "assistant":
            blocks = [block(part) for part in message["content"]]
            names.update({b["id"]: b["name"] for b in blocks if b["type"] == "toolCall"})
            made.append(bridge.assistant(blocks))
            continue
        for part in message["content"]:
            if "toolResult" not in part:
                made.append(bridge.user(part.get("text")))
                continue
            found = part["toolResult"]
            if not isinstance(found, dict) or not isinstance(found.get("content"), list):
                made.append(bridge.result(None, None, found, is_error=False))  # whatever the tool gave back
                continue
            said = [each.get("text", each) for each in found["content"]]
            content = said[0] if len(said) == 1 else said
            mark = found.get("status") == "error"
            id_ = found.get("toolUseId")
            made.append(bridge.result(id_, names.get(id_), content, is_error=mark))
    return made


def block(part: Any) -> dict[str, Any]:
    """One content block of a reply."""
    if "toolUse" in part:
        used = part["toolUse"]
        return bridge.call(used["toolUseId"], used["name"], used["input"])
    if "reasoningContent" in part:
        return {"type": "thinking", "thinking": part["reasoningContent"]["reasoningText"]["text"]}
    return bridge.text(part["text"])


def sound(reply: dict[str, Any], talk: bridge.Talk) -> None:
    """Refuse a reply that failed."""
    if reply.get("stop_reason") == "error":
        raise talk.unplayable("a message of Strands' has no mark that says it failed")


def events(reply: dict[str, Any], talk: bridge.Talk) -> list[Any]:
    """A reply as the events of a stream; it stops for tools if it calls any, as providers say it does."""
    sound(reply, talk)
    made: list[Any] = [{"messageStart": {"role": "assistant"}}]
    for each in reply["content"]:
        start, delta = started(each, talk)
        made += [{"contentBlockStart": {"start": start}}, {"contentBlockDelta": {"delta": delta}}]
        made.append({"contentBlockStop": {}})
    made.append({"messageStop": {"stopReason": "tool_use" if bridge.calls(reply) else "end_turn"}})
    spent = reply.get("usage") or {}
    used = {"inputTokens": spent.get("input", 0), "outputTokens": spent.get("output", 0)}
    total = {**used, "totalTokens": sum(used.values())}
    return [*made, {"metadata": {"usage": total, "metrics": {"latencyMs": 0}}}]


def started(each: dict[str, Any], talk: bridge.Talk) -> tuple[Any, Any]:
    """How one block of a reply starts, and what it brings."""
    sendable(each, talk)
    if each["type"] == "text":
        return {}, {"text": each["text"]}
    if each["type"] == "thinking":
        return {}, {"reasoningContent": {"text": each["thinking"]}}
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no content block of the type {each['type']!r}")
    if "arguments" not in each or not each.get("id"):
        raise talk.unplayable("a tool use has an id and an input")
    given = each["arguments"]
    sent = given if isinstance(given, str) else bridge.json.dumps(given)
    return {"toolUse": {"toolUseId": each["id"], "name": each["name"]}}, {"toolUse": {"input": sent}}


def sendable(each: dict[str, Any], talk: bridge.Talk) -> None:
    """Pass over what Strands changes on purpose before it is sent: blank text and names that no API takes."""
    if each["type"] in ("text", "thinking") and not each[each["type"]].strip():
        raise talk.unplayable("Remove or replace blank text in message content")
    if each["type"] == "toolCall" and not NAME.fullmatch(each["name"]):
        raise talk.unplayable("Ensure the tool-uses always have valid names before sending")


def native(messages: Any, talk: bridge.Talk) -> list[Any]:
    """Messages that were handed in; the results of one reply stand in one message."""
    made: list[Any] = []
    for message in messages:
        if message["role"] == "user":
            made.append({"role": "user", "content": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            sound(message, talk)
            made.append({"role": "assistant", "content": [kept(each, talk) for each in message["content"]]})
        else:
            status = "error" if message["is_error"] else "success"
            found = {"toolUseId": message["tool_call_id"], "status": status,
                     "content": [{"text": message["content"]}]}  # fmt: skip
            if made[-1]["role"] != "user" or "toolResult" not in made[-1]["content"][0]:
                made.append({"role": "user", "content": []})
            made[-1]["content"].append({"toolResult": found})
    return made


def kept(each: dict[str, Any], talk: bridge.Talk) -> Any:
    """One block of a reply that was handed in."""
    sendable(each, talk)
    if each["type"] == "text":
        return {"text": each["text"]}
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no content block of the type {each['type']!r}")
    return {"toolUse": {"toolUseId": each["id"], "name": each["name"], "input": each["arguments"]}}
