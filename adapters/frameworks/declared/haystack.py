"""What Haystack's Agent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "haystack", "haystack-ai", "haystack", "https://docs.haystack.deepset.ai/docs/agent",
    LOOP | {"max-turns"},
    {
        "labels": Says("closed", "(the model returned an incomplete reply, which may contain partial text)", "haystack/components/agents/agent.py, Agent.run"),
        "calls": Says("parallel", "Set to 1 to disable parallel tool execution.", "haystack/components/agents/agent.py, Agent"),
        "turn-limit": Says("other", "If the agent reaches this number of steps it stops and returns the current state.", "haystack/components/agents/agent.py, Agent"),
        "keeps": Says("turns", "List of all messages exchanged during the agent's run.", "haystack/components/agents/agent.py, Agent.run"),
    },
    lacks={
        "error-reply": "a ChatMessage has no mark that says it failed",
        "raw-arguments": "a ToolCall's arguments are a dict",
        "usage": "token_usage is of one run",
    },
    settings={
        "empty replies": "are not played: \"An empty response without a recognized terminal reason does not trigger an exit\"; \"a message with empty content, which the API accepts\"",
        "system texts that a template would change": "are not played: system_prompt is \"a plain string template\"",
        "max_agent_steps": "the turn limit; the default is 100, and a billion stands for none",
        "messages=[*messages, prompt]": "how a conversation goes on: an Agent remembers nothing itself, so after a run that raised nothing more is played",
        "hooks={'before_run': ...}": "shows the state of a run, so that its messages can be seen however it ends",
    },
)  # fmt: skip
