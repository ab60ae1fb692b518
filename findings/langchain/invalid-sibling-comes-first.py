"""One reply holds a good call and one whose arguments do not parse: in which order do the results stand?"""

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
def look(place: str) -> str:
    """Look somewhere."""
    return "found"


good = {"name": "look", "id": "c1", "args": {"place": "here"}}
broken = {"name": "look", "id": "c2", "args": '{"place": "the', "error": None, "type": "invalid_tool_call"}
model = Script(replies=[AIMessage("", tool_calls=[good], invalid_tool_calls=[broken]), AIMessage("Done.")])
create_agent(model, [look]).invoke({"messages": [("user", "Go.")]})
told = [message.tool_call_id for message in model.sent[1] if message.type == "tool"]
print("calls in the reply: ['c1', 'c2'], the second broken")
print("results in the next request:", told)
raise SystemExit(int(told != ["c1", "c2"]))
