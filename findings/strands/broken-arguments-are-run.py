"""The arguments of a call are cut off in the middle: is the tool run all the same?"""

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


ran = []


@tool
def delete(older_than_days: int = 0) -> str:
    """Delete old files."""
    ran.append(f"delete files older than {older_than_days} days")
    return "deleted"


agent = Agent(Script([("c1", "delete", '{"older_than_days": 3')], []), tools=[delete], callback_handler=None)
agent("Delete files older than 30 days.")
print("the model got as far as:", '{"older_than_days": 3')
print("the record says it sent:", agent.messages[1]["content"][0]["toolUse"]["input"])
print("what was run:", ran)
print("the result:", agent.messages[2]["content"][0]["toolResult"])
raise SystemExit(int(bool(ran)))
