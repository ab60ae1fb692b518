"""smolagents with the names of the course: a ToolCallingAgent on a Model of the suite's, and its memory."""

from __future__ import annotations

import ast
import functools
import time
from typing import Any

import bridge
from smolagents import LogLevel, Tool, ToolCallingAgent
from smolagents.agents import ToolOutput
from smolagents.memory import ActionStep, TaskStep, Timing, ToolCall
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
    get_tool_json_schema,
)
from smolagents.monitoring import TokenUsage
from smolagents.utils import AgentGenerationError

ENDLESS = 1_000_000_000
FINAL = "final_answer"  # the tool by which an answer is given
TASK, CALLING, OBSERVED = "New task:\n", "Calling tools:\n", "Observation:\n"  # smolagents/memory.py
__record__ = bridge.record


class Scripted(Model):
    """A model (smolagents/models.py) whose replies come from the suite."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def generate(self, messages: Any, *_: Any, tools_to_call_from: Any = None, **__: Any) -> ChatMessage:
        schemas = [get_tool_json_schema(t)["function"] for t in tools_to_call_from or () if t.name != FINAL]
        specs = [bridge.spec(s["name"], s["description"], s["parameters"]) for s in schemas]
        state, system = self._state, messages[0].content[0]["text"]
        return native(state.talk.ask(system, messages[1:], specs, state.sent), state.talk)


class Scheme(Tool):
    """A scripted tool. Its schema is given as `inputs`, which want a description for each member."""

    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, given: dict[str, Any]) -> None:
        self.name, self.description, self._given = given["name"], given["description"], given
        needed = given["parameters"].get("required", ())
        self.inputs = {
            name: {"description": "", **member, **({} if name in needed else {"nullable": True})}
            for name, member in given["parameters"]["properties"].items()
        }
        super().__init__()

    def forward(self, *single: Any, **named: Any) -> Any:
        return self._given["execute"](single[0] if single else named)


class State:
    """The agent, and what each tool of a step gave back: the memory holds the texts of one step joined."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any]) -> None:
        self.talk = talk
        templates: Any = ToolCallingAgent([], Scripted(self)).prompt_templates
        self.agent = ToolCallingAgent(
            [Scheme(t) for t in tools], Scripted(self), instructions=system, max_steps=ENDLESS,
            prompt_templates={**templates, "system_prompt": "{{custom_instructions}}"},
            verbosity_level=LogLevel.OFF, max_tool_threads=1,
        )  # fmt: skip
        self.outputs: dict[str, str] = {}  # of the step under way
        self._apart: dict[Any, list[str]] = {}

    def one_run(self, prompt: str) -> Any:
        """Run the agent on what its memory holds; what is returned is the last event's output."""
        event: Any = None
        for event in self.agent.run(prompt, stream=True, reset=False):
            if isinstance(event, ToolOutput):
                self.outputs[event.id] = event.observation
            elif isinstance(event, ActionStep):
                self.seen(event)
        return event.output

    def seen(self, step: ActionStep) -> None:
        """Keep which texts the observations of a step were joined from."""
        ids = [call.id for call in step.tool_calls or ()]
        if all(id_ in self.outputs for id_ in ids):
            self._apart[(tuple(ids), step.observations)] = [self.outputs[id_] for id_ in ids]
        self.outputs = {}

    def results(self, calls: list[dict[str, Any]], said: Any) -> bridge.Messages:
        """The results of the calls of one step, whose texts stand joined in `said`."""
        texts = self._apart.get((tuple(c["id"] for c in calls), said)) if len(calls) > 1 else [said]
        texts = texts or [said, *[None] * (len(calls) - 1)]
        return [
            bridge.result(c["id"], c["name"], text, is_error=False)
            for c, text in zip(calls, texts, strict=True) if c["name"] != FINAL
        ]  # fmt: skip

    # -- messages --------------------------------------------------------------------------------

    def sent(self, given: Any) -> bridge.Messages:
        """What the model is sent, in normal form: smolagents tells calls and results in text."""
        made: bridge.Messages = []
        calls: list[dict[str, Any]] = []
        for message in given:
            said = message.content[0]["text"]
            if message.role == MessageRole.ASSISTANT:
                made.append(bridge.assistant([bridge.text(said)]))
            elif message.role == MessageRole.TOOL_CALL:
                calls = [bridge.call(*each) for each in called(said)]
                odd = not all(isinstance(c["arguments"], dict) for c in calls)
                if not made or made[-1]["role"] != "assistant":
                    made.append(bridge.assistant([]))
                made[-1]["content"] += [bridge.text(said)] if odd else shown(calls)
                calls = [] if odd else calls  # what is no object can be said in text alone
            elif message.role == MessageRole.TOOL_RESPONSE and said.startswith(OBSERVED) and calls:
                made += self.results(calls, said.removeprefix(OBSERVED))
            else:  # a task; or an error, which names no call and reaches the model as a user's message
                made.append(bridge.user(said.removeprefix(TASK)))
        return made

    def remembered(self) -> bridge.Messages:
        """The steps of the agent's memory in normal form."""
        made: bridge.Messages = []
        for step in self.agent.memory.steps:
            if isinstance(step, TaskStep):
                made.append(bridge.user(step.task))
            elif step.model_output_message is not None:
                made += self._step(step)
        return made

    def _step(self, step: ActionStep) -> bridge.Messages:
        """One step: the reply as it was kept, then what its tools gave back, or the error of the step."""
        said: Any = step.model_output_message
        calls = [bridge.call(c.id, c.function.name, c.function.arguments) for c in said.tool_calls or ()]
        blocks = [] if said.content is None else [bridge.text(said.content)]
        spent = said.token_usage
        usage = {"usage": {"input": spent.input_tokens, "output": spent.output_tokens}} if spent else {}
        made = [bridge.assistant([*blocks, *shown(calls)], **usage)]
        if step.tool_calls is not None and step.observations is not None:
            answered = [bridge.call(c.id, c.name, c.arguments) for c in step.tool_calls]
            made += self.results(answered, step.observations)
        if step.error is not None:
            one = calls[0] if len(calls) == 1 else {"id": None, "name": None}
            made.append(bridge.result(one["id"], one["name"], str(step.error), is_error=True))
        return made

    def hand_in(self, messages: bridge.Messages) -> None:
        """Fill the memory with messages of earlier runs, step by step as a run leaves them."""
        steps = self.agent.memory.steps
        for message in messages:
            if message["role"] == "user":
                steps.append(TaskStep(message["content"]))
            elif message["role"] == "assistant" and not bridge.calls(message):
                steps.append(step_of(native(message, self.talk), len(steps)))
            else:
                raise self.talk.unplayable("a step of the memory holds the results of its calls as one text")


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by ToolCallingAgent.run; what is returned is its output."""
    talk = bridge.talk_on(messages, model)
    if max_turns is not None:
        raise talk.unplayable("when the steps are used up, the model is asked once more for an answer")
    if talk.state is None:
        state = State(talk, system, tools)
        state.hand_in(messages)
        talk.state, talk.record = state, state.remembered
    try:
        return bridge.assistant([bridge.text(str(talk.run(lambda: talk.state.one_run(prompt))))])
    except AgentGenerationError as wrapper:
        raise (wrapper.__cause__ or wrapper) from wrapper


def usage_of(messages: Any) -> dict[str, int]:
    """What the agent's monitor counted."""
    talk = bridge.talk_on(messages, None)
    spent = talk.state.agent.monitor.get_total_token_counts() if talk.state else TokenUsage(0, 0)
    return {"input": spent.input_tokens, "output": spent.output_tokens}


@functools.lru_cache(maxsize=10_000)
def called(said: str) -> list[tuple[Any, Any, Any]]:
    """The calls of a message of the role tool-call, as id, name and arguments."""
    listed = ast.literal_eval(said.removeprefix(CALLING))
    return [(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in listed]


def shown(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calls as blocks of a reply; the call by which an answer is given is the answer's text."""
    return [bridge.text(c["arguments"]["answer"]) if c["name"] == FINAL else c for c in calls]


def native(reply: dict[str, Any], talk: bridge.Talk) -> ChatMessage:
    """A reply as smolagents' message. One without calls is an answer: a call of the tool final_answer."""
    if reply.get("stop_reason") == "error":
        raise talk.unplayable("a ChatMessage has no mark that says it failed")
    kinds = [block["type"] == "toolCall" for block in reply["content"]]
    if any(block["type"] not in ("text", "toolCall") for block in reply["content"]):
        raise talk.unplayable("a ChatMessage holds a text and tool calls, and nothing else")
    if kinds != sorted(kinds) or kinds.count(False) > 1:
        raise talk.unplayable("a ChatMessage holds one text, apart from its tool calls")
    if not kinds:
        raise talk.unplayable("Other AgentError types are caused by the Model, so we should (...) iterate")
    calls = bridge.calls(reply) or [bridge.call("answer", FINAL, {"answer": bridge.words(reply)})]
    if not all("arguments" in c for c in calls):
        raise talk.unplayable("a tool call has arguments")
    functions = [(ChatMessageToolCallFunction(c["arguments"], c["name"]), c["id"]) for c in calls]
    spent = reply.get("usage")
    return ChatMessage(
        MessageRole.ASSISTANT, bridge.words(reply) if any(kinds) and not all(kinds) else None,
        [ChatMessageToolCall(function, id_, "function") for function, id_ in functions],
        token_usage=TokenUsage(spent.get("input", 0), spent.get("output", 0)) if spent else None,
    )  # fmt: skip


def step_of(message: ChatMessage, number: int) -> ActionStep:
    """A step whose reply answers, as it stands in the memory after a run."""
    calls = [ToolCall(c.function.name, c.function.arguments, c.id) for c in message.tool_calls or ()]
    return ActionStep(
        number, Timing(time.time()), tool_calls=calls, model_output_message=message,
        model_output=message.content, observations=calls[0].arguments["answer"].strip(), is_final_answer=True,
    )  # fmt: skip
