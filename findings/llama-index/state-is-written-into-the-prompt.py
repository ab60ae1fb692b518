"""LlamaIndex: with an initial_state, the user's own message in the memory is rewritten."""

import asyncio
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import ChatMemoryBuffer


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


async def main():
    agent = FunctionAgent(llm=play([TextBlock(text="Hi.")]), initial_state={"count": 0})
    memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
    asked = ChatMessage(role="user", content="Hello.")
    await agent.run(user_msg=asked, memory=memory)
    print("the message that was handed in:", repr(asked.content))
    print("the memory:", shown(memory.get_all()))
    sys.exit(asked.content != "Hello.")


asyncio.run(main())
