"""LlamaIndex: results of parallel calls stand in the order in which the tools finished."""

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


async def work(rounds: int) -> str:
    for _ in range(rounds):
        await asyncio.sleep(0)
    return f"waited {rounds}"


async def main():
    calls = [call("c1", rounds=50), call("c2", rounds=1)]
    llm = play(calls, [TextBlock(text="Done.")])
    await FunctionAgent(tools=[FunctionTool.from_defaults(async_fn=work)], llm=llm).run(user_msg="Go.")
    print("the next request:", shown(sent[1]))
    found = [message.additional_kwargs["tool_call_id"] for message in sent[1][2:]]
    sys.exit(found != ["c1", "c2"])


asyncio.run(main())
