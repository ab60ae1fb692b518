"""Arguments that are a list, in an AssistantAgent: is the tool run?"""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

INFO = ModelInfo(vision=False, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN,
                 structured_output=False)  # fmt: skip
ran = []


async def delete(folder: str = "/") -> str:
    """Delete a folder, by default all of them."""
    ran.append(folder)
    return "deleted"


async def main() -> int:
    for given in ("[1]", "[]", "false", '""'):
        call = FunctionCall(id="c1", name="delete", arguments=given)
        asks = CreateResult(finish_reason="function_calls", content=[call], usage=RequestUsage(0, 0), cached=False)
        client = ReplayChatCompletionClient([asks, "Done."], model_info=INFO)
        before = len(ran)
        await AssistantAgent("a", client, tools=[delete], max_tool_iterations=5).run(task="Go.")
        told = client.create_calls[1]["messages"][-1].content[0]
        print(f"arguments {given}: run {len(ran) - before} times, is_error={told.is_error}")
    return int(bool(ran))


raise SystemExit(asyncio.run(main()))
