"""A tool changes a list inside its arguments: what does the message of the call say afterwards?"""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool

PATHS = {"type": "object", "properties": {"paths": {"type": "array", "items": {"type": "string"}}}}
call = ChatMessage.from_assistant(tool_calls=[ToolCall("delete", {"paths": ["a", "b"]}, id="c1")])
replies = [call, ChatMessage.from_assistant("Done.")]
sent = []


def reply(messages, tools):
    sent.append([dict(call.arguments) for message in messages for call in message.tool_calls])
    return replies.pop(0)


def delete(paths):
    while paths:
        paths.pop()
    return "deleted"


tool = Tool(name="delete", description="Delete files.", parameters=PATHS, function=delete)
Agent(chat_generator=MockChatGenerator(response_fn=reply), tools=[tool]).run([ChatMessage.from_user("Go.")])
print("the model called delete with ['a', 'b']; the next request says it called it with", sent[1][0]["paths"])
raise SystemExit(int(sent[1][0]["paths"] != ["a", "b"]))
