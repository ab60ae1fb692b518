"""mini-swe-agent with the names of the course: its DefaultAgent, a model and an environment of the suite's.

Its one tool is bash. A scripted tool is a command there: its name, and its arguments in JSON.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from types import SimpleNamespace
from typing import Any

import bridge

os.environ.setdefault("MSWEA_SILENT_STARTUP", "1")
os.environ.setdefault("MSWEA_GLOBAL_CONFIG_DIR", f"{tempfile.gettempdir()}/mini-swe-agent")

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.exceptions import FormatError
from minisweagent.models.test_models import DeterministicToolcallModel
from minisweagent.models.utils.actions_toolcall import parse_toolcall_actions

DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"  # what a command prints that ends a run
SUBMIT = f"echo {DONE}"
OBSERVED = re.compile(r"<returncode>(-?\d+)</returncode>\n<output>\n(.*)</output>", re.DOTALL)
WHOLE = "Raises FormatError if unknown tool or invalid args: such a reply is refused as a whole"
__record__ = bridge.record


class Scripted(DeterministicToolcallModel):
    """A model (minisweagent/models) whose replies come from the suite."""

    def __init__(self, state: State) -> None:
        super().__init__(outputs=[])
        self._state = state

    def query(self, messages: Any, **_: Any) -> dict[str, Any]:
        prepared = [{k: v for k, v in m.items() if k != "extra"} for m in messages]  # as LitellmModel does
        state = self._state
        reply = state.talk.ask(messages[0]["content"], prepared, state.specs, read)
        message = native(reply, state.talk, state.tools)
        try:
            extra = {"actions": parsed(message["tool_calls"]), "cost": 0.0}
        except FormatError as error:  # its response must be kept, as every model has to
            if len(message["tool_calls"]) > 1:
                raise state.talk.unplayable(WHOLE) from error
            error.messages[0]["extra"].update(response=message, cost=0.0)
            raise
        return {**message, "extra": extra}


class Commands(LocalEnvironment):
    """An environment (minisweagent/environments) whose commands are the scripted tools."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def execute(self, action: Any, *_: Any, **__: Any) -> dict[str, Any]:
        name, _, given = action["command"].partition("\n")
        if name == SUBMIT:
            output = {"output": f"{DONE}\n{json.loads(given)}", "returncode": 0, "exception_info": ""}
        else:
            output = self._state.run(name, json.loads(given))
        self._check_finished(output)
        return output


class Agent(DefaultAgent):
    """An agent that goes on: run() begins with the system message and the task, in front of nothing else."""

    earlier: tuple[dict[str, Any], ...] = ()

    def add_messages(self, *messages: dict[str, Any]) -> list[dict[str, Any]]:
        begins = not self.messages
        added = super().add_messages(*messages)
        if begins:
            self.messages[1:1] = self.earlier
        return added


class State:
    """What is kept from one run to the next: the messages, and the agent of the run under way."""

    def __init__(self, talk: bridge.Talk, tools: list[Any], history: bridge.Messages) -> None:
        self.talk = talk
        self.tools = {t["name"]: t for t in tools}
        self.specs = [bridge.spec(t["name"], t["description"], t["parameters"]) for t in tools]
        self.earlier = [native(message, talk) for message in history]
        self.agent: Agent | None = None
        self.over = False

    def one_run(self, system: str, prompt: str, limit: int) -> str:
        """A fresh agent's run, which goes on from what was said before; gives the submission."""
        agent = Agent(
            Scripted(self), Commands(self), system_template="{{course}}", instance_template="{{task}}",
            step_limit=limit, cost_limit=0.0, max_consecutive_format_errors=0,
        )  # fmt: skip
        agent.earlier, self.agent, self.over = tuple(self.earlier), agent, True
        done: dict[str, Any] = agent.run(prompt, course=system)
        self.earlier = [m for m in agent.messages[1:] if m["role"] != "exit"]
        self.agent, self.over = None, False
        return str(done["submission"])

    def kept(self) -> bridge.Messages:
        """The agent's messages in normal form."""
        return read(self.earlier if self.agent is None else self.agent.messages)

    def run(self, name: str, given: Any) -> dict[str, Any]:
        """Run a scripted tool as a command: what it prints, and 1 if it failed."""
        try:
            said, code = self.tools[name]["execute"](given), 0
        except Exception as error:
            said, code = bridge.readable(error), 1
            if not said.strip():
                raise self.talk.unplayable("a command says what failed in its output") from error
        if not isinstance(said, str):
            raise self.talk.unplayable("what a command prints is text")
        return {"output": said, "returncode": code, "exception_info": ""}


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by DefaultAgent.run; what is returned is its submission."""
    talk = bridge.talk_on(messages, model)
    if talk.state is None:
        talk.state = State(talk, tools, messages)
        talk.record = talk.state.kept
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("a step_limit of 0 is none")
    if talk.state.over:
        raise talk.unplayable("run() begins afresh, and a run that raised is not gone on from")
    limit = 0 if max_turns is None else max_turns
    return bridge.assistant([bridge.text(talk.run(lambda: talk.state.one_run(system, prompt, limit)))])


# -- messages ------------------------------------------------------------------------------------


def parsed(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The actions that mini-swe-agent finds in the calls of a reply."""
    objects = [SimpleNamespace(id=c["id"], function=SimpleNamespace(**c["function"])) for c in calls]
    actions: list[dict[str, Any]] = parse_toolcall_actions(objects, format_error_template="{{ error }}")
    return actions


def read(given: Any) -> bridge.Messages:
    """mini-swe-agent's messages in normal form; those that end a run are no part of the conversation."""
    made: bridge.Messages = []
    names: dict[Any, Any] = {}
    for message in given:
        role, said, extra = message["role"], message["content"], message.get("extra", {})
        if role == "assistant" or "response" in extra:
            made.append(bridge.assistant(blocks(extra.get("response", message))))
            names.update({c["id"]: c["name"] for c in bridge.calls(made[-1])})
        if role == "tool":
            found = OBSERVED.fullmatch(said)
            code, text = found.groups() if found else ("0", said)
            id_ = message["tool_call_id"]
            made.append(bridge.result(id_, names.get(id_), text, is_error=code != "0"))
        elif "response" in extra:  # a format error stands for the result of the reply's one call
            call = bridge.calls(made[-1])[0]
            made.append(bridge.result(call["id"], call["name"], said, is_error=True))
        elif role == "user":
            made.append(bridge.user(said))
    return made


def blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a reply; a call that submits is the text of an answer."""
    made = [] if message["content"] is None else [bridge.text(message["content"])]
    for call in message["tool_calls"]:
        given = bridge.parsed(call["function"]["arguments"])
        if call["function"]["name"] == "bash" and isinstance(given, dict) and "command" in given:
            given = json.loads(given["command"].partition("\n")[2])
        name = call["of"]
        made.append(bridge.text(given) if name == SUBMIT else bridge.call(call["id"], name, given))
    return made


def native(message: dict[str, Any], talk: bridge.Talk, tools: Any = None) -> dict[str, Any]:
    """A message as mini-swe-agent's. `tools` are those that can be commands; all, if it is not given."""
    if message["role"] == "user":
        return {"role": "user", "content": message["content"]}
    if message["role"] == "toolResult":
        said = f"<returncode>{int(message['is_error'])}</returncode>\n<output>\n{message['content']}</output>"
        return {"role": "tool", "tool_call_id": message["tool_call_id"], "content": said}
    if message.get("stop_reason") == "error":
        raise talk.unplayable("a message has no mark that says it failed")
    kinds = [{"text": 0, "toolCall": 1}.get(block["type"], 2) for block in message["content"]]
    if kinds != sorted(kinds) or kinds.count(0) > 1 or 2 in kinds:
        raise talk.unplayable("a message holds one text, apart from its tool calls, and nothing else")
    if not kinds:
        raise talk.unplayable("Every response MUST include at least one tool call")
    if not kinds.count(1):
        given = {"command": f"{SUBMIT}\n{json.dumps(bridge.words(message))}"}
        return {"role": "assistant", "content": None, "tool_calls": [called("answer", "bash", given, SUBMIT)]}
    calls = [made(each, talk, tools) for each in bridge.calls(message)]
    content = bridge.words(message) if 0 in kinds else None
    return {"role": "assistant", "content": content, "tool_calls": calls}


def made(each: dict[str, Any], talk: bridge.Talk, tools: Any) -> dict[str, Any]:
    """One call: a command if it is of a tool that there is and its arguments are an object."""
    if "arguments" not in each:
        raise talk.unplayable("a tool call has arguments")
    given = each["arguments"]
    given = bridge.parsed(given) if isinstance(given, str) else given
    if tools is not None and each["name"] not in tools:
        return called(each["id"], each["name"], given, each["name"])
    if isinstance(given, dict):
        given = {"command": f"{each['name']}\n{json.dumps(given)}"}
    return called(each["id"], "bash", given, each["name"])


def called(id_: Any, name: str, given: Any, of: str) -> dict[str, Any]:
    """A tool call on the wire, and which scripted tool it is of; text that does not parse goes as it came."""
    arguments = given if isinstance(given, str) else json.dumps(given)
    return {"id": id_, "type": "function", "of": of, "function": {"name": name, "arguments": arguments}}
