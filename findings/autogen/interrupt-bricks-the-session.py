"""Ctrl-C in a tool of an AssistantAgent: can the conversation go on?"""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelFamily, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

INFO = ModelInfo(vision=False, function_calling=True, json_output=False, family=ModelFamily.UNKNOWN,
                 structured_output=False)  # fmt: skip


async def look(city: str) -> str:
    """Look a city up."""
    raise KeyboardInterrupt  # as when somebody presses Ctrl-C


call = FunctionCall(id="c1", name="look", arguments='{"city": "Rome"}')
asks = CreateResult(finish_reason="function_calls", content=[call], usage=RequestUsage(0, 0), cached=False)
client = ReplayChatCompletionClient([asks, "Done."], model_info=INFO)
agent = AssistantAgent("a", client, tools=[look], max_tool_iterations=5)
try:
    asyncio.run(agent.run(task="Go."))
except KeyboardInterrupt:
    print("the run was interrupted; a second task on the same agent:")
asyncio.run(agent.run(task="And now?"))
sent = client.create_calls[1]["messages"]
print("the model is sent:", [message.type for message in sent])
asked = {c.id for m in sent if m.type == "AssistantMessage" and isinstance(m.content, list) for c in m.content}
told = {r.call_id for m in sent if m.type == "FunctionExecutionResultMessage" for r in m.content}
print("calls without a result:", asked - told)
raise SystemExit(int(bool(asked - told)))
