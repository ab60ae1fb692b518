"""LlamaIndex: after a failed run the memory has nothing of the calls that ran."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool


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


paid = []


async def work(amount: int) -> str:
    paid.append(amount)
    return "paid"


async def main():
    llm = play([call("c1", amount=100)], ConnectionError("connection lost"), [TextBlock(text="Done.")])
    agent = FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=llm)
    memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
    try:
        await agent.run(user_msg="Pay 100.", memory=memory)
    except ConnectionError as error:
        print("the run ended with ConnectionError:", error)
    await agent.run(user_msg="Go on.", memory=memory)
    print("paid:", paid, "and the next request:", shown(sent[-1]))
    sys.exit(bool(paid) and all(message.role != "tool" for message in sent[-1]))


asyncio.run(main())
