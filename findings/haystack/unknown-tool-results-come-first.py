"""One reply calls a tool that is there and then one that is not: in which order do the results stand?"""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool

NOTHING = {"type": "object", "properties": {}}
calls = [ToolCall("look", {}, id="c1"), ToolCall("nope", {}, id="c2")]
replies = [ChatMessage.from_assistant(tool_calls=calls), ChatMessage.from_assistant("Done.")]
sent = []


def reply(messages, tools):
    sent.append([message.tool_call_result.origin.id for message in messages if message.tool_call_result])
    return replies.pop(0)


look = Tool(name="look", description="Look.", parameters=NOTHING, function=lambda: "found")
Agent(chat_generator=MockChatGenerator(response_fn=reply), tools=[look]).run([ChatMessage.from_user("Go.")])
print("calls:", [call.id for call in calls])
print("results in the next request:", sent[1])
raise SystemExit(int(sent[1] != ["c1", "c2"]))
