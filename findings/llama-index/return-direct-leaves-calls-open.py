"""LlamaIndex: a tool with return_direct leaves the calls beside its own without results."""

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


async def work(text: str) -> str:
    return text


async def main():
    llm = play([call("c1", text="a"), call("c2", text="b")], [TextBlock(text="Done.")])
    tool = FunctionTool.from_defaults(async_fn=work, return_direct=True)
    agent = FunctionAgent(tools=[tool], llm=llm)
    memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
    await agent.run(user_msg="Go.", memory=memory)
    await agent.run(user_msg="Well?", memory=memory)
    print("the next request:", shown(sent[-1]))
    answered = {message.additional_kwargs.get("tool_call_id") for message in sent[-1] if message.role == "tool"}
    sys.exit(answered != {"c1", "c2"})


asyncio.run(main())
