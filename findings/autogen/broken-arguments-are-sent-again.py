"""Arguments that do not parse, in an AssistantAgent: what does the next request carry?"""

import asyncio
import json

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
    call = FunctionCall(id="c1", name="echo", arguments='{"text": "all of')  # cut off by the length limit
    asks = CreateResult(finish_reason="length", content=[call], usage=RequestUsage(0, 0), cached=False)
    client = ReplayChatCompletionClient([asks, "Done."], model_info=INFO)
    agent = AssistantAgent("a", client, tools=[echo], max_tool_iterations=5)
    await agent.run(task="Go.")
    again = client.create_calls[1]["messages"][-2].content[0].arguments
    print("the next request carries the arguments", again)
    try:
        json.loads(again)
    except ValueError as error:
        print("which a provider that parses them refuses:", error)
        return 1
    return 0


raise SystemExit(asyncio.run(main()))
