"""A tool that was made from a schema is called with null or a list as arguments: one error result, or the end?"""

from pydantic_ai import Agent, ModelResponse, TextPart, Tool, ToolCallPart
from pydantic_ai.models.function import FunctionModel


async def look(**arguments):
    return "found"


def outcome(arguments, tool):
    """The answer of the run, or what came out of it instead."""

    def model(messages, info):
        first = len(messages) == 1
        return ModelResponse(parts=[ToolCallPart("look", arguments, "c1") if first else TextPart("Done.")])

    try:
        return Agent(FunctionModel(model), tools=[tool]).run_sync("Go.").output
    except Exception as error:
        return f"the run ended with {type(error).__name__}: {error}"


schema = {"type": "object", "properties": {"place": {"type": "string"}}}
told = {sent: outcome(sent, Tool.from_schema(look, "look", "Look.", schema)) for sent in ("{bad", "null", "[1]")}
for sent, said in told.items():
    print(f"arguments {sent}: {said}")
print("arguments [1], a tool made from its function:", outcome("[1]", Tool(look, name="look")))
raise SystemExit(int(any("the run ended" in said for said in told.values())))
