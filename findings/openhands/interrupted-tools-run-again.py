"""Ctrl-C in the second of two tools, then another prompt: does the first tool run again?"""

import logging
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor, register_tool

logging.disable(logging.CRITICAL)
ran = []


class PayAction(Action):
    to: str


class PayObservation(Observation):
    pass


class Pay(ToolExecutor):
    def __call__(self, action, conversation=None):
        ran.append(action.to)
        if ran == ["Ann", "Bob"]:
            raise KeyboardInterrupt
        return PayObservation.from_text(f"paid {action.to}")


class PayTool(ToolDefinition[PayAction, PayObservation]):
    @classmethod
    def create(cls, conv_state=None, **_):
        return [cls(description="Pay.", action_type=PayAction, observation_type=PayObservation, executor=Pay())]


class Watched(TestLLM):
    def completion(self, messages, *args, **kwargs):
        sent[:] = [(m.role, m.tool_call_id or [c.id for c in m.tool_calls or ()]) for m in messages[1:]]
        return super().completion(messages, *args, **kwargs)


sent = []
register_tool("pay", PayTool)
calls = [MessageToolCall(id=i, name="pay", arguments=f'{{"to": "{to}"}}', origin="completion")
         for i, to in (("c1", "Ann"), ("c2", "Bob"))]
llm = Watched.from_messages([
    Message(role="assistant", tool_calls=calls),
    Message(role="assistant", content=[TextContent(text="Done.")]),
])
conversation = Conversation(Agent(llm=llm, tools=[Tool(name="pay")], include_default_tools=[]), visualizer=None, workspace=".")
conversation.send_message("Pay Ann and Bob.")
try:
    conversation.run()
except KeyboardInterrupt:
    print("interrupted after", ran)
conversation.send_message("Stop. Whom did you pay?")
conversation.run()
print("after the next prompt, paid:", ran)
print("and sent to the model:", *sent, sep="\n  ")
raise SystemExit(ran != ["Ann", "Bob"])
