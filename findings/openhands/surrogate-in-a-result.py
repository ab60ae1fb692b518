"""A tool gives back a text with a lone surrogate, as file names and output decoded with surrogateescape hold."""

import logging
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor, register_tool

logging.disable(logging.CRITICAL)
ran = []


class ListAction(Action):
    pass


class ListObservation(Observation):
    pass


class List(ToolExecutor):
    def __call__(self, action, conversation=None):
        ran.append("list")
        return ListObservation.from_text(b"caf\xe9.txt".decode(errors="surrogateescape"))  # what os.listdir gives


class ListTool(ToolDefinition[ListAction, ListObservation]):
    @classmethod
    def create(cls, conv_state=None, **_):
        return [cls(description="List.", action_type=ListAction, observation_type=ListObservation, executor=List())]


register_tool("list", ListTool)
call = MessageToolCall(id="c1", name="list", arguments="{}", origin="completion")
llm = TestLLM.from_messages([
    Message(role="assistant", tool_calls=[call]),
    Message(role="assistant", content=[TextContent(text="Done.")]),
])
conversation = Conversation(Agent(llm=llm, tools=[Tool(name="list")], include_default_tools=[]), visualizer=None, workspace=".")
for prompt in ("Go.", "Well?"):
    conversation.send_message(prompt)
    try:
        conversation.run()
        print("the run came to an end")
    except Exception as error:
        print("the run ended with", type(error).__name__, str(error)[-120:])
print("the tool ran", len(ran), "times, and the model was asked", llm.call_count, "times")
raise SystemExit(len(ran) != 1 or llm.call_count != 2)
