"""One reply calls a tool that is there and then one with a name that no tool may have: in which order do the results stand?"""

from strands import Agent, tool
from strands.models import Model


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


@tool
def look() -> str:
    """Look."""
    return "found"


calls = [("c1", "look", "{}"), ("c2", "read file", "{}")]
agent = Agent(Script(calls, []), tools=[look], callback_handler=None)
agent("Go.")
results = [block["toolResult"]["toolUseId"] for block in agent.messages[2]["content"]]
print("calls:  ", [id_ for id_, _, _ in calls])
print("results:", results)
raise SystemExit(int(results != ["c1", "c2"]))
