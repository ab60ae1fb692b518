"""What Strands Agents can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "strands", "strands-agents", "strands", "https://strandsagents.com/",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says("none", "stop_reason: The reason why the agent's processing stopped.", "strands/agent/agent_result.py, AgentResult"),
        "calls": Says("parallel", "Concurrent tool executor.", "strands/tools/executors/concurrent.py, ConcurrentToolExecutor"),
        "provider-errors": Says("wrap", "original_exception: The original exception that was raised.", "strands/types/exceptions.py, EventLoopException"),
        "specs": Says("completed", "Normalize a JSON schema to match expectations.", "strands/tools/tools.py, normalize_schema"),
        "turn-limit": Says("other", '"limit_turns": Agent loop stopped because the ``limits["turns"]`` cap was reached', "strands/types/event_loop.py, StopReason"),
        "keeps": Says("turns", "List of initial messages to pre-load into the conversation.", "strands/agent/agent.py, Agent"),
    },
    lacks={"error-reply": "a message has no mark that says it failed", "usage": "its metrics are of one invocation"},
    settings={
        "blank text, odd names": "are not played: \"Remove or replace blank text in message content\", \"Ensure the tool-uses always have valid names before sending\"",
        "conversation_manager=NullConversationManager()": "the default drops messages beyond a window",
        "retry_strategy=None": "a provider's error is told at once",
        "limits={'turns': N}": "the turn limit; \"Omit any field for no limit on that dimension\"",
        "max_turns < 1": "is not played: \"Each cap, when set, must be a positive int\"",
    },
)  # fmt: skip
