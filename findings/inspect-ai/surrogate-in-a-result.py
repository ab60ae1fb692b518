"""Inspect: a tool's text with a lone surrogate goes into the messages, which cannot be written then."""

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
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


run(work, {}, call())
print("the result that is sent:", ascii(sent[1][-1].text))
try:
    sent[1][-1].text.encode()
except UnicodeEncodeError as error:
    print("it cannot be written:", error)
    sys.exit(1)
