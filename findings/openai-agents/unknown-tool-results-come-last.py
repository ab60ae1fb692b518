"""One reply calls a tool that is not there and then one that is: in which order do the results stand?"""

from agents import Agent, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class Script(Model):
    def __init__(self, *replies):
        self.replies, self.sent = list(replies), []

    async def get_response(self, system_instructions, input, *_, **__):
        self.sent.append(list(input))
        return ModelResponse(output=self.replies.pop(0), usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError


def says(words):
    text = ResponseOutputText(text=words, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])


QUIET = RunConfig(tracing_disabled=True, tool_not_found_behavior="return_error_to_model")


@function_tool
def look() -> str:
    """Look."""
    return "found"


calls = [
    ResponseFunctionToolCall(call_id=id_, type="function_call", name=name, arguments="{}")
    for id_, name in (("c1", "nope"), ("c2", "look"))
]
model = Script(calls, [says("Done.")])
Runner.run_sync(Agent(name="a", model=model, tools=[look]), "Go.", run_config=QUIET)
results = [item["call_id"] for item in model.sent[1] if item.get("type") == "function_call_output"]
print("calls:  ", [item["call_id"] for item in model.sent[1] if item.get("type") == "function_call"])
print("results:", results)
raise SystemExit(int(results != ["c1", "c2"]))
