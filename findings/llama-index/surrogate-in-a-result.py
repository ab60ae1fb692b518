"""LlamaIndex: a tool's text with a lone surrogate goes into the messages, which cannot be written then."""

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


async def work() -> str:
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


async def main():
    llm = play([call("c1")], [TextBlock(text="Done.")])
    await FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=llm).run(user_msg="Go.")
    print("the result that is sent:", ascii(sent[1][-1].content))
    try:
        sent[1][-1].content.encode()
    except UnicodeEncodeError as error:
        print("it cannot be written:", error)
        sys.exit(1)


asyncio.run(main())
