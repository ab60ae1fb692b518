"""A tool raises an exception without a text: what is the model told?"""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import Agent, BaseLLM
from crewai.tools import tool


class Scripted(BaseLLM):
    def call(self, messages, tools=None, *args, **kwargs):
        if messages[-1]["role"] == "tool":
            return "Done."
        return [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]

    def supports_function_calling(self):
        return True


@tool("look")
def look() -> str:
    """Look round."""
    raise TimeoutError


agent = Agent(role="Reader", goal="Read.", backstory="None.", llm=Scripted(model="scripted"), tools=[look])
told = [m["content"] for m in agent.kickoff("Go.").messages if m["role"] == "tool"]
print("the tool raised TimeoutError(); the model is told", told)
raise SystemExit("TimeoutError" not in told[0])
