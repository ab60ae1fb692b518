"""An LLM of one's own adds a reminder to the messages of one request: is it gone in the next?"""

import os

os.environ["CREWAI_DISABLE_TELEMETRY"] = os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_DISABLE_VERSION_CHECK"] = "true"
from crewai import Agent, BaseLLM
from crewai.tools import tool

sent = []


class Reminding(BaseLLM):
    def call(self, messages, tools=None, *args, **kwargs):
        messages.append({"role": "user", "content": "(Be brief.)"})  # meant for this request alone
        sent.append([m["role"] for m in messages])
        if len(sent) > 1:
            return "Done."
        return [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]

    def supports_function_calling(self):
        return True


@tool("look")
def look() -> str:
    """Look round."""
    return "nothing here"


agent = Agent(role="Reader", goal="Read.", backstory="None.", llm=Reminding(model="scripted"), tools=[look])
kept = [m["content"] for m in agent.kickoff("Go.").messages]
print("the requests held", *sent, sep="\n  ")
print("and the messages that the kickoff gives back hold the reminder", kept.count("(Be brief.)"), "times")
raise SystemExit("(Be brief.)" in kept)
