"""The model sends arguments that break off: what does the next request say of this call?"""

import json

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


model = Script(call("look", '{"place": "here'), says("Done."))
Runner.run_sync(Agent(name="a", model=model, tools=[look]), "Go.", run_config=QUIET)
sent = next(item for item in model.sent[1] if item.get("type") == "function_call")["arguments"]
told = next(item for item in model.sent[1] if item.get("type") == "function_call_output")["output"]
print("the result:", told)
print("the arguments in the next request:", sent)
try:
    json.loads(sent)
except ValueError as error:
    print("a provider that takes arguments as an object cannot read them:", error)
    raise SystemExit(1) from None
