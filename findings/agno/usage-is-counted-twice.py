"""Of three replies, the second says nothing of usage: what does the run say that it used?"""

import asyncio
from dataclasses import dataclass, field

from agno.agent import Agent
from agno.metrics import MessageMetrics
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


async def echo() -> str:
    """Say a."""
    return "a"


def used(tokens):
    return MessageMetrics(input_tokens=tokens, output_tokens=0, total_tokens=tokens)


model = Script(replies=[
    ModelResponse(tool_calls=[call("c1", "echo")], response_usage=used(1000)),
    ModelResponse(tool_calls=[call("c2", "echo")]),
    ModelResponse(content="Done.", response_usage=used(10)),
])  # fmt: skip
done = asyncio.run(Agent(model=model, tools=[echo], telemetry=False).arun("Go."))
print("the replies used 1000 and 10 tokens; the run says", done.metrics.input_tokens)
raise SystemExit(int(done.metrics.input_tokens != 1010))
