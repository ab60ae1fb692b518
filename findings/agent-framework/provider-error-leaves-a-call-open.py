"""History is kept after each model call, and the provider fails after a tool: can the session be continued?"""

import asyncio

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    InMemoryHistoryProvider,
    Message,
    tool,
)


class Script(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    replies = [[Content.from_function_call("c1", "pay", arguments="{}")], ConnectionError("lost"), ["Done."]]
    sent = []

    async def _inner_get_response(self, *, messages, stream, options, **_):
        self.sent.append([(m.role, m.text or [c.type for c in m.contents]) for m in messages])
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return ChatResponse(messages=[Message("assistant", reply)])


@tool
async def pay() -> str:
    """Pay the bill."""
    return "paid"


async def main():
    agent = Agent(
        Script(), tools=[pay], context_providers=[InMemoryHistoryProvider()],
        require_per_service_call_history_persistence=True,
    )  # fmt: skip
    session = AgentSession()
    try:
        await agent.run("Pay the bill.", session=session)
    except ConnectionError as error:
        print("the first run paid, and was then ended by:", repr(error))
    await agent.run("Go on.", session=session)


asyncio.run(main())
print("the next run sends:", Script.sent[-1])
kinds = str(Script.sent[-1])
raise SystemExit(int("function_call" in kinds and "function_result" not in kinds))
