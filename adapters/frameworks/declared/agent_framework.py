"""What Microsoft's Agent Framework can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "agent-framework", "agent-framework-core", "agent_framework", "https://learn.microsoft.com/agent-framework/",
    LOOP | {"raw-arguments", "usage"},
    {
        "labels": Says(
            "none", 'finish_reason: Optional reason for the chat response (e.g., "stop", "length", "tool_calls").',
            "agent_framework/_types.py, ChatResponse",
        ),
        "calls": Says(
            "parallel", "Whether executable calls from one model response may run concurrently.",
            "agent_framework/_tools.py, FunctionInvocationConfiguration",
        ),
        "validates": Says(
            "yes", "Run lightweight, top-level argument checks for schema-supplied tools.",
            "agent_framework/_tools.py, _validate_arguments_against_schema",
        ),
        "keeps": Says(
            "runs", "Run after_run on all context providers in reverse order.",
            "agent_framework/_agents.py, BaseAgent._run_after_providers",
        ),
    },
    lacks={
        "error-reply": "a Message has no mark that says it failed",
        "max-turns": 'max_iterations is no limit on requests: "Requesting final response without tools" follows the last one',
    },
    settings={
        "context_providers=[InMemoryHistoryProvider()]": "the record, in the session's state; it is \"the default provider auto-added by the agent for local sessions\"",
        "max_iterations=1000000000": "the default is DEFAULT_MAX_ITERATIONS, 40",
        "max_consecutive_errors_per_request=1000000000": "three failing batches in a row would end the use of tools",
        "include_detailed_errors=True": '"Whether to include exception details in the function result returned to the model"',
        "empty replies": "are not sent, as in OpenAIChatCompletionClient, which sends what stands in the contents of a message",
        "usage_details": "of each run, added up by add_usage_details",
    },
)  # fmt: skip
