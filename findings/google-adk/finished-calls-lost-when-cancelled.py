"""A run is cancelled while the second of two calls is under way: what does the next run send of the first?"""

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
        self.sent.append([p.text or p.function_call or p.function_response for c in llm_request.contents for p in c.parts])
        yield self.replies.pop(0)


async def pay() -> str:
    """Pay the bill."""
    return "paid"


async def wait() -> str:
    """Wait for the receipt."""
    under_way.set()
    await asyncio.Event().wait()


async def run(runner, text):
    said = types.Content(role="user", parts=[types.Part(text=text)])
    async for _ in runner.run_async(user_id="u", session_id="s", new_message=said):
        pass


async def main():
    global under_way
    under_way = asyncio.Event()
    script = Script(model="script", replies=[model(call("c1", "pay"), call("c2", "wait")), model(types.Part(text="Done."))])
    runner = InMemoryRunner(LlmAgent(name="a", model=script, tools=[pay, wait]), app_name="h")
    await runner.session_service.create_session(app_name="h", user_id="u", session_id="s")
    first = asyncio.create_task(run(runner, "Pay the bill, and wait for the receipt."))
    await under_way.wait()
    first.cancel()
    await asyncio.wait([first])
    await run(runner, "Go on.")
    return script.sent[-1]


sent = asyncio.run(main())
print("the bill was paid, and the run was cancelled; the next run sends:", sent)
raise SystemExit(int("pay" not in [getattr(part, "name", "") for part in sent]))
