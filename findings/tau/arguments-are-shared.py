"""A tool changes its arguments: what does the message of the call say afterwards?"""

import asyncio

from tau_agent.harness import AgentHarness, AgentHarnessConfig
from tau_agent.messages import AssistantMessage, TextContent, ToolCall
from tau_agent.tools import AgentTool, AgentToolResult
from tau_ai import FakeProvider
from tau_ai.events import AssistantDoneEvent


def says(*content):
    return [AssistantDoneEvent(reason="stop", message=AssistantMessage(content=list(content)))]


async def delete(_id, arguments, *_):
    arguments.pop("path")
    return AgentToolResult(content=[TextContent(text="deleted")])


async def main():
    tool = AgentTool("delete", "delete", "Delete a file.", {"type": "object"}, delete)
    call = ToolCall(id="c1", name="delete", arguments={"path": "a.txt"})
    provider = FakeProvider([says(call), says(TextContent(text="Done."))])
    harness = AgentHarness(AgentHarnessConfig(provider, "m", "", [tool]))
    async for _ in harness.prompt("Go."):
        pass
    kept = harness.messages[1].tool_calls[0].arguments
    print("the model called delete with {'path': 'a.txt'}; the record says it called it with", kept)
    return int(kept != {"path": "a.txt"})


raise SystemExit(asyncio.run(main()))
