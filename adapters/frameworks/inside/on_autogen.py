"""AutoGen with the names of the course: an AssistantAgent on a client of the suite's, and its context."""

from __future__ import annotations

import json
from collections.abc import Coroutine
from typing import Any

import bridge
from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    CreateResult,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    ModelFamily,
    ModelInfo,
    RequestUsage,
    SystemMessage,
    UserMessage,
)
from autogen_core.tools import BaseTool, ParametersSchema, ToolSchema
from pydantic import BaseModel, ConfigDict

ENDLESS = 1_000_000_000
AGENT, USER = "a", "user"  # who says what
__record__ = bridge.record


class Scripted(ChatCompletionClient):
    """A client (autogen_core/models/_model_client.py) whose replies come from the suite."""

    model_info = ModelInfo(  # type: ignore[assignment]
        vision=True, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN,
        structured_output=False,
    )  # fmt: skip
    capabilities = model_info  # type: ignore[assignment]

    def __init__(self, talk: bridge.Talk) -> None:
        self._talk = talk

    async def create(self, messages: Any, *, tools: Any = (), **_: Any) -> CreateResult:
        specs = [bridge.spec(t["name"], t["description"], t["parameters"]) for t in tools]
        system = messages[0].content if messages and isinstance(messages[0], SystemMessage) else ""
        reply = self._talk.ask(system, messages, specs, read)
        said, thought = native(reply, self._talk)
        reason: Any = "function_calls" if isinstance(said, list) else "stop"
        spent = used(reply)
        return CreateResult(finish_reason=reason, content=said, usage=spent, cached=False, thought=thought)

    def create_stream(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the suite asks for whole replies")

    async def close(self) -> None:
        """There is nothing to close."""

    def actual_usage(self) -> RequestUsage:
        return used({})

    def total_usage(self) -> RequestUsage:
        return used({})

    def count_tokens(self, *_: Any, **__: Any) -> int:
        return 0

    def remaining_tokens(self, *_: Any, **__: Any) -> int:
        return ENDLESS


class Arguments(BaseModel):
    """What a scripted tool takes: an object with any members."""

    model_config = ConfigDict(extra="allow")


class Scheme(BaseTool[Arguments, Any]):
    """A scripted tool, with the schema that it was given."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(Arguments, object, given["name"], given["description"])
        self._given = given

    @property
    def schema(self) -> ToolSchema:
        parameters: ParametersSchema = self._given["parameters"]
        return ToolSchema(name=self.name, description=self.description, parameters=parameters)

    async def run(self, args: Arguments, cancellation_token: Any) -> Any:
        del cancellation_token
        return bridge.use(self._given, args.model_extra)


class State:
    """The parts of an agent, one for each limit on its iterations, and the context that they share."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any], history: list[Any]) -> None:
        self._client, self._system, self._tools = Scripted(talk), system, [Scheme(t) for t in tools]
        self._context = UnboundedChatCompletionContext(initial_messages=history)
        self._agents: dict[int, AssistantAgent] = {}

    def agent(self, iterations: int) -> AssistantAgent:
        """The agent under this limit."""
        if iterations not in self._agents:
            self._agents[iterations] = AssistantAgent(
                AGENT, self._client, tools=list(self._tools), model_context=self._context,
                system_message=self._system, max_tool_iterations=iterations,
            )  # fmt: skip
        return self._agents[iterations]

    def kept(self) -> bridge.Messages:
        """The messages of the context as they are now."""
        return read(at_once(self._context.get_messages()))


def at_once(work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine gives that waits for nothing; the event loop may be at work."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("it waits for something")


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by AssistantAgent.run; what is returned is the text of the result's last message."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.state = State(talk, system, tools, kept_before(messages, talk))
        talk.record = talk.state.kept
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("Maximum number of tool iterations must be greater than or equal to 1")
    agent = talk.state.agent(ENDLESS if max_turns is None else max_turns)
    done = talk.run(agent.run(task=prompt))
    return bridge.assistant([bridge.text(done.messages[-1].content)])


def used(reply: dict[str, Any]) -> RequestUsage:
    """What a reply cost, as far as it says so."""
    spent = reply.get("usage") or {}
    return RequestUsage(spent.get("input", 0), spent.get("output", 0))


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """AutoGen's messages in normal form: a message for each result."""
    made: bridge.Messages = []
    for message in given:
        if isinstance(message, UserMessage):
            made.append(bridge.user(message.content))
        elif isinstance(message, AssistantMessage):
            made.append(bridge.assistant(blocks(message)))
        elif isinstance(message, FunctionExecutionResultMessage):
            found = message.content
            made += [bridge.result(r.call_id, r.name, r.content, is_error=r.is_error) for r in found]
    return made


def blocks(message: AssistantMessage) -> list[dict[str, Any]]:
    """The blocks of a reply. Its thought is its text, if it holds calls."""
    if isinstance(message.content, str):
        thought = [] if message.thought is None else [{"type": "thinking", "thinking": message.thought}]
        return [*thought, bridge.text(message.content)]
    said = [] if message.thought is None else [bridge.text(message.thought)]
    return said + [bridge.call(c.id, c.name, bridge.parsed(c.arguments)) for c in message.content]


def native(reply: dict[str, Any], talk: bridge.Talk) -> tuple[str | list[FunctionCall], str | None]:
    """A reply as AutoGen's content and thought."""
    if reply.get("stop_reason") == "error":
        raise talk.unplayable("no finish_reason makes a reply a failed one")
    kinds = [block["type"] for block in reply["content"]]
    calls = bridge.calls(reply)
    if not calls:
        if kinds not in ([], ["text"], ["thinking", "text"]):
            raise talk.unplayable("a reply's content is one text, and it has one thought")
        thoughts = [block["thinking"] for block in reply["content"] if block["type"] == "thinking"]
        return bridge.words(reply), thoughts[0] if thoughts else None
    if kinds[: -len(calls)] not in ([], ["text"]) or "toolCall" in kinds[: -len(calls)]:
        raise talk.unplayable("a reply's content is its calls, and its text is one thought")
    if not all("arguments" in c for c in calls):
        raise talk.unplayable("a FunctionCall has arguments")
    asked = [FunctionCall(id=c["id"], name=c["name"], arguments=written(c["arguments"])) for c in calls]
    return asked, bridge.words(reply) if "text" in kinds else None


def written(arguments: Any) -> str:
    """Arguments as a FunctionCall has them: JSON in a text."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def kept_before(messages: bridge.Messages, talk: bridge.Talk) -> list[Any]:
    """Messages that were handed in; the results of one reply stand in one message."""
    made: list[Any] = []
    for message in messages:
        if message["role"] == "user":
            made.append(UserMessage(content=message["content"], source=USER))
        elif message["role"] == "assistant":
            said, thought = native(message, talk)
            made.append(AssistantMessage(content=said, thought=thought, source=AGENT))
        else:
            if not isinstance(made[-1], FunctionExecutionResultMessage):
                made.append(FunctionExecutionResultMessage(content=[]))
            made[-1].content.append(FunctionExecutionResult(
                content=message["content"], name=message["tool_name"], call_id=message["tool_call_id"],
                is_error=message["is_error"],
            ))  # fmt: skip
    return made
