"""A tool gives back a lone surrogate: does the SDK's own model get the next request sent?"""

import asyncio
import json

import httpx2 as httpx
from agents import Agent, OpenAIResponsesModel, RunConfig, Runner, SQLiteSession, function_tool
from openai import AsyncOpenAI

CALL = {"type": "function_call", "id": "f", "call_id": "c1", "name": "names", "arguments": "{}", "status": "completed"}
TEXT = {"type": "output_text", "text": "Done.", "annotations": []}
DONE = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [TEXT]}
REST = {"object": "response", "created_at": 0, "model": "m", "parallel_tool_calls": True, "tool_choice": "auto",
        "tools": [], "status": "completed"}  # fmt: skip
served = []


def serve(_request):
    served.append(DONE if served else CALL)
    return httpx.Response(200, json={**REST, "id": "r", "output": [served[-1]]})


@function_tool
def names() -> str:
    """List a folder."""
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


async def main():
    client = AsyncOpenAI(
        api_key="k", base_url="http://localhost", max_retries=0,
        http_client=httpx.AsyncClient(transport=httpx.MockTransport(serve)),
    )  # fmt: skip
    agent = Agent(name="a", model=OpenAIResponsesModel("m", client), tools=[names])
    session, broken = SQLiteSession("s"), 0
    for prompt in ("Go.", "Again?"):
        try:
            done = await Runner.run(agent, prompt, session=session, run_config=RunConfig(tracing_disabled=True))
            print(f"{prompt} -> {done.final_output}")
        except UnicodeEncodeError as error:
            print(f"{prompt} -> UnicodeEncodeError: {error}")
            broken += 1
    return int(broken == 2)


raise SystemExit(asyncio.run(main()))
