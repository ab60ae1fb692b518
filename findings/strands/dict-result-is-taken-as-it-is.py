"""A tool gives back a dict of its own with the keys status and content: what is the model sent?"""

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
def fetch() -> dict:
    """Fetch a page."""
    return {"status": 404, "content": "no such page"}


agent = Agent(Script([("c1", "fetch", "{}")], []), tools=[fetch], callback_handler=None)
agent("Go.")
told = agent.messages[2]["content"][0]["toolResult"]
print("the result that is sent:", told)
good = told["status"] in ("success", "error") and isinstance(told["content"], list)
print("a tool result" if good else "no tool result: status is success or error there, and content a list of blocks")
raise SystemExit(int(not good))
