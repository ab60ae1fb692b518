"""A run is cancelled while the second of two tools runs: does the session still know of the first?"""

import asyncio

from agents import Agent, ModelResponse, RunConfig, Runner, SQLiteSession, Usage, function_tool
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class Script(Model):
    def __init__(self):
        self.sent = []

    async def get_response(self, system_instructions, input, *_, **__):
        self.sent.append(list(input))
        one = ResponseFunctionToolCall(call_id="c1", type="function_call", name="pay", arguments='{"to": "Ann"}')
        two = ResponseFunctionToolCall(call_id="c2", type="function_call", name="wait", arguments="{}")
        output = [one, two] if len(self.sent) == 1 else [says("Done.")]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


def says(words):
    text = ResponseOutputText(text=words, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])


QUIET = RunConfig(tracing_disabled=True)
paid, waiting = [], asyncio.Event()


@function_tool
async def pay(to: str) -> str:
    """Pay somebody."""
    paid.append(to)
    return "paid"


@function_tool
async def wait() -> str:
    """Wait for something."""
    waiting.set()
    return await asyncio.Future()


async def main():
    agent, session = Agent(name="a", model=Script(), tools=[pay, wait]), SQLiteSession("s")
    task = asyncio.create_task(Runner.run(agent, "Pay Ann.", session=session, run_config=QUIET))
    await waiting.wait()
    task.cancel()
    await asyncio.wait({task})
    print("cancelled:", task.cancelled(), "- paid so far:", paid)
    await Runner.run(agent, "Go on.", session=session, run_config=QUIET)
    told = [item.get("type") or item["role"] for item in agent.model.sent[-1]]
    print("the next request holds:", told)
    return int("function_call" not in told)


raise SystemExit(asyncio.run(main()))
