"""A tool fails with an exception that has no text: what is the model told?"""

import asyncio
from dataclasses import dataclass, field

from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse


def call(id, name, arguments="{}"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


@dataclass
class Script(Model):
    id: str = "script"
    replies: list = field(default_factory=list)
    sent: list = field(default_factory=list)

    async def ainvoke(self, messages, **_):
        self.sent.append([(m.role, m.tool_call_id or m.content) for m in messages])
        return self.replies.pop(0)

    invoke = invoke_stream = ainvoke_stream = ainvoke
    _parse_provider_response = _parse_provider_response_delta = None


async def look_up() -> str:
    """Look a thing up."""
    raise TimeoutError


model = Script(replies=[ModelResponse(tool_calls=[call("c1", "look_up")]), ModelResponse(content="Done.")])
done = asyncio.run(Agent(model=model, tools=[look_up], telemetry=False).arun("Go."))
said = next(m.content for m in done.messages if m.role == "tool")
print("the tool raised TimeoutError; the result that the model is sent is:", repr(said))
raise SystemExit(int(not said.strip()))
