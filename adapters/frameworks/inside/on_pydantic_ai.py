"""Pydantic AI with the names of the course: an Agent on a FunctionModel, and the messages of its runs."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

import bridge
import pydantic_ai
from pydantic_ai import Agent, Tool, UsageLimits, capture_run_messages
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

LABELS = {"stop": "stop", "length": "length", "toolUse": "tool_call"}  # of FinishReason
FAILURE = getattr(pydantic_ai, "ToolFailed", pydantic_ai.ModelRetry)  # earlier versions have no ToolFailed
WRAPS = inspect.signature(ToolReturnPart.model_response_str).parameters  # earlier versions wrap nothing
AS_IT_IS: Any = {"wrap_if_error": False} if "wrap_if_error" in WRAPS else {}
__record__ = bridge.record


class State:
    """The agent, and the messages of the runs so far."""

    def __init__(self, agent: Any, history: list[Any]) -> None:
        self.agent, self.history = agent, history
        self.live: list[Any] | None = None  # of the run under way: the framework's own list

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Keep what the run leaves behind, however it ends: pydantic_ai.capture_run_messages."""
        with capture_run_messages() as self.live:
            try:
                yield
            finally:
                self.history, self.live = list(self.live) or self.history, None


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Agent.run; what is returned is the run's output."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        history = [native(m, talk) for m in messages]
        scripted = [tool(t, talk) for t in tools]
        agent = Agent(
            FunctionModel(asked(talk)), output_type=str | None, instructions=system, tools=scripted,
            retries={"tools": 1000, "output": 1},
        )  # fmt: skip
        talk.state = State(agent, history)
        talk.record = lambda: read(talk.state.live or talk.state.history)
    limits = UsageLimits(request_limit=max_turns)
    said = talk.run(one_run(talk.state, prompt, limits))
    return bridge.assistant([bridge.text(said or "")])


async def one_run(state: State, prompt: str, limits: UsageLimits) -> str | None:
    """Run the agent on what was said before."""
    with state.watched():
        done = await state.agent.run(prompt, message_history=state.history, usage_limits=limits)
    return done.output


def asked(talk: bridge.Talk) -> Any:
    """The function of a FunctionModel: the reply comes from the suite."""

    async def reply(messages: list[Any], info: Any) -> ModelResponse:
        specs = [
            bridge.spec(t.name, t.description or "", t.parameters_json_schema) for t in info.function_tools
        ]
        return response(talk.ask(info.instructions or "", messages, specs, sent), talk)

    return reply


def tool(given: dict[str, Any], talk: bridge.Talk) -> Tool[Any]:
    """A scripted tool. Its failures are told as Pydantic AI wants them told: by raising ToolFailed."""
    run = bridge.telling(given, talk, FAILURE)
    return Tool.from_schema(run, given["name"], given["description"], given["parameters"])


# -- messages ------------------------------------------------------------------------------------


def read(given: Any, to_send: bool = False) -> bridge.Messages:
    """Requests and responses in normal form, a message for each prompt and result.

    `to_send`: as Pydantic AI's own models make it, which may raise (`args_as_dict`, `model_response_str`).
    """
    made: bridge.Messages = []
    for message in given:
        if message.kind == "request":
            made += [part(each, to_send) for each in message.parts]
            continue
        label = next((ours for ours, theirs in LABELS.items() if theirs == message.finish_reason), None)
        more = {} if label is None else {"stop_reason": label}
        spent = {"input": message.usage.input_tokens, "output": message.usage.output_tokens}
        blocks = [block(each, to_send) for each in message.parts]
        made.append(bridge.assistant(blocks, usage=spent, **more))
    return made


def sent(given: Any) -> bridge.Messages:
    """What Pydantic AI's models make of them: a response that holds nothing is not sent."""
    return bridge.filled(read(given, to_send=True))


def part(given: Any, to_send: bool) -> dict[str, Any]:
    """One part of a request."""
    if given.part_kind == "tool-return":
        try:
            said = given.model_response_str(**AS_IT_IS)
        except Exception:
            if to_send:
                raise
            said = given.content
        return bridge.result(given.tool_call_id, given.tool_name, said, is_error=given.outcome != "success")
    role = "system" if given.part_kind == "system-prompt" else "user"
    return {"role": role, "content": given.content}


def block(given: Any, to_send: bool) -> dict[str, Any]:
    """One part of a response."""
    if given.part_kind == "tool-call":
        arguments = given.args_as_dict() if to_send else given.args
        if isinstance(arguments, str):
            arguments = bridge.parsed(arguments)
        return bridge.call(given.tool_call_id, given.tool_name, arguments)
    if given.part_kind == "thinking":
        return {"type": "thinking", "thinking": given.content}
    return bridge.text(given.content)


def response(reply: dict[str, Any], talk: bridge.Talk) -> ModelResponse:
    """A reply as a ModelResponse. A label that Pydantic AI has no word for is left out."""
    ids = [each.get("id") for each in bridge.calls(reply)]
    if reply.get("stop_reason") == "error":
        raise talk.unplayable("no finish_reason makes a reply a failed one")
    if len(ids) != len(set(ids)):
        raise talk.unplayable("Function tool calls must have unique `tool_call_id` values")
    if not ids and not bridge.words(reply) and reply.get("stop_reason") == "length":
        raise talk.unplayable("an empty response that was cut is an exception, OutputTokenLimitExceeded")
    spent = reply.get("usage") or {}
    return ModelResponse(
        parts=[reply_part(each, talk) for each in reply["content"]],
        usage=RequestUsage(input_tokens=spent.get("input", 0), output_tokens=spent.get("output", 0)),
        finish_reason=LABELS.get(reply.get("stop_reason") or ""),
    )


def reply_part(each: dict[str, Any], talk: bridge.Talk) -> Any:
    """One block of a reply."""
    if each["type"] == "text":
        return TextPart(each["text"])
    if each["type"] == "thinking":
        return ThinkingPart(each["thinking"])
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no part for a block of the type {each['type']!r}")
    if not isinstance(each.get("arguments"), (dict, str)) or not each.get("id"):
        raise talk.unplayable("a ToolCallPart has an id, and an object or its text as arguments")
    if each["arguments"] == "":
        raise talk.unplayable("arguments that are an empty text are none: args_as_dict gives {}")
    return ToolCallPart(each["name"], each["arguments"], each["id"])


def native(message: dict[str, Any], talk: bridge.Talk) -> Any:
    """A message that was handed in."""
    if message["role"] == "user":
        return ModelRequest([UserPromptPart(message["content"])])
    if message["role"] == "assistant":
        return response(message, talk)
    outcome = "failed" if message["is_error"] else "success"
    return ModelRequest(
        [ToolReturnPart(message["tool_name"], message["content"], message["tool_call_id"], outcome=outcome)]
    )
