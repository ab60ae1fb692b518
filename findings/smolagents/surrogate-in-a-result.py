"""A tool gives back a file name that is not UTF-8, as os.listdir has it: can the next request be sent?"""

import os

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


class Names(Tool):
    name, description, output_type = "names", "The names of the files.", "string"
    inputs = {}

    def forward(self):
        return os.fsdecode(b"caf\xe9.txt")


DONE = reply(("z", "final_answer", {"answer": "Done."}))

model = Script(reply(("c1", "names", {})), DONE)
ToolCallingAgent([Names()], model, verbosity_level=LogLevel.OFF).run("Go.")
told = model.sent[1][-1][1]
print("the model is sent:", ascii(told))
try:
    told.encode()
except UnicodeEncodeError as error:
    print(error)
    raise SystemExit(1) from None
