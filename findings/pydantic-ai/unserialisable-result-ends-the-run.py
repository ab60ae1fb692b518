"""A tool gives back an object that JSON does not know: an error result, or the end of this run and of the next?"""

from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart, capture_run_messages
from pydantic_ai.models.function import FunctionModel


def model(messages, info):
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("connect", {}, "c1")])
    return ModelResponse(parts=[TextPart("Done.")])


agent = Agent(FunctionModel(model))


@agent.tool_plain
def connect():
    """Connect to the database."""
    return object()


def outcome(prompt, history):
    with capture_run_messages() as messages:
        try:
            return agent.run_sync(prompt, message_history=history).output, list(messages)
        except Exception as error:
            return f"the run ended with {type(error).__name__}: {error}", list(messages)


first, kept = outcome("Go.", [])
print(first)
second, _ = outcome("Again?", kept)
print("and with the messages so far:", second)
raise SystemExit(int("the run ended" in first))
