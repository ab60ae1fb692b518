"""An argument is a text that looks like JSON, in a ToolCallingAgent: what is the model shown?"""

from smolagents import LogLevel, Tool, ToolCallingAgent
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole, Model


def reply(*calls, text=None):
    made = [ChatMessageToolCall(ChatMessageToolCallFunction(given, name), id, "function") for id, name, given in calls]
    return ChatMessage(MessageRole.ASSISTANT, text, made)


class Script(Model):
    def __init__(self, *replies):
        super().__init__()
        self.replies, self.sent = list(replies), []

    def generate(self, messages, **_):
        self.sent.append([(m.role.value, m.content[0]["text"]) for m in messages[1:]])
        return self.replies.pop(0)


class Echo(Tool):
    name, description, output_type = "echo", "Give the text back.", "string"
    inputs = {"text": {"type": "string", "description": "what to give back"}}
    ran = []

    def forward(self, text):
        self.ran.append(text)
        if text == "bad":
            raise ValueError("no such row")
        return text


DONE = reply(("z", "final_answer", {"answer": "Done."}))

model = Script(reply(("c1", "echo", {"text": '{"a": 1}'})), DONE)
ToolCallingAgent([Echo()], model, verbosity_level=LogLevel.OFF).run("Go.")
calls = model.sent[1][1][1]
print("the tool was given", repr(Echo.ran[0]), "; the model is shown", calls)
raise SystemExit(int(repr({"text": {"a": 1}}) in calls))
