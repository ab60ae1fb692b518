"""Microsoft's Agent Framework with the names of the course: an Agent on a chat client of the suite's."""

from __future__ import annotations

from typing import Any

import bridge
from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    InMemoryHistoryProvider,
    Message,
    UsageDetails,
    add_usage_details,
)

ENDLESS = 1_000_000_000
HISTORY = InMemoryHistoryProvider.DEFAULT_SOURCE_ID
__record__ = bridge.record


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):  # type: ignore[type-arg, misc]
    """A chat client (agent_framework/_clients.py) whose replies come from the suite."""

    def __init__(self, talk: bridge.Talk) -> None:
        super().__init__(function_invocation_configuration={
            "max_iterations": ENDLESS, "max_consecutive_errors_per_request": ENDLESS,
            "include_detailed_errors": True,
        })  # fmt: skip
        self._talk = talk

    async def _inner_get_response(  # type: ignore[override]
        self, *, messages: Any, stream: bool, options: Any, **_: Any
    ) -> ChatResponse:
        del stream
        tools = options.get("tools") or ()
        specs = [bridge.spec(t.name, t.description, t.parameters()) for t in tools]
        reply = self._talk.ask(options.get("instructions") or "", messages, specs, sent)
        spent = reply.get("usage") or {}
        used = UsageDetails(
            input_token_count=spent.get("input", 0), output_token_count=spent.get("output", 0)
        )
        return ChatResponse(messages=[native(reply, self._talk)], usage_details=used)


class State:
    """The agent, its session, and what its runs used."""

    def __init__(self, agent: Any, history: list[Message]) -> None:
        self.agent, self.session, self.spent = agent, AgentSession(), UsageDetails()
        self.session.state[HISTORY] = {"messages": history}

    def stored(self) -> list[Message]:
        """The messages of the session, where InMemoryHistoryProvider keeps them."""
        messages: list[Message] = self.session.state[HISTORY]["messages"]
        return messages


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Agent.run; what is returned is the last message of its AgentResponse."""
    talk = bridge.talk_on(messages, model)
    if max_turns is not None:
        raise talk.unplayable("max_iterations is no limit on the number of requests")
    if talk.state is None:
        history = [native(m, talk) for m in messages]
        scripted = [tool(t) for t in tools]
        agent = Agent(
            Scripted(talk), system, tools=scripted, context_providers=[InMemoryHistoryProvider()]
        )
        talk.state = State(agent, history)
        talk.record = lambda: read(talk.state.stored())
    state = talk.state
    done = talk.run(state.agent.run(prompt, session=state.session))
    state.spent = add_usage_details(state.spent, done.usage_details)
    return read(done.messages[-1:])[0]


def tool(given: dict[str, Any]) -> FunctionTool:
    """A scripted tool, with the schema that it was given."""

    async def run(**arguments: Any) -> Any:
        return bridge.use(given, arguments)

    return FunctionTool(
        name=given["name"], description=given["description"], func=run, input_model=given["parameters"]
    )


def usage_of(messages: Any) -> dict[str, int]:
    """What the framework counted for its runs."""
    state = bridge.talk_on(messages, None).state
    spent: Any = state.spent if state else {}
    return {"input": spent.get("input_token_count", 0), "output": spent.get("output_token_count", 0)}


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """The framework's messages in normal form: a message for each prompt, reply and result."""
    made: bridge.Messages = []
    names: dict[Any, Any] = {}
    for message in given:
        if message.role == "assistant":
            made.append(bridge.assistant([block(each) for each in message.contents]))
        for each in message.contents:
            if each.type == "function_call":
                names[each.call_id] = each.name
            elif each.type == "function_result":
                name, failed = names.get(each.call_id), each.exception is not None
                made.append(bridge.result(each.call_id, name, each.result, is_error=failed))
            elif message.role != "assistant":
                made.append({"role": message.role, "content": each.text})
    return made


def sent(given: Any) -> bridge.Messages:
    """What the framework's own clients make of them: of a reply that holds nothing, nothing is sent."""
    return bridge.filled(read(given))


def block(each: Content) -> dict[str, Any]:
    """One content of a reply."""
    if each.type == "function_call":
        given = each.arguments
        return bridge.call(each.call_id, each.name, bridge.parsed(given) if isinstance(given, str) else given)
    if each.type == "text_reasoning":
        return {"type": "thinking", "thinking": each.text}
    return bridge.text(each.text)


def native(message: dict[str, Any], talk: bridge.Talk) -> Message:
    """A message in normal form as the framework's."""
    if message["role"] == "user":
        return Message("user", [Content.from_text(message["content"])])
    if message["role"] == "toolResult":
        said = message["content"]
        return Message("tool", [Content.from_function_result(
            message["tool_call_id"], result=said, exception=said if message["is_error"] else None
        )])  # fmt: skip
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a Message has no mark that says it failed")
    return Message("assistant", [content(each, talk) for each in message["content"]])


def content(each: dict[str, Any], talk: bridge.Talk) -> Content:
    """One block of a reply; arguments are an object, or what came over the wire."""
    if each["type"] == "text":
        return Content.from_text(each["text"])
    if each["type"] == "thinking":
        return Content.from_text_reasoning(text=each["thinking"])
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no content of the type {each['type']!r}")
    if "arguments" not in each or not each.get("id"):
        raise talk.unplayable("a function call has a call_id and arguments")
    given = each["arguments"]
    kept = given if isinstance(given, (dict, str)) else bridge.json.dumps(given)
    return Content.from_function_call(each["id"], each["name"], arguments=kept)
