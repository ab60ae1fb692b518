"""What AutoGen's AssistantAgent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "autogen", "autogen-agentchat", "autogen_agentchat", "https://microsoft.github.io/autogen/stable/",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says("none", 'thought: str | None = None """The reasoning text for the completion if available. Used for reasoning model and additional text content besides function calls.""" source: str """The name of the agent that sent this message."""', "autogen_core/models/_types.py, AssistantMessage"),
        "calls": Says("parallel", "If the model returns multiple tool calls, they will be executed concurrently.", "autogen_agentchat/agents/_assistant_agent.py, AssistantAgent"),
        "turn-limit": Says("other", "The agent stops when either the model returns a text response (instead of tool calls) or the maximum number of iterations is reached.", "autogen_agentchat/agents/_assistant_agent.py, AssistantAgent"),
        "answer": Says("text", "If the model returns no tool call, then the response is immediately returned as a :class:`~autogen_agentchat.messages.TextMessage`", "autogen_agentchat/agents/_assistant_agent.py, AssistantAgent"),
        "keeps": Says("turns", "Add the assistant message to the model context (including thought if present)", "autogen_agentchat/agents/_assistant_agent.py, AssistantAgent.on_messages_stream"),
    },
    lacks={
        "error-reply": "no finish_reason makes a reply a failed one",
        "usage": "a run adds up no usage",
    },
    settings={
        "max_tool_iterations=N": "the turn limit; the default is 1, and a billion stands for none",
        "model_context=UnboundedChatCompletionContext()": "the record, shared by the agents of one conversation",
        "thought": "the text of a reply that holds calls, as AutoGen's own clients give it",
        "empty replies": "have the content \"\", as AutoGen's own clients give it",
    },
)  # fmt: skip
