"""LlamaIndex with the names of the course: a FunctionAgent on a MockFunctionCallingLLM, and its memory."""

from __future__ import annotations

import logging
from typing import Any

import bridge
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock, ThinkingBlock, ToolCallBlock
from llama_index.core.bridge.pydantic import BaseModel
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool, ToolMetadata

ENDLESS = 1_000_000_000
__record__ = bridge.record
logging.disable(logging.CRITICAL)  # a log of every failure is no part of it


class State:
    """The agent and the memory of one conversation."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any], history: list[Any]) -> None:
        self.talk = talk
        self.memory = ChatMemoryBuffer.from_defaults(
            chat_history=history, token_limit=ENDLESS, tokenizer_fn=lambda _: []
        )
        self.agent = FunctionAgent(
            llm=MockFunctionCallingLLM(response_generator=self.reply), tools=[tool(each) for each in tools],
            system_prompt=system or None,
        )  # fmt: skip

    def reply(self, messages: Any, tools: Any = (), **_: Any) -> ChatMessage:
        """What the model says: the reply comes from the suite."""
        about = [each.metadata for each in tools]
        specs = [bridge.spec(each.name, each.description, each.get_parameters_dict()) for each in about]
        said = list(messages)
        system = said.pop(0).content if said and said[0].role == MessageRole.SYSTEM else ""
        return native(self.talk.ask(system, said, specs, read), self.talk)

    async def run(self, prompt: str, limit: int) -> Any:
        """One run of the agent on its memory."""
        asked = ChatMessage(role="user", content=prompt)
        return await self.agent.run(user_msg=asked, memory=self.memory, max_iterations=limit)


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by FunctionAgent.run; what is returned is the response of its AgentOutput."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.state = State(talk, system, tools, [native(each, talk) for each in messages])
        talk.record = lambda: read(talk.state.memory.get_all())
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("max_iterations of 0 stands for the default: `or DEFAULT_MAX_ITERATIONS`")
    done = talk.run(talk.state.run(prompt, ENDLESS if max_turns is None else max_turns))
    return read([done.response])[0]


def tool(given: dict[str, Any]) -> FunctionTool:
    """A scripted tool, with the schema that it was given."""

    async def run(**arguments: Any) -> Any:
        return bridge.use(given, arguments)

    class Schema(BaseModel):
        """The schema as it was given."""

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return given["parameters"]

    return FunctionTool(async_fn=run, metadata=ToolMetadata(given["description"], given["name"], Schema))


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """LlamaIndex' messages in normal form; a result's name is that of the call with its id."""
    made: bridge.Messages = []
    names: dict[Any, Any] = {}
    for message in given:
        if message.role == MessageRole.ASSISTANT:
            blocks = [block(each) for each in message.blocks]
            names.update({each["id"]: each["name"] for each in blocks if each["type"] == "toolCall"})
            made.append(bridge.assistant(blocks))
        elif message.role == MessageRole.TOOL:
            id_ = message.additional_kwargs.get("tool_call_id")
            made.append(bridge.result(id_, names.get(id_), message.content or ""))
        else:
            made.append({"role": message.role.value, "content": message.content})
    return made


def block(each: Any) -> dict[str, Any]:
    """One block of a reply."""
    if isinstance(each, ToolCallBlock):
        given = each.tool_kwargs
        arguments = bridge.parsed(given) if isinstance(given, str) else given
        return bridge.call(each.tool_call_id, each.tool_name, arguments)
    if isinstance(each, ThinkingBlock):
        return {"type": "thinking", "thinking": each.content}
    return bridge.text(each.text)


def native(message: dict[str, Any], talk: bridge.Talk) -> ChatMessage:
    """A message in normal form as LlamaIndex'."""
    if message["role"] == "user":
        return ChatMessage(role="user", content=message["content"])
    if message["role"] == "toolResult":
        origin = {"tool_call_id": message["tool_call_id"]}
        return ChatMessage(role="tool", content=message["content"], additional_kwargs=origin)
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a ChatMessage has no mark that says it failed")
    return ChatMessage(role="assistant", blocks=[its_block(each, talk) for each in message["content"]])


def its_block(each: dict[str, Any], talk: bridge.Talk) -> Any:
    """One block of a reply."""
    if each["type"] == "text":
        return TextBlock(text=each["text"])
    if each["type"] == "thinking":
        return ThinkingBlock(content=each["thinking"])
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no block of the type {each['type']!r}")
    if not isinstance(each.get("arguments"), (dict, str)):
        raise talk.unplayable("the arguments of a ToolCallBlock are an object or a text")
    return ToolCallBlock(tool_call_id=each.get("id"), tool_name=each["name"], tool_kwargs=each["arguments"])
