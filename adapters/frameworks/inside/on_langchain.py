"""LangChain with the names of the course: create_agent on a chat model of the suite's, and a checkpointer."""

from __future__ import annotations

from typing import Any

import bridge
from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver

CONFIG: Any = {"configurable": {"thread_id": "t"}, "recursion_limit": 1_000_000}
__record__ = bridge.record


class Scripted(BaseChatModel):
    """A chat model (langchain_core/language_models/chat_models.py) whose replies come from the suite."""

    talk: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self.bind(tools=tools)

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **more: Any) -> ChatResult:
        del stop, run_manager
        specs = [bridge.spec(t.name, t.description, t.args_schema) for t in more.get("tools") or ()]
        system = messages[0].text if messages and messages[0].type == "system" else ""
        said = messages[1:] if messages and messages[0].type == "system" else messages
        reply = native(self.talk.ask(system, said, specs, sent), self.talk)
        return ChatResult(generations=[ChatGeneration(message=reply)])

    async def _agenerate(self, *given: Any, **more: Any) -> ChatResult:
        return self._generate(*given, **more)


class State:
    """The parts of an agent, its checkpointer, and one graph for each turn limit."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any]) -> None:
        self.model, self.system, self.tools = Scripted(talk=talk), system, tools
        self.saver = InMemorySaver()
        self.given: list[Any] = []  # messages that were handed in and that no run has stored yet
        self._graphs: dict[Any, Any] = {}

    def graph(self, limit: int | None) -> Any:
        """The agent under this limit on model calls."""
        if limit not in self._graphs:
            middleware = [] if limit is None else [
                ModelCallLimitMiddleware(run_limit=limit, exit_behavior="error")
            ]  # fmt: skip
            self._graphs[limit] = create_agent(
                self.model, self.tools, system_prompt=self.system or None, middleware=middleware,
                checkpointer=self.saver,
            )  # fmt: skip
        return self._graphs[limit]

    def stored(self) -> list[Any]:
        """The messages of the thread, as the checkpointer has them."""
        found = self.saver.get_tuple(CONFIG)
        return found.checkpoint["channel_values"].get("messages", []) if found else self.given


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by the graph's ainvoke; what is returned is the last message of the state."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.state = State(talk, system, [tool(t, talk) for t in tools])
        talk.state.given = [native(m, talk) for m in messages]
        talk.record = lambda: read(talk.state.stored())
    state = talk.state
    new, state.given = [*state.given, HumanMessage(prompt)], []
    work = state.graph(max_turns).ainvoke({"messages": new}, CONFIG, durability="sync")
    return read(talk.run(work)["messages"][-1:])[0]


def tool(given: dict[str, Any], talk: bridge.Talk) -> StructuredTool:
    """A scripted tool. Its failures are told as LangChain wants them told: by raising ToolException."""
    return StructuredTool(
        name=given["name"], description=given["description"], args_schema=given["parameters"],
        coroutine=bridge.telling(given, talk, ToolException), handle_tool_error=True,
    )  # fmt: skip


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """LangChain's messages in normal form."""
    return [shown(message) for message in given]


def sent(given: Any) -> bridge.Messages:
    """What LangChain's client of Anthropic makes of them: a reply that holds nothing is not sent."""
    return bridge.filled(read(given))


def shown(message: Any) -> dict[str, Any]:
    """One message in normal form."""
    if message.type == "tool":
        return bridge.result(
            message.tool_call_id, message.name, message.content, is_error=message.status == "error"
        )
    if message.type != "ai":
        return {"role": "user" if message.type == "human" else message.type, "content": message.content}
    content = message.content
    blocks = ([bridge.text(content)] if content else []) if isinstance(content, str) else list(content)
    blocks += [bridge.call(c["id"], c["name"], c["args"]) for c in message.tool_calls]
    blocks += [bridge.call(c["id"], c["name"], c["args"]) for c in message.invalid_tool_calls]
    more = {}
    if "finish_reason" in message.response_metadata:
        more["stop_reason"] = message.response_metadata["finish_reason"]
    spent = message.usage_metadata
    if spent:
        more["usage"] = {"input": spent["input_tokens"], "output": spent["output_tokens"]}
    return bridge.assistant(blocks, **more)


def native(message: dict[str, Any], talk: bridge.Talk) -> Any:
    """A message in normal form as LangChain's."""
    if message["role"] == "user":
        return HumanMessage(message["content"])
    if message["role"] == "toolResult":
        return ToolMessage(
            message["content"], tool_call_id=message["tool_call_id"], name=message["tool_name"],
            status="error" if message["is_error"] else "success",
        )  # fmt: skip
    if message.get("stop_reason") == "error":
        raise talk.unplayable("an AIMessage has no mark that says it failed")
    kinds = [block["type"] == "toolCall" for block in message["content"]]
    if kinds != sorted(kinds):
        raise talk.unplayable("an AIMessage holds its text apart from its tool calls, so text comes first")
    good, bad = [], []
    for block in bridge.calls(message):
        if "arguments" not in block:
            raise talk.unplayable("a tool call has arguments")
        arguments = block["arguments"]
        arguments = bridge.parsed(arguments) if isinstance(arguments, str) else arguments
        whole = isinstance(arguments, dict)
        kept = {"name": block["name"], "id": block["id"], "args": arguments if whole else block["arguments"]}
        if whole:
            good.append(kept)
        else:
            bad.append({**kept, "args": _text(kept["args"]), "error": None})
    spent, label = message.get("usage"), message.get("stop_reason")
    return AIMessage(
        [block for block in message["content"] if block["type"] != "toolCall"], tool_calls=good,
        invalid_tool_calls=bad, response_metadata={} if label is None else {"finish_reason": label},
        usage_metadata=spent and {"input_tokens": spent["input"], "output_tokens": spent["output"],
                                  "total_tokens": spent["input"] + spent["output"]},
    )  # fmt: skip


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else bridge.json.dumps(arguments)
