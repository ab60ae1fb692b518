"""The arguments of a call are cut off in the middle: is the tool run, and with what?"""

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

ran = []


class Script(FunctionInvocationLayer, BaseChatClient):
    replies = [[Content.from_function_call("c1", "clean", arguments='{"folder": "build/tmp')], ["Done."]]

    async def _inner_get_response(self, *, messages, stream, options, **_):
        return ChatResponse(messages=[Message("assistant", self.replies.pop(0))])


@tool
async def clean(folder: str = ".") -> str:
    """Delete what is in a folder, this one if none is named."""
    ran.append(folder)
    return "deleted"


asyncio.run(Agent(Script(), tools=[clean]).run("Clean build/tmp."))
print('the arguments were {"folder": "build/tmp, without an end; the tool was run with:', ran)
raise SystemExit(int(bool(ran)))
