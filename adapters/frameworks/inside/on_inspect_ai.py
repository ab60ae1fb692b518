"""Inspect with the names of the course: Model.generate_loop on a mockllm/model, and its messages."""

from __future__ import annotations

import logging
from typing import Any

import bridge
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolCallError, ToolDef, ToolError, ToolParam, ToolParams

LABELS = {"length": "max_tokens", "toolUse": "tool_calls"}  # of StopReason; what it has no word for is "stop"
UNCUT = GenerateConfig(max_tool_output=0)
__record__ = bridge.record
logging.disable(logging.CRITICAL)  # a log of every failure is no part of it


class State:
    """The model, its tools, and the messages of one conversation."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any], history: list[Any]) -> None:
        self.talk, self.history, self.raised = talk, history, False
        self.system = [ChatMessageSystem(content=system)] if system else []
        self.tools = [tool(each, talk) for each in tools]
        self.model = get_model("mockllm/model", custom_outputs=self.reply, memoize=False)

    def reply(self, messages: Any, tools: Any, *_: Any) -> ModelOutput:
        """What the model says: the reply comes from the suite."""
        about = [(t.name, t.description, t.parameters.model_dump(exclude_none=True)) for t in tools]
        said = list(messages)
        system = said.pop(0).text if said and said[0].role == "system" else ""
        return output(self.talk.ask(system, said, [bridge.spec(*each) for each in about], read), self.talk)

    async def run(self) -> ModelOutput:
        """Let the model answer what was said, and keep what that brings."""
        asked, self.raised = [*self.system, *self.history], True
        new, done = await self.model.generate_loop(asked, self.tools, UNCUT)
        self.history, self.raised = [*self.history, *new], False
        return done


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Model.generate_loop; what is returned is the message of its ModelOutput."""
    talk = bridge.talk_on(messages, model)
    if max_turns is not None:
        raise talk.unplayable("a loop has no limit: it terminates when the model stops calling tools")
    if talk.state is None:
        talk.state = State(talk, system, tools, [native(each, talk) for each in messages])
        talk.record = lambda: read(talk.state.history)
    if talk.state.raised:
        raise talk.unplayable("a loop that raised gives back no messages to go on from")
    talk.state.history = [*talk.state.history, ChatMessageUser(content=prompt)]
    return read([talk.run(talk.state.run()).message])[0]


def tool(given: dict[str, Any], talk: bridge.Talk) -> ToolDef:
    """A scripted tool. Its failures are told as Inspect wants them told: by raising ToolError."""
    schema = given["parameters"]
    members = schema["properties"].items()
    params = {name: ToolParam(**{"description": f"The {name}.", **about}) for name, about in members}
    wanted = ToolParams(properties=params, required=schema.get("required", []))
    run = bridge.telling(given, talk, ToolError)
    return ToolDef(run, name=given["name"], description=given["description"], parameters=wanted)


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """Inspect's messages in normal form; a result that is an error reads as its error does."""
    made: bridge.Messages = []
    for message in given:
        if message.role == "tool":
            said = message.error.message if message.error else message.text
            marked = message.error is not None
            made.append(bridge.result(message.tool_call_id, message.function, said, is_error=marked))
        elif message.role == "assistant":
            made.append(bridge.assistant(blocks(message)))
        else:
            made.append({"role": message.role, "content": message.text})
    return made


def blocks(message: ChatMessageAssistant) -> list[dict[str, Any]]:
    """The blocks of a reply; its calls stand behind its content."""
    content = message.content
    if isinstance(content, str):
        made = [bridge.text(content)] if content else []
    else:
        made = [
            {"type": "thinking", "thinking": each.reasoning} if isinstance(each, ContentReasoning)
            else bridge.text(getattr(each, "text", each))
            for each in content
        ]  # fmt: skip
    return made + [bridge.call(each.id, each.function, each.arguments) for each in message.tool_calls or ()]


def output(reply: dict[str, Any], talk: bridge.Talk) -> ModelOutput:
    """A reply as what a model gives back."""
    label: Any = LABELS.get(reply.get("stop_reason") or "", "stop")
    spent = reply.get("usage") or {}
    usage = ModelUsage(input_tokens=spent.get("input", 0), output_tokens=spent.get("output", 0))
    choice = ChatCompletionChoice(message=native(reply, talk), stop_reason=label)
    return ModelOutput(model="mockllm", choices=[choice], usage=usage)


def native(message: dict[str, Any], talk: bridge.Talk) -> Any:
    """A message in normal form as Inspect's."""
    if message["role"] == "user":
        return ChatMessageUser(content=message["content"])
    if message["role"] == "toolResult":
        error = ToolCallError("unknown", message["content"]) if message["is_error"] else None
        return ChatMessageTool(
            content="" if error else message["content"], tool_call_id=message["tool_call_id"],
            function=message["tool_name"], error=error,
        )  # fmt: skip
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a ChatMessageAssistant has no mark that says it failed")
    kinds = [each["type"] == "toolCall" for each in message["content"]]
    if kinds != sorted(kinds):
        raise talk.unplayable("a ChatMessageAssistant holds its tool calls apart from its content")
    if not message["content"]:
        raise talk.unplayable("Replace empty assistant message content with NO_CONTENT")
    return ChatMessageAssistant(
        content=[part(each, talk) for each in message["content"] if each["type"] != "toolCall"],
        tool_calls=[call(each, talk) for each in bridge.calls(message)] or None,
    )


def part(each: dict[str, Any], talk: bridge.Talk) -> Any:
    """One block of a reply that is no call."""
    if each["type"] == "text":
        return ContentText(text=each["text"])
    if each["type"] == "thinking":
        return ContentReasoning(reasoning=each["thinking"])
    raise talk.unplayable(f"there is no content of the type {each['type']!r}")


def call(each: dict[str, Any], talk: bridge.Talk) -> ToolCall:
    """One call of a reply."""
    if not isinstance(each.get("arguments"), dict) or not each.get("id"):
        raise talk.unplayable("a ToolCall has an id, and its arguments are a dict")
    return ToolCall(id=each["id"], function=each["name"], arguments=each["arguments"])
