"""The same question is asked twice and gets the same answer: does the session hold both turns?"""

import asyncio

from agent_framework import Agent, AgentSession, BaseChatClient, ChatResponse, FunctionInvocationLayer, Message


class Script(FunctionInvocationLayer, BaseChatClient):
    async def _inner_get_response(self, *, messages, stream, options, **_):
        return ChatResponse(messages=[Message("assistant", ["Sunny."])])


async def main():
    agent, session = Agent(Script()), AgentSession()
    await agent.run("How is the weather?", session=session)
    await agent.run("How is the weather?", session=session)
    return [(m.role, m.text) for m in session.state["in_memory"]["messages"]]


kept = asyncio.run(main())
print(len(kept), "messages are kept of 4:", kept)
raise SystemExit(int(len(kept) < 4))
