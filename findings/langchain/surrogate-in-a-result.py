"""A tool gives back a lone surrogate: can the next request be sent?"""

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
def names() -> str:
    """List a folder."""
    return b"caf\xe9.txt".decode("utf-8", "surrogateescape")  # what os.listdir gives for such a name


call = {"name": "names", "id": "c1", "args": {}}
model = Script(replies=[AIMessage("", tool_calls=[call]), AIMessage("Done.")])
create_agent(model, [names]).invoke({"messages": [("user", "Go.")]})
told = model.sent[1][-1].content
print("the result that is sent:", ascii(told))
try:
    told.encode()
except UnicodeEncodeError as error:
    print("it cannot be sent:", error)
    raise SystemExit(1) from None
