"""A tool returns text with half a surrogate pair: can what is sent next be encoded?"""

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
        self.sent.append([(m.role, m.tool_call_id or m.content) for m in messages])
        return self.replies.pop(0)

    invoke = invoke_stream = ainvoke_stream = ainvoke
    _parse_provider_response = _parse_provider_response_delta = None


async def read() -> str:
    """Read a file, as errors='surrogateescape' gives it."""
    return b"caf\xe9".decode("utf-8", "surrogateescape")


model = Script(replies=[ModelResponse(tool_calls=[call("c1", "read")]), ModelResponse(content="Done.")])
done = asyncio.run(Agent(model=model, tools=[read], telemetry=False).arun("Go."))
try:
    json.dumps([m.content for m in done.messages], ensure_ascii=False).encode()
    print("the messages can be encoded")
except UnicodeEncodeError as error:
    print("the messages that were sent cannot be encoded:", error)
    raise SystemExit(1) from None
