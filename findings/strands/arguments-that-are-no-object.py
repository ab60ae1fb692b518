"""The model sends null instead of an object as arguments: what does the record say, and can it be sent?"""

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


def outcome(sent):
    """What the record holds as input of the call, or what came out of the run instead."""
    agent = Agent(Script([("c1", "look", sent)], []), tools=[look], callback_handler=None)
    try:
        agent("Go.")
    except Exception as error:
        return f"the run ended with {type(error).__name__}: {error}"
    return agent.messages[1]["content"][0]["toolUse"]["input"]


kept = {sent: outcome(sent) for sent in ("{}", "null", "[1]", '"text"')}
for sent, input_ in kept.items():
    print(f"arguments {sent}: the record holds {input_!r}")
raise SystemExit(int(any(not isinstance(input_, dict) for input_ in kept.values())))
