"""A tool changes a list inside its arguments: what does the message of the call say afterwards?"""

from pydantic_ai import Agent, ModelResponse, TextPart, Tool, ToolCallPart
from pydantic_ai.models.function import FunctionModel


def model(messages, info):
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("delete", {"paths": ["a", "b"]}, "c1")])
    return ModelResponse(parts=[TextPart("Done.")])


async def delete(paths):
    while paths:
        paths.pop()
    return "deleted"


schema = {"type": "object", "properties": {"paths": {"type": "array", "items": {"type": "string"}}}}
agent = Agent(FunctionModel(model), tools=[Tool.from_schema(delete, "delete", "Delete files.", schema)])
kept = agent.run_sync("Go.").all_messages()[1].parts[0].args
print("the model called delete with {'paths': ['a', 'b']}; the record says it called it with", kept)
raise SystemExit(int(kept != {"paths": ["a", "b"]}))
