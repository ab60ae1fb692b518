"""A tool of a module changes its arguments: what does the message of the call say afterwards?"""

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


def delete(tool_use, **_):
    paths = tool_use["input"]["paths"]
    while paths:
        paths.pop()
    return {"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": "deleted"}]}


spec = {"name": "delete", "description": "Delete files.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
agent = Agent(
    Script([("c1", "delete", '{"paths": ["a", "b"]}')], []), tools=[PythonAgentTool("delete", spec, delete)],
    callback_handler=None,
)  # fmt: skip
agent("Go.")
kept = agent.messages[1]["content"][0]["toolUse"]["input"]
print("the model called delete with {'paths': ['a', 'b']}; the record says it called it with", kept)
raise SystemExit(int(kept != {"paths": ["a", "b"]}))
