"""A tool fails with an exception that has no text, or whose text cannot be had: what does the model learn?"""

import asyncio

from tau_agent.harness import AgentHarness, AgentHarnessConfig
from tau_agent.messages import AssistantMessage, TextContent, ToolCall
from tau_agent.tools import AgentTool
from tau_ai import FakeProvider
from tau_ai.events import AssistantDoneEvent


class Unreadable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def says(*content):
    return [AssistantDoneEvent(reason="stop", message=AssistantMessage(content=list(content)))]


async def told(error):
    """The error result that the model is sent, or what came out of the run instead."""

    async def work(*_):
        raise error

    tool = AgentTool("work", "work", "Work.", {"type": "object"}, work)
    call = ToolCall(id="c1", name="work", arguments={})
    provider = FakeProvider([says(call), says(TextContent(text="Done."))])
    harness = AgentHarness(AgentHarnessConfig(provider, "m", "", [tool]))
    try:
        async for _ in harness.prompt("Go."):
            pass
    except Exception as broke:
        return f"the run ended with {broke!r}"
    return harness.messages[2].text


async def main():
    wordless, unreadable = await told(NotImplementedError()), await told(Unreadable())
    print("NotImplementedError without text:", repr(wordless))
    print("an exception whose text raises:", unreadable)
    return int("NotImplementedError" not in wordless or "the run ended" in unreadable)


raise SystemExit(asyncio.run(main()))
