"""A tool's text begins and ends with blanks, in a ToolCallingAgent: does the model get it?"""

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

code = "    return x\n"
model = Script(reply(("c1", "echo", {"text": code})), DONE)
ToolCallingAgent([Echo()], model, verbosity_level=LogLevel.OFF).run("Go.")
told = model.sent[1][-1][1].removeprefix("Observation:\n")
print(f"the tool gave back {code!r}; the model is sent {told!r}")
raise SystemExit(int(told != code))
