"""Google ADK: a call without a name beside another one is answered again and again, and the run never ends."""

import asyncio
import sys

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

BOUND = 50  # events; a run that ends has three
asked = []


class Model(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        asked.append(llm_request)
        calls = [types.FunctionCall(id="c1", name="", args={}), types.FunctionCall(id="c2", name="look", args={})]
        parts = [types.Part(function_call=call) for call in calls] if len(asked) == 1 else [types.Part(text="Done.")]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def look() -> str:
    """Look."""
    return "nothing there"


async def main():
    agent = LlmAgent(name="a", model=Model(model="m"), tools=[look])
    runner = InMemoryRunner(agent, app_name="h")
    await runner.session_service.create_session(app_name="h", user_id="u", session_id="s")
    said = types.Content(role="user", parts=[types.Part(text="Go.")])
    events = 0
    async for event in runner.run_async(user_id="u", session_id="s", new_message=said):
        events += 1
        if events == BOUND:
            print(f"{events} events after {len(asked)} request; the last one: {event.content.parts[0].function_response}")
            break
    return events


sys.exit(asyncio.run(main()) == BOUND)
