"""LlamaIndex: a tool that raised without words gives the model an empty result."""

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


def shown(messages):
    return [(m.role.value, [getattr(b, "text", None) or getattr(b, "tool_call_id", "") for b in m.blocks]) for m in messages]


def call(id_, **arguments):
    return ToolCallBlock(tool_call_id=id_, tool_name="work", tool_kwargs=arguments)


async def work() -> str:
    raise PermissionError


async def main():
    llm = play([call("c1")], [TextBlock(text="Done.")])
    await FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=llm).run(user_msg="Go.")
    print("the next request:", shown(sent[1]))
    sys.exit(not sent[1][-1].blocks)


asyncio.run(main())
