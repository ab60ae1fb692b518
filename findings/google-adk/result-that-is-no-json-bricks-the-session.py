"""A tool returns a set: can the session be continued with Gemini, ADK's own model? No request gets out of here."""

import asyncio
import os

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.models.google_llm import Gemini
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

os.environ.update(GOOGLE_API_KEY="none", GOOGLE_GENAI_USE_VERTEXAI="0")
errors = []


def first_reply(callback_context, llm_request):
    """The first reply, in the model's place: it calls the tool. What comes later goes to Gemini."""
    if len(llm_request.contents) > 1:
        return None
    call = types.Part(function_call=types.FunctionCall(id="c1", name="tags", args={}))
    return LlmResponse(content=types.Content(role="model", parts=[call]))


def tags():
    """The tags of a page."""
    return {"red", "blue"}


async def main():
    model = Gemini(model="gemini-2.5-flash", base_url="http://127.0.0.1:9")
    agent = LlmAgent(name="a", model=model, tools=[tags], before_model_callback=first_reply)
    runner = InMemoryRunner(agent, app_name="h")
    await runner.session_service.create_session(app_name="h", user_id="u", session_id="s")
    for text in ("Which tags?", "Never mind. Hello?"):
        said = types.Content(role="user", parts=[types.Part(text=text)])
        try:
            async for _ in runner.run_async(user_id="u", session_id="s", new_message=said):
                pass
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")


asyncio.run(main())
for number, error in enumerate(errors, 1):
    print(f"run {number} ends with", error[:150])
raise SystemExit(int(len(errors) == 2 and all("serializable" in error for error in errors)))
