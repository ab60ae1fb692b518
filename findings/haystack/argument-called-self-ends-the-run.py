"""The model makes up an argument called "self": one error result, or the end of the run?"""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool


def told(name):
    """The error result of a call with one argument too many, or what came out of the run instead."""
    sent = []
    replies = [ChatMessage.from_assistant(tool_calls=[ToolCall("look", {name: "x"}, id="c1")]),
               ChatMessage.from_assistant("Done.")]  # fmt: skip

    def reply(messages, tools):
        sent.append(messages[-1].tool_call_result)
        return replies.pop(0)

    tool = Tool(
        name="look", description="Look.", parameters={"type": "object", "properties": {}}, function=lambda: "found"
    )
    try:
        Agent(chat_generator=MockChatGenerator(response_fn=reply), tools=[tool]).run([ChatMessage.from_user("Go.")])
    except TypeError as error:
        return f"the run ended with TypeError: {error}"
    return sent[1].result


print("an argument called that:", told("that"))
print("an argument called self:", told("self"))
raise SystemExit(int("the run ended" in told("self")))
