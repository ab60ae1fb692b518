"""LlamaIndex: a reply that holds nothing stays in the memory and is sent again."""

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
    agent = FunctionAgent(llm=play([], [TextBlock(text="Done.")]))
    memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
    await agent.run(user_msg="Go.", memory=memory)
    await agent.run(user_msg="Well?", memory=memory)
    print("the next request:", shown(sent[-1]))
    sys.exit(any(message.role == "assistant" and not message.blocks for message in sent[-1]))


asyncio.run(main())
