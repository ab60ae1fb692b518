"""LlamaIndex: on one Context, the calls of a failed run stand after the next prompt."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context


sent = []


def play(*replies):
    left = list(replies)

    def answer(messages, **_):
        sent.append(messages)
        if isinstance(left[0], Exception):
            raise left.pop(0)
        return ChatMessage(role="assistant", blocks=left.pop(0))

    return MockFunctionCallingLLM(response_generator=answer)


def shown(messages):
    return [(m.role.value, [getattr(b, "text", None) or getattr(b, "tool_call_id", "") for b in m.blocks]) for m in messages]


def call(id_, **arguments):
    return ToolCallBlock(tool_call_id=id_, tool_name="work", tool_kwargs=arguments)


async def work(text: str) -> str:
    return text


async def main():
    llm = play([call("c1", text="a")], ConnectionError("connection lost"), [TextBlock(text="Done.")])
    agent = FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=llm)
    context, memory = Context(agent), ChatMemoryBuffer.from_defaults(token_limit=100_000)
    try:
        await agent.run(user_msg="First.", ctx=context, memory=memory)
    except ConnectionError as error:
        print("the run ended with ConnectionError:", error)
    await agent.run(user_msg="Second.", ctx=context, memory=memory)
    roles = [message.role.value for message in sent[-1]]
    print("the next request:", shown(sent[-1]))
    sys.exit(roles == ["user", "user", "assistant", "tool"])


asyncio.run(main())
