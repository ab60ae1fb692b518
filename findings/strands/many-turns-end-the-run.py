"""A job takes 400 tool calls, one after the other: does the agent get to its end?"""

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


taken = []


@tool
def step() -> str:
    """Take one step."""
    taken.append(1)
    return "done"


replies = [[(f"c{number}", "step", "{}")] for number in range(400)]
agent = Agent(Script(*replies, []), tools=[step], callback_handler=None)
try:
    agent("Take 400 steps.")
except Exception as error:
    print(f"after {len(taken)} calls the run ended with {type(error).__name__}: {error}")
    raise SystemExit(1) from None
print("all 400 calls were made:", len(taken))
