"""A tool of an AssistantAgent gives back a lone surrogate: can the next request be sent?"""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

INFO = ModelInfo(vision=False, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN,
                 structured_output=False)  # fmt: skip


async def names(folder: str) -> str:
    """List a folder."""
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


async def main() -> int:
    call = FunctionCall(id="c1", name="names", arguments='{"folder": "."}')
    asks = CreateResult(finish_reason="function_calls", content=[call], usage=RequestUsage(0, 0), cached=False)
    client = ReplayChatCompletionClient([asks, "Done."], model_info=INFO)
    agent = AssistantAgent("a", client, tools=[names], max_tool_iterations=5)
    await agent.run(task="Go.")
    told = client.create_calls[1]["messages"][-1].content[0]
    print(f"the result that is sent: is_error={told.is_error}, content={told.content!r}")
    try:
        told.content.encode()
    except UnicodeEncodeError as error:
        print("it cannot be sent:", error)
        return 1
    return 0


raise SystemExit(asyncio.run(main()))
