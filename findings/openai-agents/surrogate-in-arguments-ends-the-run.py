"""The model sends half an emoji in an argument: one result, or the end of the run?"""

from agents import Agent, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class Script(Model):
    def __init__(self, *replies):
        self.replies, self.sent = list(replies), []

    async def get_response(self, system_instructions, input, *_, **__):
        self.sent.append(list(input))
        return ModelResponse(output=[self.replies.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


def call(name, arguments):
    return ResponseFunctionToolCall(call_id="c1", type="function_call", name=name, arguments=arguments)


def says(words):
    text = ResponseOutputText(text=words, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])


QUIET = RunConfig(tracing_disabled=True)


@function_tool
def note(words: str) -> str:
    """Take a note."""
    return "noted"


def outcome(arguments):
    agent = Agent(name="a", model=Script(call("note", arguments), says("Done.")), tools=[note])
    try:
        return Runner.run_sync(agent, "Go.", run_config=QUIET).final_output
    except UnicodeEncodeError as error:
        return f"the run ended with UnicodeEncodeError: {error}"


whole, half = r'{"words": "\ud83d\ude00"}', r'{"words": "\ud83d"}'
print(whole, "->", outcome(whole))
told = outcome(half)
print(half, "->", told)
raise SystemExit(int("the run ended" in told))
