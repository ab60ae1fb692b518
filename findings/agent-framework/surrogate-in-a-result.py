"""A tool returns text with half a surrogate pair: can what is sent next be encoded?"""

import asyncio
import json

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
    replies = [[Content.from_function_call("c1", "read", arguments="{}")], ["Done."]]
    sent = None

    async def _inner_get_response(self, *, messages, stream, options, **_):
        Script.sent = [m.to_dict() for m in messages]
        return ChatResponse(messages=[Message("assistant", self.replies.pop(0))])


@tool
async def read() -> str:
    """Read a file, as os.fsdecode and errors='surrogateescape' give it."""
    return b"caf\xe9".decode("utf-8", "surrogateescape")


asyncio.run(Agent(Script(), tools=[read]).run("Go."))
try:
    json.dumps(Script.sent, ensure_ascii=False).encode()
    print("the request can be encoded")
except UnicodeEncodeError as error:
    print("the request cannot be encoded:", error)
    raise SystemExit(1) from None
