"""A model says what it will do, calls a tool, and answers: what is the content of the run?"""

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


async def total() -> str:
    """Add things up."""
    return "42"


model = Script(replies=[
    ModelResponse(content="Let me add up 3 invoices", tool_calls=[call("c1", "total")]),
    ModelResponse(content="42"),
])  # fmt: skip
done = asyncio.run(Agent(model=model, tools=[total], telemetry=False).arun("Answer with a number."))
print("the answer was '42'; the content of the run is:", repr(done.content))
raise SystemExit(int(done.content != "42"))
