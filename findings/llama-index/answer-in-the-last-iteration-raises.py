"""LlamaIndex: an answer in the last iteration allowed is thrown away, and the run raises."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
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


def call(id_, **arguments):
    return ToolCallBlock(tool_call_id=id_, tool_name="work", tool_kwargs=arguments)


async def work(text: str = "") -> str:
    return text


async def main():
    answer = [TextBlock(text="Done.")]
    agent = FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=play([call("c1", text="a")], answer))
    try:
        done = await agent.run(user_msg="Go.", max_iterations=2)
    except Exception as error:
        print(f"the model was called {len(sent)} times and had answered, and the run raised: {error}")
        sys.exit(1)
    print(done.response.content)


asyncio.run(main())
