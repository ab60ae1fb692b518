"""The model sends a call whose arguments do not parse: is it told, or does the run end as if it had answered?"""

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


broken = {"name": "look", "id": "c1", "args": '{"place": "here', "error": None, "type": "invalid_tool_call"}
model = Script(replies=[AIMessage("", invalid_tool_calls=[broken]), AIMessage("Done.")])
done = create_agent(model, [look]).invoke({"messages": [("user", "Go.")]})
for message in done["messages"]:
    print(f"{message.type}: {message.content!r}", getattr(message, "invalid_tool_calls", None) or "")
print("requests:", len(model.sent))
raise SystemExit(int(len(model.sent) == 1))
