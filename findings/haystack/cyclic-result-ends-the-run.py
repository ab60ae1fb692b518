"""A tool gives back a list that holds itself: an error result, or the end of the run?"""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import Tool

replies = [ChatMessage.from_assistant(tool_calls=[ToolCall("tree", {}, id="c1")]), ChatMessage.from_assistant("Done.")]


def tree():
    node = {"name": "root"}
    node["parent"] = node
    return node


tool = Tool(name="tree", description="A tree.", parameters={"type": "object", "properties": {}}, function=tree)
agent = Agent(
    chat_generator=MockChatGenerator(response_fn=lambda messages, tools: replies.pop(0)), tools=[tool]
)
try:
    done = agent.run([ChatMessage.from_user("Go.")])
except RecursionError as error:
    print("the run ended with RecursionError:", error)
    raise SystemExit(1) from None
print("the run went on:", done["last_message"].text)
