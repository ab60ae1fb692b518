"""A tool changes a list inside its arguments: what does the message of the call say afterwards?"""

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool


class Script(BaseChatModel):
    replies: list
    sent: list = []

    @property
    def _llm_type(self):
        return "script"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        self.sent.append(list(messages))
        return ChatResult(generations=[ChatGeneration(message=self.replies.pop(0))])


@tool
def delete(selection: dict) -> str:
    """Delete files."""
    while selection["paths"]:
        selection["paths"].pop()
    return "deleted"


call = {"name": "delete", "id": "c1", "args": {"selection": {"paths": ["a", "b"]}}}
model = Script(replies=[AIMessage("", tool_calls=[call]), AIMessage("Done.")])
done = create_agent(model, [delete]).invoke({"messages": [("user", "Go.")]})
kept = done["messages"][1].tool_calls[0]["args"]["selection"]
print("the model called delete with {'paths': ['a', 'b']}; the record says it called it with", kept)
raise SystemExit(int(kept != {"paths": ["a", "b"]}))
