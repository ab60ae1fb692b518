"""A tool gives back a lone surrogate: can the next request be sent?"""

from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

sent = []


def model(messages, info):
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("names", {}, "c1")])
    sent.append(messages[-1].parts[0].model_response_str())
    return ModelResponse(parts=[TextPart("Done.")])


agent = Agent(FunctionModel(model))


@agent.tool_plain
def names() -> str:
    """List a folder."""
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


agent.run_sync("Go.")
print("the result that is sent:", ascii(sent[0]))
try:
    sent[0].encode()
except UnicodeEncodeError as error:
    print("it cannot be sent:", error)
    raise SystemExit(1) from None
