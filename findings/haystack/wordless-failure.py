"""A tool fails with an exception that has no text, or whose text cannot be had: what does the model learn?"""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool


class Unreadable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def told(error):
    """The error result that the model is sent, or what came out of the run instead."""
    sent = []
    replies = [ChatMessage.from_assistant(tool_calls=[ToolCall("work", {}, id="c1")]),
               ChatMessage.from_assistant("Done.")]  # fmt: skip

    def reply(messages, tools):
        sent.append(messages[-1].tool_call_result)
        return replies.pop(0)

    def work():
        raise error

    tool = Tool(name="work", description="Work.", parameters={"type": "object", "properties": {}}, function=work)
    try:
        Agent(chat_generator=MockChatGenerator(response_fn=reply), tools=[tool]).run([ChatMessage.from_user("Go.")])
    except Exception as broke:
        return f"the run ended with {broke!r}"
    return sent[1].result


wordless, unreadable = told(NotImplementedError()), told(Unreadable())
print("NotImplementedError without text:", wordless)
print("an exception whose text raises:", unreadable)
raise SystemExit(int("NotImplementedError" not in wordless or "the run ended" in unreadable))
