"""A call whose arguments are valid JSON but no object: is the model told, or does the whole run end?"""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import Agent, BaseLLM
from crewai.tools import tool


class Scripted(BaseLLM):
    def call(self, messages, tools=None, *args, **kwargs):
        if messages[-1]["role"] == "tool":
            return "Done."
        return [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '["notes.txt"]'}}]

    def supports_function_calling(self):
        return True


@tool("look")
def look(path: str = ".") -> str:
    """Look at a file."""
    return f"looked at {path}"


agent = Agent(role="Reader", goal="Read.", backstory="None.", llm=Scripted(model="scripted"), tools=[look])
try:
    print("the run ends with", agent.kickoff("Go.").raw)
except Exception as error:
    print("the run ends with", type(error).__name__, str(error).splitlines()[:3])
    raise SystemExit(1)
