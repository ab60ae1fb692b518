"""A reply calls two tools that there are not: what is the model told of each?"""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import Agent, BaseLLM
from crewai.tools import tool


class Scripted(BaseLLM):
    def call(self, messages, tools=None, *args, **kwargs):
        if messages[-1]["role"] == "tool":
            return "Done."
        return [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": "{}"}}
            for n, name in enumerate(("look_up", "serch"))
        ]

    def supports_function_calling(self):
        return True


@tool("search")
def search() -> str:
    """Search."""
    return "found"


agent = Agent(role="Reader", goal="Read.", backstory="None.", llm=Scripted(model="scripted"), tools=[search])
told = [m["content"] for m in agent.kickoff("Go.").messages if m["role"] == "tool"]
print("look_up and serch were called, and only search is there; the model is told", told)
raise SystemExit(not all(name in text for name, text in zip(("look_up", "serch"), told, strict=True)))
