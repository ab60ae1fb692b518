"""A tool of an Agent gives back a lone surrogate: can the next request be sent?"""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool

replies = [ChatMessage.from_assistant(tool_calls=[ToolCall("names", {}, id="c1")]), ChatMessage.from_assistant("Done.")]
sent = []


def reply(messages, tools):
    sent.append(messages[-1].tool_call_result)
    return replies.pop(0)


def names():
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


tool = Tool(name="names", description="List.", parameters={"type": "object", "properties": {}}, function=names)
Agent(chat_generator=MockChatGenerator(response_fn=reply), tools=[tool]).run([ChatMessage.from_user("Go.")])
print(f"the result that is sent: error={sent[1].error}, {sent[1].result!r}")
try:
    sent[1].result.encode()
except UnicodeEncodeError as error:
    print("it cannot be sent:", error)
    raise SystemExit(1) from None
