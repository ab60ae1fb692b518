"""A model calls a tool of an agent that has none any more: can the session be continued?"""

import asyncio

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
)


class Script(FunctionInvocationLayer, BaseChatClient):
    replies = [[Content.from_function_call("c1", "look_up", arguments="{}")], ["Done."]]
    sent = []

    async def _inner_get_response(self, *, messages, stream, options, **_):
        self.sent.append([(m.role, [c.type for c in m.contents]) for m in messages])
        return ChatResponse(messages=[Message("assistant", self.replies.pop(0))])


async def main():
    agent, session = Agent(Script()), AgentSession()
    await agent.run("Go.", session=session)
    await agent.run("Well?", session=session)


asyncio.run(main())
last = Script.sent[-1]
print("the second run sends:", last)
calls, results = (sum(kinds.count(kind) for _, kinds in last) for kind in ("function_call", "function_result"))
print(calls, "call,", results, "results")
raise SystemExit(int(calls != results))
