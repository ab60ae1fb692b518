"""One of two calls of a reply fails, in a ToolCallingAgent: what became of the other one?"""

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

model = Script(reply(("c1", "echo", {"text": "row 1"}), ("c2", "echo", {"text": "bad"})), DONE)
agent = ToolCallingAgent([Echo()], model, verbosity_level=LogLevel.OFF)
agent.run("Go.")
print("the tools that ran were asked for:", sorted(Echo.ran))
print("the model is sent:", model.sent[1][1:])
print("the memory keeps:", agent.memory.steps[1].tool_calls, agent.memory.steps[1].observations)
lost = "row 1" in Echo.ran and not any("row 1" in text for _, text in model.sent[1])
raise SystemExit(int(lost))
