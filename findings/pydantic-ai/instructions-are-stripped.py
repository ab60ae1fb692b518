"""Instructions end in a line break and begin with an indented example: what is the model sent?"""

from pydantic_ai import Agent, ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

INSTRUCTIONS = "    indented as code\n    and so is this\nplain\n"
sent = []


def model(messages, info):
    sent.append(info.instructions)
    return ModelResponse(parts=[TextPart("Done.")])


Agent(FunctionModel(model), instructions=INSTRUCTIONS).run_sync("Go.")
print("given:", repr(INSTRUCTIONS))
print("sent: ", repr(sent[0]))
raise SystemExit(int(sent[0] != INSTRUCTIONS))
