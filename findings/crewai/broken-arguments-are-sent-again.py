"""Arguments that do not parse get an error result; but what does the next request carry?"""

import json
import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import Agent, BaseLLM
from crewai.tools import tool

sent = []


class Scripted(BaseLLM):
    def call(self, messages, tools=None, *args, **kwargs):
        if messages[-1]["role"] == "tool":
            sent.extend(m["tool_calls"][0]["function"]["arguments"] for m in messages if m.get("tool_calls"))
            return "Done."
        arguments = '{"path": "notes'  # cut off by the length limit
        return [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": arguments}}]

    def supports_function_calling(self):
        return True


@tool("look")
def look(path: str) -> str:
    """Look at a file."""
    return f"looked at {path}"


agent = Agent(role="Reader", goal="Read.", backstory="None.", llm=Scripted(model="scripted"), tools=[look])
agent.kickoff("Go.")
print("the next request carries the arguments", sent[0])
try:
    json.loads(sent[0])
except ValueError as error:
    print("which a provider that parses them refuses:", error)
    raise SystemExit(1)
