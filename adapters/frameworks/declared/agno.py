"""What Agno can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "agno", "agno", "agno", "https://docs.agno.com/",
    LOOP | {"raw-arguments", "usage"},
    {
        "labels": Says("none", "Response from the model provider", "agno/models/response.py, ModelResponse"),
        "calls": Says(
            "parallel", "Create and run all function calls in parallel (skip ones that need confirmation)",
            "agno/models/base.py, Model.arun_function_calls",
        ),
        "provider-errors": Says(
            "other", "If the content is None, set it to the error message", "agno/agent/_run.py, _arun"
        ),
        "keeps": Says(
            "runs", '"runs" — default, write only at terminal states', "agno/agent/agent.py, Agent"
        ),
        "broken-runs": Says(
            "nothing", "Canonical set of run statuses excluded when rebuilding message history/context.",
            "agno/run/base.py, HISTORY_SKIP_STATUSES",
        ),
    },
    lacks={
        "error-reply": "a ModelResponse has no mark that says it failed",
        "max-turns": "tool_call_limit counts calls, and the model is asked again after it",
    },
    settings={
        "db=InMemoryDb(), add_history_to_context=True, num_history_runs=1000000": "the record, and all of it in the next run; the default is 3 runs",
        "system_message=..., resolve_in_context=False": "the system text as it is, without state put in for braces",
        "telemetry=False": "nothing is sent anywhere",
        "the order of tools": 'is not compared: "Deterministic ordering so prompt caching gets consistent cache hits"',
        "empty replies": 'are not sent, as in agno/utils/models/claude.py: "if message.role == \"assistant\" and not content"',
        "input=[...]": "how messages are handed in: as the input of the first run",
    },
)  # fmt: skip
