"""Pydantic AI as a program: one prompt, a shell, chat completions in a stream."""

import asyncio
import os
import sys
from collections.abc import AsyncIterable
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from shell import run, show

model = OpenAIChatModel(os.environ["MODEL"], provider=OpenAIProvider())
agent = Agent(model, instructions="You have a shell.")


@agent.tool_plain
def shell(command: str) -> str:
    """Run a shell command and show what it prints."""
    return run(command)


async def seen(_: Any, events: AsyncIterable[Any]) -> None:
    """Take the events of a streamed reply in, as a screen would."""
    async for _event in events:
        pass


async def main(prompt: str) -> None:
    """Play the prompt to its end and print the output; what goes wrong comes out."""
    done = await agent.run(prompt, event_stream_handler=seen)
    show(done.output)


asyncio.run(main(sys.argv[1]))
