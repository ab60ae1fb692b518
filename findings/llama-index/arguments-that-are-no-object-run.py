"""LlamaIndex: arguments that are no object run the tool without arguments."""

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


ran = []


async def work(folder: str = "/") -> str:
    ran.append(folder)
    return f"wiped {folder}"


async def main():
    asked = ToolCallBlock(tool_call_id="c1", tool_name="work", tool_kwargs='["a", "b"]')
    llm = play([asked], [TextBlock(text="Done.")])
    await FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=llm).run(user_msg="Go.")
    print("the model asked for", asked.tool_kwargs, "and the tool was run with", ran)
    sys.exit(bool(ran))


asyncio.run(main())
