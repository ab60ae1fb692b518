"""A call is interrupted, and its id is used again later: is every call that is sent answered?"""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types


def model(*parts):
    return LlmResponse(content=types.Content(role="model", parts=list(parts)), finish_reason="STOP")


def call(id, name):
    return types.Part(function_call=types.FunctionCall(id=id, name=name, args={}))


class Script(BaseLlm):
    replies: list
    sent: list = []

    async def generate_content_async(self, llm_request, stream=False):
        self.sent.append([[kind(part) for part in content.parts] for content in llm_request.contents])
        yield self.replies.pop(0)


def kind(part):
    return "call" if part.function_call else "result" if part.function_response else part.text


async def wait() -> str:
    """Wait for something."""
    under_way.set()
    await asyncio.Event().wait()


async def look() -> str:
    """Look."""
    return "seen"


async def run(runner, text):
    said = types.Content(role="user", parts=[types.Part(text=text)])
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=said):
        pass


async def main():
    global under_way
    under_way = asyncio.Event()
    replies = [model(call("call_0", "wait")), model(call("call_0", "look")), model(types.Part(text="Done."))]
    script = Script(model="script", replies=replies)
    runner = InMemoryRunner(LlmAgent(name="a", model=script, tools=[wait, look]), app_name="h")
    await runner.session_service.create_session(app_name="h", user_id="u", session_id="s")
    first = asyncio.create_task(run(runner, "Wait."))
    await under_way.wait()
    first.cancel()
    await asyncio.wait([first])
    await run(runner, "Look.")
    return script.sent[-1]


sent = asyncio.run(main())
flat = [each for content in sent for each in content]
print("the last request sends:", sent)
print(flat.count("call"), "calls,", flat.count("result"), "result")
raise SystemExit(int(flat.count("call") != flat.count("result")))
