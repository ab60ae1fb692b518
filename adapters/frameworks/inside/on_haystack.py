"""Haystack with the names of the course: its Agent on a MockChatGenerator, and the messages of its state."""

from __future__ import annotations

from typing import Any

import bridge
from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool

ENDLESS = 1_000_000_000
__record__ = bridge.record


class State:
    """The parts of an agent, one for each limit on its steps, and the messages so far."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any], history: list[Any]) -> None:
        self.talk, self.system, self.tools, self.history = talk, system, tools, history
        self.live: Any = None  # the state of the run under way, as its hooks see it
        self.raised = False
        self._agents: dict[int, Agent] = {}

    def agent(self, steps: int) -> Agent:
        """The agent under this limit."""
        if steps not in self._agents:
            self._agents[steps] = Agent(
                chat_generator=MockChatGenerator(response_fn=self.reply), tools=self.tools,
                system_prompt=self.system or None, max_agent_steps=steps, hooks={"before_run": [Seen(self)]},
            )  # fmt: skip
        return self._agents[steps]

    def reply(self, messages: Any, tools: Any) -> ChatMessage:
        """What the model says: the reply comes from the suite."""
        specs = [bridge.spec(t.name, t.description, t.parameters) for t in tools or ()]
        system = messages[0].text if messages and messages[0].role == "system" else ""
        said = messages[1:] if messages and messages[0].role == "system" else messages
        return native(self.talk.ask(system, said, specs, read), self.talk)

    def kept(self) -> list[Any]:
        """The messages as they are now, without the system prompt, which every run puts in front."""
        now = self.live.data["messages"] if self.live is not None else self.history
        return [message for message in now if message.role != "system"]


class Seen:
    """A hook (haystack/components/agents) that remembers the state of a run, and changes nothing."""

    def __init__(self, state: State) -> None:
        self._state = state

    def run(self, state: Any) -> None:
        self._state.live = state


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Agent.run_async; what is returned is its last_message."""
    talk = bridge.talk_on(messages, model)
    if system != system.strip() or "{" in system:
        raise talk.unplayable("a system_prompt is a string template: what it renders to is sent")
    if talk.state is None:
        talk.state = State(talk, system, [tool(t) for t in tools], [native(m, talk) for m in messages])
        talk.record = lambda: read(talk.state.kept())
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("an agent takes one step or more")
    state = talk.state
    if state.raised:
        raise talk.unplayable("a run that raised gives back no messages to go on from")
    agent = state.agent(ENDLESS if max_turns is None else max_turns)
    state.raised = True
    done = talk.run(agent.run_async(messages=[*state.history, ChatMessage.from_user(prompt)]))
    state.history, state.live, state.raised = state.kept(), None, False
    return read([done["last_message"]])[0]


def tool(given: dict[str, Any]) -> Tool:
    """A scripted tool, with the schema that it was given."""

    async def run(**arguments: Any) -> Any:
        return bridge.use(given, arguments)

    return Tool(
        name=given["name"], description=given["description"], parameters=given["parameters"],
        async_function=run,
    )  # fmt: skip


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """Haystack's messages in normal form."""
    made: bridge.Messages = []
    for message in given:
        for found in message.tool_call_results:
            origin = found.origin
            made.append(bridge.result(origin.id, origin.tool_name, found.result, is_error=found.error))
        if message.role == "user":
            made.append(bridge.user(message.text))
        elif message.role == "assistant":
            blocks = [bridge.text(said) for said in message.texts]
            thought = message.reasoning.reasoning_text if message.reasoning else None
            blocks = [*([{"type": "thinking", "thinking": thought}] if thought is not None else []), *blocks]
            blocks += [bridge.call(c.id, c.tool_name, c.arguments) for c in message.tool_calls]
            label = message.meta.get("finish_reason")
            made.append(bridge.assistant(blocks, **({"stop_reason": "length"} if label == "length" else {})))
    return made


def native(message: dict[str, Any], talk: bridge.Talk) -> ChatMessage:
    """A message in normal form as Haystack's."""
    if message["role"] == "user":
        return ChatMessage.from_user(message["content"])
    if message["role"] == "toolResult":
        origin = ToolCall(message["tool_name"], {}, message["tool_call_id"])
        return ChatMessage.from_tool(message["content"], origin, error=message["is_error"])
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a ChatMessage has no mark that says it failed")
    kinds = [{"thinking": 0, "text": 1}.get(block["type"], 2) for block in message["content"]]
    if kinds != sorted(kinds) or kinds.count(0) > 1 or kinds.count(1) > 1:
        raise talk.unplayable("from_assistant takes one text, and holds its tool calls apart from it")
    calls = bridge.calls(message)
    if len(calls) != kinds.count(2) or not all(isinstance(c.get("arguments"), dict) for c in calls):
        raise talk.unplayable("a ToolCall's arguments are a dict")
    label = "length" if message.get("stop_reason") == "length" else "tool_calls" if calls else "stop"
    if not calls and not bridge.words(message):
        if label == "length":
            raise talk.unplayable("a message with empty content, which the API accepts, is sent for it")
        raise talk.unplayable("an empty response (...) does not trigger an exit")
    thoughts = [block["thinking"] for block in message["content"] if block["type"] == "thinking"]
    if thoughts == [""]:
        raise talk.unplayable("from_assistant takes no reasoning without text")
    return ChatMessage.from_assistant(
        bridge.words(message) if 1 in kinds else None, {"finish_reason": label},
        tool_calls=[ToolCall(c["name"], c["arguments"], c["id"]) for c in calls],
        reasoning=thoughts[0] if thoughts else None,
    )  # fmt: skip
