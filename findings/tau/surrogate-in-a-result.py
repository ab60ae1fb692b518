"""A tool gives back a lone surrogate: what does tau's own provider make of the next request?"""

import asyncio
import json

import httpx
from tau_agent.harness import AgentHarness, AgentHarnessConfig
from tau_agent.messages import TextContent
from tau_agent.tools import AgentTool, AgentToolResult
from tau_ai import OpenAICompatibleConfig, OpenAICompatibleProvider


def stream(delta):
    chunks = [{"choices": [{"delta": delta}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


CALL = {"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "names", "arguments": "{}"}}]}
served = []


def serve(_request):
    served.append(stream(CALL if not served else {"content": "Done."}))
    return httpx.Response(200, text=served[-1])


async def names(*_):
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name
    return AgentToolResult(content=[TextContent(text=name)])


async def prompt(harness, text):
    try:
        async for _ in harness.prompt(text):
            pass
    except UnicodeEncodeError as error:
        return f"the run ended with UnicodeEncodeError: {error}"
    last = harness.messages[-1]
    return last.text or last.error_message


async def main():
    client = httpx.AsyncClient(transport=httpx.MockTransport(serve))
    provider = OpenAICompatibleProvider(OpenAICompatibleConfig(api_key="k", base_url="http://localhost"), client=client)
    tool = AgentTool("names", "names", "List.", {"type": "object"}, names)
    harness = AgentHarness(AgentHarnessConfig(provider, "m", "", [tool]))
    first, second = await prompt(harness, "Go."), await prompt(harness, "Again?")
    print("first prompt: ", first)
    print("second prompt:", second)
    return int("Done." not in (first, second))


raise SystemExit(asyncio.run(main()))
