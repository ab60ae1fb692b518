"""The OpenHands SDK with the names of the course: a Conversation on an LLM of the suite's, and its events."""

from __future__ import annotations

import logging
import os
import re
from typing import Any, ClassVar

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # or litellm asks the network when it is imported

import bridge
from litellm.types.utils import ModelResponse
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.conversation.exceptions import ConversationRunError
from openhands.sdk.conversation.response_utils import get_agent_final_response
from openhands.sdk.event import (
    ActionEvent,
    AgentErrorEvent,
    LLMConvertibleEvent,
    MessageEvent,
    ObservationBaseEvent,
    ObservationEvent,
)
from openhands.sdk.llm import LLMResponse, Message, MessageToolCall, TextContent, ThinkingBlock
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolExecutor, register_tool
from openhands.sdk.tool.client_tool import ClientTool
from pydantic import PrivateAttr

ENDLESS = 1_000_000_000
LEADING = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")  # _extract_tool_name_base in openhands/sdk/agent/utils.py
logging.disable(logging.CRITICAL)
__record__ = bridge.record


class Scripted(TestLLM):
    """An LLM whose replies come from the suite; how it makes an LLMResponse of one is TestLLM's own."""

    _state: Any = PrivateAttr(default=None)

    def behind(self, state: State) -> Scripted:
        """This LLM, with the conversation that asks it."""
        self._state = state
        return self

    def completion(
        self, messages: Any, tools: Any = None, add_security_risk_prediction: bool = False, *_: Any, **__: Any
    ) -> LLMResponse:
        """One model call."""
        specs = [specified(tool, add_security_risk_prediction) for tool in tools or ()]
        return self._state.reply(messages, specs, self._answered)

    def _answered(self, message: Message, number: int) -> LLMResponse:
        raw = ModelResponse(id=f"reply-{number}", model=self.model, choices=[], created=0)
        return LLMResponse(message=message, metrics=self._zero_metrics(), raw_response=raw)


class State:
    """A conversation, and what of its messages has a mark. The one before it is closed, or it would stay."""

    before: ClassVar[Any] = None

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any]) -> None:
        self.talk, self.names, self.count = talk, [t["name"] for t in tools], 0
        if State.before is not None:
            State.before.close()
        for given in tools:
            register_tool(given["name"], tool(given))
        agent = Agent(
            llm=Scripted(model="scripted").behind(self), system_prompt=system, include_default_tools=[],
            tools=[Tool(name=name) for name in self.names],
        )  # fmt: skip
        self.conversation = Conversation(
            agent, workspace=".", stuck_detection=False, visualizer=None, max_iteration_per_run=ENDLESS
        )
        State.before = self.conversation

    def events(self) -> list[Any]:
        """The events that stand for messages, in order."""
        return [event for event in self.conversation.state.events if isinstance(event, LLMConvertibleEvent)]

    def reply(self, messages: list[Message], specs: Any, answered: Any) -> LLMResponse:
        """What the model says: the reply comes from the suite."""
        marks = failures(self.events())
        system = "".join(part.text for part in messages[0].content) if messages[0].role == "system" else ""
        said = messages[1:] if messages[0].role == "system" else messages
        made = self.talk.ask(system, said, specs, lambda given: read(given, marks))
        self.count += 1
        return answered(native(made, self), self.count)

    def kept(self) -> bridge.Messages:
        """The record: the events as the SDK makes messages of them."""
        events = self.events()
        messages = LLMConvertibleEvent.events_to_messages(events)
        return read([m for m in messages if m.role != "system"], failures(events))


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by send_message and run; what is returned is the agent's final response."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.state = State(talk, system, tools)
        hand_in(messages, talk.state)
        talk.record = talk.state.kept
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("max_iterations is greater than 0")
    conversation = talk.state.conversation
    conversation.max_iteration_per_run = ENDLESS if max_turns is None else max_turns

    def run() -> None:
        conversation.send_message(prompt)
        conversation.run()

    try:
        talk.run(run)
    except ConversationRunError as wrapper:
        raise wrapper.original_exception from wrapper
    return bridge.assistant([bridge.text(get_agent_final_response(conversation.state.events))])


# -- tools ---------------------------------------------------------------------------------------


class Anything(Action):
    """Arguments as they come, as in MCPToolAction."""

    data: dict[str, Any]


class Said(Observation):
    """What a scripted tool says."""


class Runs(ToolExecutor[Anything, Said]):
    """Runs a scripted tool."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def __call__(self, action: Anything, conversation: Any = None) -> Any:
        del conversation
        said = self._given["execute"](action.data)
        return Said.from_text(said) if isinstance(said, str) else said


class ScriptedTool(ClientTool):
    """A tool with the schema that it was given, "used verbatim", which takes any arguments."""

    @property
    def name(self) -> str:  # else the class's own name is the tool's
        """The name that the tool was given."""
        return self.client_tool_name

    def action_from_arguments(self, arguments: dict[str, Any]) -> Action:
        """The action of a call."""
        return Anything(data=arguments)


def tool(given: dict[str, Any]) -> ScriptedTool:
    """A scripted tool."""
    return ScriptedTool(
        client_tool_name=given["name"], description=given["description"], input_schema=given["parameters"],
        action_type=Anything, observation_type=Said, executor=Runs(given),
    )  # fmt: skip


def specified(given: Any, risk: bool) -> dict[str, Any]:
    """A tool as it is sent."""
    about = given.to_openai_tool(add_security_risk_prediction=risk)["function"]
    return bridge.spec(about["name"], about["description"], about["parameters"])


# -- messages ------------------------------------------------------------------------------------


def failures(events: list[Any]) -> list[bool]:
    """Which results, in order, say that they are errors."""
    results = [event for event in events if isinstance(event, ObservationBaseEvent)]
    return [not isinstance(r, ObservationEvent) or r.observation.is_error for r in results]


def read(given: list[Message], marks: list[bool]) -> bridge.Messages:
    """The SDK's messages in normal form: a message for each prompt, though one of theirs may hold several."""
    made: bridge.Messages = []
    left = iter(marks)
    for message in given:
        texts = [part.text for part in message.content]
        if message.role == "tool":
            mark = next(left)
            made.append(bridge.result(message.tool_call_id, message.name, "".join(texts), is_error=mark))
        elif message.role == "assistant":
            blocks = [{"type": "thinking", "thinking": block.thinking} for block in message.thinking_blocks]
            blocks += [bridge.text(said) for said in texts]
            calls = message.tool_calls or ()
            blocks += [bridge.call(c.id, c.name, bridge.parsed(c.arguments)) for c in calls]
            made.append(bridge.assistant(blocks))
        else:
            made += [{"role": message.role, "content": said} for said in texts]
    return made


def native(message: dict[str, Any], state: State) -> Message:
    """A reply as the SDK's message."""
    talk = state.talk
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a Message has no mark that says it failed")
    kinds = [{"thinking": 0, "text": 1}.get(block["type"], 2) for block in message["content"]]
    calls = bridge.calls(message)
    if kinds != sorted(kinds) or len(calls) != kinds.count(2):
        raise talk.unplayable("a Message holds its thinking_blocks, its content and its tool_calls apart")
    if not calls and not bridge.words(message).strip():
        raise talk.unplayable("sends corrective feedback so the model knows it must produce a tool call")
    blocks = message["content"]
    return Message(
        role="assistant",
        thinking_blocks=[ThinkingBlock(thinking=b["thinking"]) for b in blocks if b["type"] == "thinking"],
        content=[TextContent(text=b["text"]) for b in blocks if b["type"] == "text"],
        tool_calls=[called(each, state) for each in calls] or None,
    )


def called(each: dict[str, Any], state: State) -> MessageToolCall:
    """A call of a reply."""
    arguments, name = each.get("arguments"), each["name"]
    if not isinstance(arguments, (dict, str)) or not isinstance(each.get("id"), str):
        raise state.talk.unplayable("a MessageToolCall has an id, and its arguments as a JSON text")
    if isinstance(arguments, dict) and None in arguments.values():
        raise state.talk.unplayable("Remove any arguments that are clearly not valid (None values, etc.)")
    leading = LEADING.match(name)
    if name not in state.names and leading and leading[0] in state.names:
        raise state.talk.unplayable("The leading identifier is extracted and used as the lookup key")
    sent = arguments if isinstance(arguments, str) else bridge.json.dumps(arguments)
    return MessageToolCall(id=each["id"], name=name, arguments=sent, origin="completion")


def hand_in(messages: bridge.Messages, state: State) -> None:
    """What was said before, as the events that a conversation would have kept of it."""
    actions: dict[str, ActionEvent] = {}
    for number, message in enumerate(messages):
        if message["role"] == "user":
            state.conversation.send_message(message["content"])
            continue
        made = [answer(message, actions)] if message["role"] == "toolResult" else said(message, number, state)
        for event in made:
            state.conversation.state.append_event(event)
            if isinstance(event, ActionEvent):
                actions[event.tool_call_id] = event


def said(message: dict[str, Any], number: int, state: State) -> list[Any]:
    """The events of a reply that was handed in."""
    if not bridge.calls(message):
        content = [TextContent(text=block["text"]) for block in message["content"]]
        if not content:
            raise state.talk.unplayable("a Message has no mark that says it failed")
        return [MessageEvent(source="agent", llm_message=Message(role="assistant", content=content))]
    whole = native(message, state)
    return [
        ActionEvent(
            thought=whole.content if place == 0 else [], tool_call=call, tool_name=call.name,
            tool_call_id=call.id,
            action=Anything(data=bridge.json.loads(call.arguments)) if call.name in state.names else None,
            llm_response_id=f"given-{number}",
        )
        for place, call in enumerate(whole.tool_calls or ())
    ]  # fmt: skip


def answer(message: dict[str, Any], actions: dict[str, ActionEvent]) -> Any:
    """The event of a result that was handed in."""
    id_, name = message["tool_call_id"], message["tool_name"]
    if message["is_error"]:
        return AgentErrorEvent(error=message["content"], tool_name=name, tool_call_id=id_)
    observation = Said.from_text(message["content"])
    return ObservationEvent(
        observation=observation, action_id=actions[id_].id, tool_name=name, tool_call_id=id_
    )
