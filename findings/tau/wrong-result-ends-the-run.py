"""A tool gives back a text instead of an AgentToolResult: an error result, or the end of the run?"""

import asyncio

from tau_agent.harness import AgentHarness, AgentHarnessConfig
from tau_agent.messages import AssistantMessage, TextContent, ToolCall
from tau_agent.tools import AgentTool
from tau_ai import FakeProvider
from tau_ai.events import AssistantDoneEvent


def says(*content):
    return [AssistantDoneEvent(reason="stop", message=AssistantMessage(content=list(content)))]


async def look(*_):
    return "found"


async def main():
    tool = AgentTool("look", "look", "Look.", {"type": "object"}, look)
    calls = [ToolCall(id="c1", name="look", arguments={}), ToolCall(id="c2", name="nope", arguments={})]
    provider = FakeProvider([says(*calls), says(TextContent(text="Done."))])
    harness = AgentHarness(AgentHarnessConfig(provider, "m", "", [tool]))
    try:
        async for _ in harness.prompt("Go."):
            pass
    except ValueError as error:
        print("the run ended with", type(error).__name__ + ":", str(error).splitlines()[0])
        print("the record:", [message.role for message in harness.messages])
        return 1
    print("the run went on:", [message.role for message in harness.messages])
    return 0


raise SystemExit(asyncio.run(main()))
