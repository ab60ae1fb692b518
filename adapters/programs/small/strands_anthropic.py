"""Strands Agents as a program: one prompt, a shell, Anthropic's Messages in a stream."""

import os
import sys

from shell import run, show
from strands import Agent, tool
from strands.models.anthropic import AnthropicModel


@tool
def shell(command: str) -> str:
    """Run a shell command and show what it prints."""
    return run(command)


model = AnthropicModel(client_args={"api_key": "none"}, model_id=os.environ["MODEL"], max_tokens=4096)
agent = Agent(model=model, tools=[shell], system_prompt="You have a shell.", callback_handler=None)
show(agent(sys.argv[1]))
