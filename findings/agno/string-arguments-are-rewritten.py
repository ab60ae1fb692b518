"""A model writes the text "null" to a file, and "True" to another: what is the tool given?"""

import asyncio
from dataclasses import dataclass, field

from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.tools.function import Function


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


given = []


async def write(**arguments):
    given.append(arguments)
    return "written"


tool = Function(
    name="write", description="Write a file.", entrypoint=write, skip_entrypoint_processing=True,
    parameters={"type": "object", "properties": {"content": {"type": "string"}}},
)  # fmt: skip
model = Script(replies=[
    ModelResponse(tool_calls=[call("c1", "write", '{"content": "null"}'), call("c2", "write", '{"content": "True"}')]),
    ModelResponse(content="Done."),
])  # fmt: skip
asyncio.run(Agent(model=model, tools=[tool], telemetry=False).arun("Go."))
print('the model sent {"content": "null"} and {"content": "True"}; the tool was given:', given)
raise SystemExit(int(given != [{"content": "null"}, {"content": "True"}]))
