"""The OpenAI Agents SDK as a program: one prompt, a shell, chat completions in a stream."""

import asyncio
import os
import sys

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from openai import AsyncOpenAI
from shell import run, show


@function_tool
def shell(command: str) -> str:
    """Run a shell command and show what it prints."""
    return run(command)


async def main(prompt: str) -> None:
    """Play the prompt to its end and print the final output; what goes wrong comes out."""
    model = OpenAIChatCompletionsModel(model=os.environ["MODEL"], openai_client=AsyncOpenAI())
    agent = Agent(name="program", instructions="You have a shell.", tools=[shell], model=model)
    config = RunConfig(tracing_disabled=True, tool_not_found_behavior="return_error_to_model")
    streamed = Runner.run_streamed(agent, prompt, max_turns=None, run_config=config)
    async for _ in streamed.stream_events():
        pass
    show(streamed.final_output)


asyncio.run(main(sys.argv[1]))
