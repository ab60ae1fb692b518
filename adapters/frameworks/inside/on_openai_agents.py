"""The OpenAI Agents SDK with the names of the course: Runner, a Model of the suite's, a Session."""

from __future__ import annotations

import itertools
import json
from typing import Any

import bridge
from agents import Agent, FunctionTool, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.tool_context import ToolContext
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)
from openai.types.responses.response_reasoning_item import Summary

CONFIG = RunConfig(tracing_disabled=True, tool_not_found_behavior="return_error_to_model")
__record__ = bridge.record


class Scripted(Model):
    """A model (agents/models/interface.py) whose replies come from the suite."""

    def __init__(self, talk: bridge.Talk) -> None:
        self._talk = talk

    async def get_response(
        self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *_: Any, **__: Any
    ) -> ModelResponse:
        del model_settings
        specs = [bridge.spec(t.name, t.description, t.params_json_schema) for t in tools]
        given = [{"role": "user", "content": input}] if isinstance(input, str) else input
        reply = self._talk.ask(system_instructions or "", given, specs, read)
        return ModelResponse(output=output(reply, self._talk), usage=usage(reply), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the suite asks for whole replies")


class Memory:
    """A Session (agents/memory/session.py) that is a plain list."""

    session_id, session_settings = "s", None

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    async def get_items(self, limit: int | None = None) -> list[Any]:
        return list(self.items if limit is None else self.items[-limit:])

    async def add_items(self, items: list[Any]) -> None:
        self.items.extend(items)

    async def pop_item(self) -> Any:
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        self.items.clear()


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Runner.run; what is returned is its final_output."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        agent = Agent(name="a", instructions=system, tools=[native(t) for t in tools], model=Scripted(talk))
        memory = Memory([item for message in messages for item in items(message, talk)])
        talk.state = agent, memory, Usage()
        talk.record = lambda: read(memory.items)
    agent, memory, spent = talk.state
    work = Runner.run(agent, prompt, max_turns=max_turns, run_config=CONFIG, session=memory)
    done = talk.run(work)
    spent.add(done.context_wrapper.usage)
    return bridge.assistant([bridge.text(done.final_output)])


def native(tool: dict[str, Any]) -> FunctionTool:
    """A scripted tool by the function_tool decorator, with the schema that it was given."""

    @function_tool(name_override=tool["name"], description_override=tool["description"], strict_mode=False)
    async def run(context: ToolContext[Any]) -> Any:
        return bridge.use(tool, json.loads(context.tool_arguments))

    run.params_json_schema = tool["parameters"]
    return run


def usage_of(messages: Any) -> dict[str, int]:
    """What the SDK's run contexts counted."""
    talk = bridge.talk_on(messages, None)
    spent = talk.state[2] if talk.state else Usage()
    return {"input": spent.input_tokens, "output": spent.output_tokens}


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """Response items in normal form: what stands between prompts and results is one reply."""
    messages: bridge.Messages = []
    names: dict[Any, Any] = {}
    for item in given:
        kind = item.get("type", "message")
        if kind == "function_call_output":
            said, id_ = item["output"], item["call_id"]
            messages.append(bridge.result(id_, names.get(id_), said))
        elif kind == "message" and item["role"] != "assistant":
            messages.append({"role": item["role"], "content": item["content"]})
        else:
            if not messages or messages[-1]["role"] != "assistant":
                messages.append(bridge.assistant([]))
            messages[-1]["content"] += blocks(item)
            names[item.get("call_id")] = item.get("name")
    return messages


def blocks(item: Any) -> list[dict[str, Any]]:
    """The blocks of one item of a reply."""
    if item.get("type") == "function_call":
        return [bridge.call(item["call_id"], item["name"], bridge.parsed(item["arguments"]))]
    if item.get("type") == "reasoning":
        return [{"type": "thinking", "thinking": part["text"]} for part in item["summary"]]
    content = item["content"]
    return [bridge.text(content)] if isinstance(content, str) else [bridge.text(p["text"]) for p in content]


def output(reply: dict[str, Any], talk: bridge.Talk) -> list[Any]:
    """A reply as the items of a ModelResponse."""
    if reply.get("stop_reason") == "error":
        raise talk.unplayable("a ModelResponse has no label that says it failed")
    made: list[Any] = []
    for block in reply["content"]:
        name = f"i{next(talk.__dict__.setdefault('items', itertools.count()))}"  # no two items share one
        if block["type"] == "text":
            part = ResponseOutputText(text=block["text"], type="output_text", annotations=[])
            made.append(
                ResponseOutputMessage(
                    id=name, type="message", role="assistant", status="completed", content=[part]
                )
            )
        elif block["type"] == "thinking":
            summary = [Summary(text=block["thinking"], type="summary_text")]
            made.append(ResponseReasoningItem(id=name, type="reasoning", summary=summary))
        elif block["type"] == "toolCall":
            made.append(called(block, talk))
        else:
            raise talk.unplayable(f"there is no response item for a block of the type {block['type']!r}")
    return made


def called(block: dict[str, Any], talk: bridge.Talk) -> ResponseFunctionToolCall:
    """A call as a response item; arguments are text, as they come over the wire."""
    if "arguments" not in block or not block.get("id"):
        raise talk.unplayable("a function call of the Responses API has an id and arguments")
    used = talk.__dict__.setdefault("ids", set())
    if block["id"] in used:
        raise talk.unplayable("a call ID must identify one invocation for the lifetime of the run")
    used.add(block["id"])
    arguments = block["arguments"]
    sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ResponseFunctionToolCall(
        call_id=block["id"], type="function_call", name=block["name"], arguments=sent
    )


def usage(reply: dict[str, Any]) -> Usage:
    """What a reply used."""
    spent = reply.get("usage") or {}
    return Usage(requests=1, input_tokens=spent.get("input", 0), output_tokens=spent.get("output", 0))


def items(message: dict[str, Any], talk: bridge.Talk) -> list[Any]:
    """A message that was handed in, as input items."""
    if message["role"] == "user":
        return [{"role": "user", "content": message["content"]}]
    if message["role"] == "toolResult":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"],
                 "output": message["content"]}]  # fmt: skip
    response = ModelResponse(output=output(message, talk), usage=Usage(), response_id=None)
    return response.to_input_items()
