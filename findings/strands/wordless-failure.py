"""A tool of a module fails with an exception that has no text: what does the model learn?"""

from strands import Agent
from strands.models import Model
from strands.tools import PythonAgentTool


class Script(Model):
    def __init__(self, *replies):
        self.replies = list(replies)

    def update_config(self, **_):
        """There is nothing to configure."""

    def get_config(self):
        return {}

    def structured_output(self, *_, **__):
        raise NotImplementedError

    async def stream(self, messages, *_, **__):
        yield {"messageStart": {"role": "assistant"}}
        calls = self.replies.pop(0)
        for id_, name, sent in calls:
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": id_, "name": name}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": sent}}}}
            yield {"contentBlockStop": {}}
        if not calls:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "Done."}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}


def told(error):
    """The error result that the model is sent."""

    def work(tool_use, **_):
        raise error

    spec = {"name": "work", "description": "Work.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
    agent = Agent(
        Script([("c1", "work", "{}")], []), tools=[PythonAgentTool("work", spec, work)], callback_handler=None
    )
    agent("Go.")
    return agent.messages[2]["content"][0]["toolResult"]["content"][0]["text"]


said = told(NotImplementedError())
print("NotImplementedError without text:", repr(said))
raise SystemExit(int("NotImplementedError" not in said))
