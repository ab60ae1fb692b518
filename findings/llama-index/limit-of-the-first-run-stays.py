"""LlamaIndex: on one Context, the max_iterations of the first run holds for every later one."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
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


def call(id_, **arguments):
    return ToolCallBlock(tool_call_id=id_, tool_name="work", tool_kwargs=arguments)


async def work(text: str) -> str:
    return text


async def main():
    done = [TextBlock(text="Done.")]
    work_twice = [[call(f"c{n}", text="a")] for n in (1, 2)]
    agent = FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=play(done, *work_twice, done))
    context = Context(agent)
    await agent.run(user_msg="First.", ctx=context, max_iterations=2)
    try:
        await agent.run(user_msg="Second.", ctx=context, max_iterations=50)
    except Exception as error:
        print("the second run was given max_iterations=50, and raised:", error)
        sys.exit(1)
    print("the second run ended as it should")


asyncio.run(main())
