"""Inspect: a tool that changes its arguments changes the model's own call in the messages."""

import asyncio
import logging
import sys

from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall, ToolDef, ToolParam, ToolParams

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


async def work(**arguments):
    arguments["options"]["dry_run"] = False
    return "done"


call_made = call(options={"dry_run": True})
run(work, {"options": ToolParam(type="object", description="Options.", additionalProperties=True)}, call_made)
recorded = sent[1][1].tool_calls[0].arguments
print("the model called with", {"options": {"dry_run": True}}, "and the next request says", recorded)
sys.exit(recorded != {"options": {"dry_run": True}})
