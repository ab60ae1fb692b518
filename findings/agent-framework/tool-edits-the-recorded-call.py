"""A tool changes the list that it was given as an argument: does the recorded call change with it?"""

import asyncio

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    FunctionTool,
    Message,
)


class Script(FunctionInvocationLayer, BaseChatClient):
    replies = [[Content.from_function_call("c1", "total", arguments={"rows": [3, 1, 2]})], ["Six."]]

    async def _inner_get_response(self, *, messages, stream, options, **_):
        return ChatResponse(messages=[Message("assistant", self.replies.pop(0))])


async def total(rows):
    spent = 0
    while rows:
        spent += rows.pop()
    return str(spent)


async def main():
    schema = {"type": "object", "properties": {"rows": {"type": "array"}}}
    agent = Agent(Script(), tools=[FunctionTool(name="total", func=total, input_model=schema)])
    session = AgentSession()
    await agent.run("Add 3, 1 and 2.", session=session)
    return session.state["in_memory"]["messages"][1].contents[0].arguments


kept = asyncio.run(main())
print("the model called total with {'rows': [3, 1, 2]}; the session says:", kept)
raise SystemExit(int(kept != {"rows": [3, 1, 2]}))
