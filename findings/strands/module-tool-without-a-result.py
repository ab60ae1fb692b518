"""A tool of a module forgets to give back a ToolResult: an error result, or a message that cannot be sent?"""

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


def look(tool_use, **_):
    print("looked, and found something")  # and no return


spec = {"name": "look", "description": "Look.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
agent = Agent(
    Script([("c1", "look", "{}")], []), tools=[PythonAgentTool("look", spec, look)], callback_handler=None
)
agent("Go.")
told = agent.messages[2]["content"][0]
print("the result that is sent:", told)
raise SystemExit(int(not isinstance(told["toolResult"], dict)))
