"""LlamaIndex: a tool that changes a nested argument changes the model's own call in the memory."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool

left = [
    [ToolCallBlock(tool_call_id="c1", tool_name="pay", tool_kwargs={"order": {"amount": 10}})],
    [TextBlock(text="Done.")],
]


def answer(messages, **_):
    return ChatMessage(role="assistant", blocks=left.pop(0))


async def pay(order: dict) -> str:
    order["amount"] *= 100  # cents, for the bank
    return "paid"


async def main():
    agent = FunctionAgent(
        tools=[FunctionTool.from_defaults(async_fn=pay)], llm=MockFunctionCallingLLM(response_generator=answer)
    )
    memory = ChatMemoryBuffer.from_defaults(token_limit=10**6)
    await agent.run(user_msg="Pay.", memory=memory)
    call = memory.get_all()[1].blocks[0]
    print("the model asked for an amount of 10, and the memory says", call.tool_kwargs)
    sys.exit(call.tool_kwargs != {"order": {"amount": 10}})


asyncio.run(main())
