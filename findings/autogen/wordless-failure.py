"""An AssistantAgent's tool that raises an exception without a message: what is the model told?"""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

INFO = ModelInfo(vision=False, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN,
                 structured_output=False)  # fmt: skip


async def check(city: str) -> str:
    """Check a city."""
    raise ValueError


async def main() -> int:
    call = FunctionCall(id="c1", name="check", arguments='{"city": "Rome"}')
    asks = CreateResult(finish_reason="function_calls", content=[call], usage=RequestUsage(0, 0), cached=False)
    client = ReplayChatCompletionClient([asks, "Done."], model_info=INFO)
    agent = AssistantAgent("a", client, tools=[check], max_tool_iterations=5)
    await agent.run(task="Go.")
    told = client.create_calls[1]["messages"][-1].content[0]
    print(f"the model is told: is_error={told.is_error}, content={told.content!r}")
    return int(told.is_error is True and told.content == "")


raise SystemExit(asyncio.run(main()))
