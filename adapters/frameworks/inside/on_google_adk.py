"""Google's ADK with the names of the course: a Runner, an LlmAgent on a BaseLlm of the suite's, a session."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import bridge
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.base_tool import BaseTool
from google.genai import types

IDENTITY = 'You are an agent. Your internal name is "a".'  # flows/llm_flows/prompt/_identity.py
REPLIES = ("error", "MODEL_RETURNED_NO_CONTENT")  # error codes of replies; others tell of an exception
__record__ = bridge.record


class Scripted(BaseLlm):
    """A model (google/adk/models/base_llm.py) whose replies come from the suite."""

    talk: Any

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        del stream
        config = llm_request.config
        declared = [each for group in config.tools or () for each in group.function_declarations]
        specs = [bridge.spec(d.name, d.description, d.parameters_json_schema) for d in declared]
        system = (config.system_instruction or "").removesuffix(IDENTITY).removesuffix("\n\n")
        yield native(self.talk.ask(system, llm_request.contents, specs, read), self.talk)


class Scripting(BaseTool):
    """A scripted tool, with the schema that it was given."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(name=given["name"], description=given["description"])
        self._given = given

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._given["parameters"]
        )

    async def run_async(self, *, args: Any, tool_context: Any) -> Any:
        del tool_context
        return bridge.use(self._given, args)


class State:
    """The runner, and the session as its service keeps it."""

    def __init__(self, talk: bridge.Talk, system: str, tools: Any) -> None:
        def told(tool: Any, args: Any, tool_context: Any, error: Exception) -> Any:
            """What a tool's failure becomes: an error in the tool's own words."""
            del tool, args, tool_context
            said = bridge.readable(error)
            if not said.strip() and isinstance(error, Exception):
                raise talk.unplayable("an error response says what failed in the tool's words") from error
            return {"error": said}

        agent = LlmAgent(
            name="a", model=Scripted(model="scripted", talk=talk), instruction=lambda _: system,
            tools=[Scripting(t) for t in tools], on_tool_error_callback=told,
        )  # fmt: skip
        self.runner = InMemoryRunner(agent, app_name="h")
        self._talk = talk
        self._service: Any = self.runner.session_service

    def events(self) -> list[Event]:
        """The events that the session service holds."""
        kept = self._service.sessions.get("h", {}).get("u", {}).get("s")
        return kept.events if kept is not None else []

    async def begin(self, history: list[Event]) -> None:
        """Create the session, with what was handed in."""
        session = await self._service.create_session(app_name="h", user_id="u", session_id="s")
        for event in history:
            await self._service.append_event(session, event)

    async def run(self, prompt: str, limit: int) -> Any:
        """The last event of one run."""
        said = types.Content(role="user", parts=[types.Part(text=prompt)])
        config, last = RunConfig(max_llm_calls=limit), None
        work = self.runner.run_async(user_id="u", session_id="s", new_message=said, run_config=config)
        async with contextlib.aclosing(work) as events:
            async for event in events:
                last = event
                self._talk.step("an event came")
        return last


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by Runner.run_async; what is returned is the last event of the run."""
    talk = bridge.talk_on(messages, model)
    if not prompt:
        raise talk.unplayable("the content is considered empty if none of its parts contain text")
    if max_turns is not None and max_turns < 1:
        raise talk.unplayable("less than or equal to 0: this allows for unbounded number of llm calls")
    if talk.state is None:
        talk.fails = True
        history = [handed_in(m, talk) for m in messages]
        state = State(talk, system, tools)
        talk.run(state.begin(history))
        talk.state = state
        talk.record = lambda: read(talk.state.events())
    last = talk.run(talk.state.run(prompt, max_turns or 0))
    return read([last])[-1]


# -- messages ------------------------------------------------------------------------------------


def read(given: Any) -> bridge.Messages:
    """Contents, or events that hold one, in normal form: a message for each prompt, reply and result."""
    made: bridge.Messages = []
    for each in given:
        content = each.content if isinstance(each, Event) else each
        parts = (content.parts or []) if content is not None else []
        answers = [p.function_response for p in parts if p.function_response is not None]
        made += [answer(a) for a in answers]
        if content is None and each.error_code not in REPLIES:
            continue
        if content is None or content.role == "model":
            made.append(bridge.assistant([block(p) for p in parts], **about(each)))
        elif not answers:
            made += [bridge.user(p.text) for p in parts]
    return made


def about(each: Any) -> dict[str, Any]:
    """What an event says of a reply besides its content."""
    if not isinstance(each, Event):
        return {}
    if each.error_code is not None:
        return {"stop_reason": "error", "error_message": each.error_message}
    return {"stop_reason": "length" if each.finish_reason == types.FinishReason.MAX_TOKENS else "stop"}


def answer(given: types.FunctionResponse) -> dict[str, Any]:
    """A result; what a tool gave back stands in the member `result`, and a failure in `error`."""
    held: Any = given.response
    members = list(held) if isinstance(held, dict) else []
    said = held[members[0]] if members in (["result"], ["error"]) else held
    if not isinstance(said, str):
        with contextlib.suppress(TypeError, ValueError):  # what no request can hold is shown as it is
            said = bridge.json.dumps(said)
    return bridge.result(given.id, given.name, said, is_error=members == ["error"])


def block(part: types.Part) -> dict[str, Any]:
    """One part of a reply."""
    if part.function_call is not None:
        return bridge.call(part.function_call.id, part.function_call.name, part.function_call.args)
    return {"type": "thinking", "thinking": part.text} if part.thought else bridge.text(part.text)


def native(reply: dict[str, Any], talk: bridge.Talk) -> LlmResponse:
    """A reply as an LlmResponse; a failed one has an error code, and no calls."""
    failed = reply.get("stop_reason") == "error"
    parts = [part(each, talk) for each in reply["content"]]
    if failed and bridge.calls(reply):
        raise talk.unplayable("an error response is final, unless it holds calls (Event.is_final_response)")
    if failed:
        content = types.Content(role="model", parts=parts) if parts else None
        return LlmResponse(content=content, error_code="error", error_message=reply.get("error_message"))
    if reply["content"] and not bridge.calls(reply) and not bridge.words(reply).strip():
        raise talk.unplayable("a turn that finishes with STOP but has no meaningful content is an error")
    cut = reply.get("stop_reason") == "length"
    label = types.FinishReason.MAX_TOKENS if cut else types.FinishReason.STOP
    return LlmResponse(content=types.Content(role="model", parts=parts), finish_reason=label)


def part(each: dict[str, Any], talk: bridge.Talk) -> types.Part:
    """One block of a reply."""
    if each["type"] == "text":
        return types.Part(text=each["text"])
    if each["type"] == "thinking":
        return types.Part(text=each["thinking"], thought=True)
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no part for a block of the type {each['type']!r}")
    if not isinstance(each.get("arguments"), dict) or not each.get("id"):
        raise talk.unplayable("a FunctionCall has an id, and its args are a dict")
    called = types.FunctionCall(id=each["id"], name=each["name"], args=each["arguments"])
    return types.Part(function_call=called)


def handed_in(message: dict[str, Any], talk: bridge.Talk) -> Event:
    """A message that was handed in, as an event of the session."""
    if message["role"] == "user":
        if not message["content"]:
            raise talk.unplayable("the content is considered empty if none of its parts contain text")
        said = types.Part(text=message["content"])
        return Event(author="user", content=types.Content(role="user", parts=[said]))
    if message["role"] == "assistant":
        response = native(message, talk)
        return Event(author="a", **{name: getattr(response, name) for name in response.model_fields_set})
    told = types.FunctionResponse(
        id=message["tool_call_id"], name=message["tool_name"],
        response={"error" if message["is_error"] else "result": message["content"]},
    )  # fmt: skip
    return Event(author="a", content=types.Content(role="user", parts=[types.Part(function_response=told)]))
