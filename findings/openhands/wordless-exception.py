"""A tool raises an exception without a text: what is the model told?"""

import logging
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.event import AgentErrorEvent
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor, register_tool

logging.disable(logging.CRITICAL)


class LookAction(Action):
    pass


class LookObservation(Observation):
    pass


class Look(ToolExecutor):
    def __call__(self, action, conversation=None):
        raise TimeoutError


class LookTool(ToolDefinition[LookAction, LookObservation]):
    @classmethod
    def create(cls, conv_state=None, **_):
        return [cls(description="Look.", action_type=LookAction, observation_type=LookObservation, executor=Look())]


register_tool("look", LookTool)
llm = TestLLM.from_messages([
    Message(role="assistant", tool_calls=[MessageToolCall(id="c1", name="look", arguments="{}", origin="completion")]),
    Message(role="assistant", content=[TextContent(text="Done.")]),
])
conversation = Conversation(Agent(llm=llm, tools=[Tool(name="look")], include_default_tools=[]), visualizer=None, workspace=".")
conversation.send_message("Go.")
conversation.run()
told = [event.error for event in conversation.state.events if isinstance(event, AgentErrorEvent)]
print("the tool raised TimeoutError(); the model is told", told)
raise SystemExit("TimeoutError" not in told[0])
