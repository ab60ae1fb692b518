"""A failure that an AssistantAgent does not expect while it runs tools: does the run end?"""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

INFO = ModelInfo(vision=False, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN,
                 structured_output=False)  # fmt: skip


async def echo(text: str) -> str:
    """Give the text back."""
    return text


async def main() -> int:
    call = FunctionCall(id="c1", name="echo", arguments="[" * 100_000)  # json.loads raises RecursionError
    asks = CreateResult(finish_reason="function_calls", content=[call], usage=RequestUsage(0, 0), cached=False)
    client = ReplayChatCompletionClient([asks, "Done."], model_info=INFO)
    agent = AssistantAgent("a", client, tools=[echo], max_tool_iterations=5)
    run = asyncio.ensure_future(agent.run(task="Go."))
    for _ in range(1000):  # turns of the event loop, of which a run needs about twenty
        await asyncio.sleep(0)
    if run.done():
        print("the run ended:", run.exception() or run.result().messages[-1])
        return 0
    others = asyncio.all_tasks() - {asyncio.current_task(), run}
    print("the run is not done, and nothing is under way that could wake it:", others)
    run.cancel()
    return int(not others)


raise SystemExit(asyncio.run(main()))
