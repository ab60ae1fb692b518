"""A reply calls a tool, a tool that does not exist, and the tool again: in which order are the results?"""

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


async def echo(text: str) -> str:
    """Give the text back."""
    return text


model = Script(replies=[
    ModelResponse(tool_calls=[
        call("c1", "echo", '{"text": "a"}'), call("c2", "nope"), call("c3", "echo", '{"text": "b"}')
    ]),
    ModelResponse(content="Done."),
])  # fmt: skip
done = asyncio.run(Agent(model=model, tools=[echo], telemetry=False).arun("Go."))
order = [said for role, said in model.sent[1] if role == "tool"]
marks = [(m.tool_call_id, m.tool_call_error) for m in done.messages if m.role == "tool"]
print("calls: c1, c2, c3; results as sent:", order, "and their error marks:", marks)
raise SystemExit(int(order != ["c1", "c2", "c3"]))
