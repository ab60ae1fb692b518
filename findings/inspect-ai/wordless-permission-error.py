"""Inspect: a PermissionError without words is told to the model as a full stop."""

import asyncio
import logging
import sys

from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall, ToolDef, ToolParams

logging.disable(logging.CRITICAL)
sent = []


def play(*replies):
    left = list(replies)

    def answer(messages, *_):
        sent.append(messages)
        choice = ChatCompletionChoice(message=left.pop(0), stop_reason="stop")
        return ModelOutput(model="mock", choices=[choice], usage=ModelUsage())

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


def call(**arguments):
    return ChatMessageAssistant(content="", tool_calls=[ToolCall(id="c1", function="work", arguments=arguments)])


def run(work, properties, reply):
    tool = ToolDef(work, name="work", description="Do it.", parameters=ToolParams(properties=properties))
    return asyncio.run(play(reply, ChatMessageAssistant(content="Done.")).generate_loop("Go.", [tool]))


async def work(**_):
    raise PermissionError


run(work, {}, call())
told = sent[1][-1].error.message
print("the model is told:", repr(told))
sys.exit(not told.strip(" ."))
