"""Ctrl-C while a tool runs, then the next prompt on the same thread: does every call have its result?"""

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver


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
def wait() -> str:
    """Wait for something."""
    raise KeyboardInterrupt


call = {"name": "wait", "id": "c1", "args": {}}
model = Script(replies=[AIMessage("", tool_calls=[call]), AIMessage("Done.")])
agent = create_agent(model, [wait], checkpointer=InMemorySaver())
thread = {"configurable": {"thread_id": "t"}}
try:
    agent.invoke({"messages": [("user", "Go.")]}, thread)
except KeyboardInterrupt:
    print("interrupted")
agent.invoke({"messages": [("user", "Go on.")]}, thread)
for message in model.sent[1]:
    print(f"{message.type}: {message.content!r}", [c["id"] for c in getattr(message, "tool_calls", [])] or "")
answered = any(message.type == "tool" for message in model.sent[1])
print("the call has its result" if answered else "the call has no result, which providers refuse, now and ever after")
raise SystemExit(int(not answered))
