"""The model makes up an argument called "self": one error result, or the end of the run?"""

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool


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


def outcome(name):
    """The answer of the run, or what came out of it instead."""
    look = StructuredTool(name="look", description="Look.", func=lambda **_: "found", args_schema=SCHEMA)
    model = Script(replies=[AIMessage("", tool_calls=[{"name": "look", "id": "c1", "args": {name: "x"}}]),
                            AIMessage("Done.")])  # fmt: skip
    try:
        return create_agent(model, [look]).invoke({"messages": [("user", "Go.")]})["messages"][-1].content
    except TypeError as error:
        return f"the run ended with TypeError: {error}"


SCHEMA = {"type": "object", "properties": {"place": {"type": "string"}}}
told = {name: outcome(name) for name in ("that", "self", "config", "run_manager")}
for name, said in told.items():
    print(f"an argument called {name}: {said}")
raise SystemExit(int("the run ended" in told["self"]))
