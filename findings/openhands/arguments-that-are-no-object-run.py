"""A call whose arguments are valid JSON but no object: is it turned down, or run with nothing?"""

import logging
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor, register_tool

logging.disable(logging.CRITICAL)
ran = []


class RemoveAction(Action):
    path: str = "."


class RemoveObservation(Observation):
    pass


class Remove(ToolExecutor):
    def __call__(self, action, conversation=None):
        ran.append(action.path)
        return RemoveObservation.from_text(f"removed {action.path}")


class RemoveTool(ToolDefinition[RemoveAction, RemoveObservation]):
    @classmethod
    def create(cls, conv_state=None, **_):
        return [cls(description="Remove.", action_type=RemoveAction, observation_type=RemoveObservation,
                    executor=Remove())]


register_tool("remove", RemoveTool)
llm = TestLLM.from_messages([
    Message(role="assistant", tool_calls=[
        MessageToolCall(id="c1", name="remove", arguments='["notes.txt"]', origin="completion")
    ]),
    Message(role="assistant", content=[TextContent(text="Done.")]),
])
conversation = Conversation(Agent(llm=llm, tools=[Tool(name="remove")], include_default_tools=[]), visualizer=None, workspace=".")
conversation.send_message("Go.")
conversation.run()
kept = [event.tool_call.arguments for event in conversation.state.events if hasattr(event, "tool_call")]
print('the model sent ["notes.txt"]; the tool ran with the paths', ran, "and the record holds", kept)
raise SystemExit(bool(ran))
