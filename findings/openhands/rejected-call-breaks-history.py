"""One reply calls a tool that is there, one that is not, and the first again: is what is sent next in order?"""

import logging
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
from openhands.sdk import Agent, Conversation, Tool
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor, register_tool

logging.disable(logging.CRITICAL)
sent = []


class EchoAction(Action):
    text: str = ""


class EchoObservation(Observation):
    pass


class Echo(ToolExecutor):
    def __call__(self, action, conversation=None):
        return EchoObservation.from_text(f"echo of {action.text}")


class EchoTool(ToolDefinition[EchoAction, EchoObservation]):
    @classmethod
    def create(cls, conv_state=None, **_):
        return [cls(description="Echo.", action_type=EchoAction, observation_type=EchoObservation, executor=Echo())]


class Watched(TestLLM):
    def completion(self, messages, *args, **kwargs):
        sent[:] = self.format_messages_for_llm(messages)  # as they go over the wire
        return super().completion(messages, *args, **kwargs)


def call(number, name):
    return MessageToolCall(id=f"c{number}", name=name, arguments="{}", origin="completion")


register_tool("echo", EchoTool)
calls = [call(1, "echo"), call(2, "gone"), call(3, "echo")]
llm = Watched.from_messages([
    Message(role="assistant", tool_calls=calls),
    Message(role="assistant", content=[TextContent(text="Done.")]),
])
conversation = Conversation(Agent(llm=llm, tools=[Tool(name="echo")], include_default_tools=[]), visualizer=None, workspace=".")
conversation.send_message("Go.")
conversation.run()
shape = [(m["role"], [c["id"] for c in m.get("tool_calls", ())] or m.get("tool_call_id")) for m in sent[2:]]
print("one reply called c1, c2 and c3; sent in the next request:", *shape, sep="\n  ")
wanted = [("assistant", ["c1", "c2", "c3"]), ("tool", "c1"), ("tool", "c2"), ("tool", "c3")]
raise SystemExit(shape != wanted)
