"""The arguments of a call do not parse, and the model is told so: is what is sent next JSON?"""

import asyncio
import json
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
        self.sent.append([each["function"]["arguments"] for m in messages for each in m.tool_calls or ()])
        return self.replies.pop(0)

    invoke = invoke_stream = ainvoke_stream = ainvoke
    _parse_provider_response = _parse_provider_response_delta = None


async def echo(text: str) -> str:
    """Give the text back."""
    return text


model = Script(replies=[ModelResponse(tool_calls=[call("c1", "echo", '{"text": "all')]), ModelResponse(content="Done.")])
asyncio.run(Agent(model=model, tools=[echo], telemetry=False).arun("Go."))
print("the arguments of the call, as the next request has them:", model.sent[1][0])
try:
    json.loads(model.sent[1][0])
except ValueError as error:
    print("that is no JSON:", error)
    raise SystemExit(1) from None
