"""CrewAI with the names of the course: an Agent on a BaseLLM of the suite's, and its kickoff's messages."""

from __future__ import annotations

import contextvars
import copy
import os
from typing import Any, ClassVar

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"  # or it asks the network
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"
os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "true"

import bridge
from crewai import Agent, BaseLLM
from crewai.events.utils.console_formatter import set_suppress_console_output
from crewai.tools import BaseTool
from crewai.utilities.i18n import I18N_DEFAULT
from crewai.utilities.string_utils import sanitize_tool_name
from pydantic import BaseModel, Field, PrivateAttr

ENDLESS = 1_000_000_000
REPEATS = 5  # MAX_REPEATED_TOOL_CALLS in crewai/utilities/agent_utils.py
ROLE, GOAL = "Scripted", "Answer."
set_suppress_console_output(True)
__record__ = bridge.record


class Scripted(BaseLLM):
    """An LLM (crewai/llms/base_llm.py) whose replies come from the suite."""

    model: str = "scripted"
    _state: Any = PrivateAttr(default=None)

    def behind(self, state: State) -> Scripted:
        """This LLM, with the agent that asks it."""
        self._state = state
        return self

    def call(self, messages: Any, tools: Any = None, *_: Any, **__: Any) -> Any:
        """One model call."""
        return self._state.reply(messages, tools)

    def supports_function_calling(self) -> bool:
        return True


class State:
    """An agent, the messages so far, and those of the run under way: its executor's own list."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any], history: list[Any]) -> None:
        self.talk, self.history = talk, history
        self.live: Any = None
        self.made: list[Any] = []  # the calls of the run
        self.raised = False
        self.left: int | None = None  # how many replies the prompt may still have
        self.agent = Agent(
            role=ROLE, goal=GOAL, backstory=system, llm=Scripted(model="scripted").behind(self),
            tools=[tool(given, talk) for given in tools], max_iter=ENDLESS, respect_context_window=False,
            use_better_compaction=False,
        )  # fmt: skip

    def reply(self, messages: Any, tools: Any) -> Any:
        """What the model says: the reply comes from the suite."""
        self.live = messages
        specs = [bridge.spec(f["name"], f["description"], f["parameters"]) for f in functions(tools)]
        system = unwrapped(messages[0]["content"], "role_playing") if messages else ""
        said = self.talk.ask(system, messages, specs, read)
        if self.left is not None:
            self.left -= 1
            if self.left < 0 or (self.left == 0 and bridge.calls(said)):
                raise self.talk.unplayable("Performs one more LLM call to get the final answer.")
        return native(said, self)

    def counted(self, call: dict[str, Any]) -> dict[str, Any]:
        """A call, unless it is one of those that CrewAI ends a run for."""
        self.made.append(call["function"])
        if self.made.count(call["function"]) >= REPEATS:
            raise self.talk.unplayable("Stop a run that keeps repeating an identical tool call.")
        return call

    def kept(self) -> list[Any]:
        """The messages as they are now, as they are handed in to the next kickoff."""
        now = self.history if self.live is None else self.live
        return [{**m, "content": said(m)} for m in now if m["role"] != "system"]


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Agent.kickoff; what is returned is the raw text of its LiteAgentOutput."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        trimmed(system, talk)
        talk.state = State(talk, system, tools, [handed_in(m, talk) for m in messages])
        talk.record = lambda: read(talk.state.kept())
    state = talk.state
    if not prompt:
        raise talk.unplayable("Whether a message says anything the provider needs")
    trimmed(prompt, talk)
    if state.raised:
        raise talk.unplayable("a kickoff that raised gives back no messages to go on from")
    state.made, state.raised, state.left = [], True, max_turns
    said_so_far = [*state.history, {"role": "user", "content": prompt}]
    apart = contextvars.copy_context()  # an Unplayable leaves its events open in the context it came through
    done = talk.run(lambda: apart.run(state.agent.kickoff, said_so_far))
    state.history, state.live, state.raised = state.kept(), None, False
    return bridge.assistant([bridge.text(done.raw)])


class Anything(BaseModel):
    """The arguments of a scripted tool: no fields, so that they go as they are."""

    given: ClassVar[dict[str, Any]] = {}

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """The schema that the tool was given."""
        return copy.deepcopy(cls.given)


class ScriptedTool(BaseTool):
    """A scripted tool."""

    given: Any = Field(exclude=True)

    def _run(self, **arguments: Any) -> Any:
        return self.given["execute"](arguments)


def tool(given: dict[str, Any], talk: bridge.Talk) -> ScriptedTool:
    """A scripted tool, with the schema that it was given."""
    if sanitize_tool_name(given["name"]) != given["name"]:
        raise talk.unplayable("Sanitized tool name (lowercase, a-z0-9_ only, max 64 chars)")
    schema = type("Arguments", (Anything,), {"given": given["parameters"]})
    return ScriptedTool(
        given=given, name=given["name"], description=given["description"], args_schema=schema,
        max_usage_count=ENDLESS,
    )  # fmt: skip


# -- messages ------------------------------------------------------------------------------------


def functions(tools: Any) -> list[Any]:
    """What is sent of tools."""
    return [each["function"] for each in tools or ()]


def unwrapped(content: Any, *slices: str) -> Any:
    """A text without the words that CrewAI's templates put round it."""
    for name in slices:
        template = I18N_DEFAULT.slice(name).replace("{role}", ROLE).replace("{goal}", GOAL)
        before, _, after = template.replace("{backstory}", "{input}").partition("{input}")
        if isinstance(content, str) and content.startswith(before) and content.endswith(after):
            return content[len(before) : len(content) - len(after)]
    return content


def said(message: dict[str, Any]) -> Any:
    """The content of a message; of a prompt what was asked."""
    if message["role"] == "user":
        return unwrapped(message["content"], "task_no_tools", "native_task")
    return message["content"]


def read(given: Any) -> bridge.Messages:
    """CrewAI's messages in normal form."""
    made: bridge.Messages = []
    for place, message in enumerate(given):
        content = said(message)
        if message["role"] == "assistant":
            blocks = [bridge.text(content)] if content is not None else []
            for call in message.get("tool_calls") or ():
                about = call["function"]
                blocks.append(bridge.call(call["id"], about["name"], bridge.parsed(about["arguments"])))
            made.append(bridge.assistant(blocks))
        elif message["role"] == "tool":
            made.append(bridge.result(message["tool_call_id"], message.get("name"), content))
        elif place or message["role"] != "system":
            made.append({"role": message["role"], "content": content})
    return made


def native(message: dict[str, Any], state: State) -> Any:
    """A reply as BaseLLM.call gives it back: calls or a text, as CrewAI's own models do."""
    talk, calls = state.talk, bridge.calls(message)
    if message.get("stop_reason") == "error":
        raise talk.unplayable("what BaseLLM.call gives back has no mark that says it failed")
    if calls:
        return [state.counted(called(each, talk)) for each in calls]
    texts = [block["text"] for block in message["content"] if block["type"] == "text"]
    if len(texts) != 1 or len(message["content"]) != 1:
        raise talk.unplayable("BaseLLM.call gives back one text")
    if not texts[0]:
        raise talk.unplayable("ValueError: If the response is None or empty")
    trimmed(texts[0], talk)
    return texts[0]


def called(each: dict[str, Any], talk: bridge.Talk) -> dict[str, Any]:
    """A call of a reply."""
    arguments = each.get("arguments")
    if not isinstance(arguments, (dict, str)) or not each.get("id"):
        raise talk.unplayable("a call has an id, and an object or its text as arguments")
    if arguments == "":
        raise talk.unplayable("arguments that are an empty text are none")
    if sanitize_tool_name(each["name"]) != each["name"]:
        raise talk.unplayable("Sanitized tool name (lowercase, a-z0-9_ only, max 64 chars)")
    sent = arguments if isinstance(arguments, str) else bridge.json.dumps(arguments)
    return {"id": each["id"], "type": "function", "function": {"name": each["name"], "arguments": sent}}


def trimmed(words: str, talk: bridge.Talk) -> None:
    """Pass over what CrewAI trims on purpose."""
    if words != words.rstrip():
        raise talk.unplayable("Create an LLM message with trailing whitespace removed.")


def handed_in(message: dict[str, Any], talk: bridge.Talk) -> dict[str, Any]:
    """A message that was handed in."""
    if message["role"] == "user":
        return {"role": "user", "content": message["content"]}
    if message["role"] == "toolResult":
        return {"role": "tool", "tool_call_id": message["tool_call_id"], "name": message["tool_name"],
                "content": message["content"]}  # fmt: skip
    calls, words = bridge.calls(message), bridge.words(message)
    if not calls and not words:
        raise talk.unplayable("Whether a message says anything the provider needs")
    made: dict[str, Any] = {"role": "assistant", "content": words or None}
    return {**made, "tool_calls": [called(each, talk) for each in calls]} if calls else made
