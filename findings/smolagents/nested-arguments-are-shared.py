"""A tool sorts the list that it is given, in place: what does the history say was asked for?"""

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


class Middle(Tool):
    name, description, output_type = "middle", "The middle of some numbers.", "integer"
    inputs = {"numbers": {"type": "array", "description": "the numbers"}}

    def forward(self, numbers):
        numbers.sort()
        return numbers[len(numbers) // 2]


DONE = reply(("z", "final_answer", {"answer": "Done."}))

model = Script(reply(("c1", "middle", {"numbers": [3, 1, 2]})), DONE)
ToolCallingAgent([Middle()], model, verbosity_level=LogLevel.OFF).run("Go.")
asked = model.sent[1][1][1]
print("asked for: [3, 1, 2]; the model is sent:", asked)
raise SystemExit("[3, 1, 2]" not in asked)
