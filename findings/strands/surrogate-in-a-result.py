"""A tool gives back a lone surrogate: can the next request be sent?"""

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
def names() -> str:
    """List a folder."""
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


agent = Agent(Script([("c1", "names", "{}")], []), tools=[names], callback_handler=None)
agent("Go.")
told = agent.messages[2]["content"][0]["toolResult"]
print("the result that is sent:", ascii(told))
try:
    told["content"][0]["text"].encode()
except UnicodeEncodeError as error:
    print("it cannot be sent:", error)
    raise SystemExit(1) from None
