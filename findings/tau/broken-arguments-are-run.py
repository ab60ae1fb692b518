"""The arguments of a call are cut off in the middle: does tau run the tool all the same?"""

import asyncio
import json

import httpx
from tau_agent.harness import AgentHarness, AgentHarnessConfig
from tau_agent.messages import TextContent
from tau_agent.tools import AgentTool, AgentToolResult
from tau_ai import OpenAICompatibleConfig, OpenAICompatibleProvider


def stream(delta, reason):
    chunks = [{"choices": [{"delta": delta}]}, {"choices": [{"delta": {}, "finish_reason": reason}]}]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


CUT = {"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "delete", "arguments": '{"older_than_days": 3'}}]}
replies = [stream(CUT, "length"), stream({"content": "Done."}, "stop")]
ran = []


async def delete(_id, arguments, *_):
    ran.append(f"delete files older than {arguments.get('older_than_days', 0)} days")
    return AgentToolResult(content=[TextContent(text="deleted")])


async def main():
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, text=replies.pop(0))))
    provider = OpenAICompatibleProvider(OpenAICompatibleConfig(api_key="k", base_url="http://localhost"), client=client)
    days = {"type": "object", "properties": {"older_than_days": {"type": "integer", "default": 0}}}
    harness = AgentHarness(AgentHarnessConfig(provider, "m", "", [AgentTool("delete", "delete", "", days, delete)]))
    async for _ in harness.prompt("Delete files older than 30 days."):
        pass
    print("the model got as far as: ", '{"older_than_days": 3')
    print("stop_reason and arguments:", harness.messages[1].stop_reason, harness.messages[1].tool_calls[0].arguments)
    print("what was run:", ran)
    return int(bool(ran))


raise SystemExit(asyncio.run(main()))
