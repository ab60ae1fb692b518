"""The model sends arguments that are nested very deep: one error result, or the end of the run?"""

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
def look(place: str) -> str:
    """Look somewhere."""
    return "found"


def outcome(arguments):
    agent = Agent(name="a", model=Script(call("look", arguments), says("Done.")), tools=[look])
    try:
        return Runner.run_sync(agent, "Go.", run_config=QUIET).final_output
    except RecursionError as error:
        return f"the run ended with RecursionError: {error}"


print("broken JSON:", outcome('{"place": '))
deep = outcome("[" * 3000)
print("deep JSON:  ", deep)
raise SystemExit(int("RecursionError" in deep))
