"""A tool raises an exception whose text cannot be made: is that an error result, like any other failure?"""

import asyncio

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    tool,
)


class Script(FunctionInvocationLayer, BaseChatClient):
    replies = [[Content.from_function_call("c1", "look_up", arguments="{}")], ["Done."]]

    async def _inner_get_response(self, *, messages, stream, options, **_):
        return ChatResponse(messages=[Message("assistant", self.replies.pop(0))])


class NoRow(Exception):
    def __str__(self):
        return "no row in " + self.table  # nobody has set it


@tool
async def look_up() -> str:
    """Look a thing up."""
    raise NoRow


try:
    print("the run ended with:", asyncio.run(Agent(Script(), tools=[look_up]).run("Go.")).text)
except AttributeError as error:
    print("the run was ended by:", repr(error))
    raise SystemExit(1) from None
