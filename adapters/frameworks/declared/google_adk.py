"""What Google's Agent Development Kit can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "google-adk", "google-adk", "google.adk", "https://google.github.io/adk-docs/",
    LOOP | {"max-turns", "error-reply"},
    {
        "labels": Says(
            "closed", 'finish_reason: Optional[types.FinishReason] = None """The finish reason of the response."""',
            "google/adk/models/llm_response.py, LlmResponse",
        ),
        "calls": Says(
            "parallel", "Runs the prepared calls in parallel and merges their response events.",
            "google/adk/flows/llm_flows/tools/_batch_executor.py, _execute_prepared_function_calls_async",
        ),
        "turn-limit": Says(
            "raise", "call pushes the counter beyond the max set value, then the "
            "# execution is stopped right here, and exception is thrown.",
            "google/adk/flows/llm_flows/core/_model_call.py, call_llm_async",
        ),
        "keeps": Says(
            "turns", "Ordered event history for the session, including user, model, and",
            "google/adk/sessions/session.py, Session",
        ),
        "broken-runs": Says(
            "answered", "follow-up user input prior to tool execution), unanswered function calls are pruned",
            "google/adk/flows/llm_flows/tools/_rearranger.py, drop_orphaned_function_calls",
        ),
    },
    lacks={
        "raw-arguments": "the args of a FunctionCall are a dict",
        "usage": "usage_metadata is of one response, and nothing adds it up",
    },
    settings={
        "max_llm_calls=0": '"Less than or equal to 0: This allows for unbounded number of llm calls"; the default is 500',
        "on_tool_error_callback": 'gives back {"error": ...} with what the tool said; without such a callback an exception ends the run',
        "instruction": "a function, so that nothing is put in for braces; behind it ADK puts 'You are an agent. Your internal name is \"a\".', which is not compared",
        "blank replies": 'are not played, but for empty ones: "A turn that finishes with STOP but has no meaningful content" is an error of ADK\'s own',
        "events without content": "are messages if a model sent them; the one that ADK adds for an exception is none",
        "long runs": "of 1,100 turns take a minute and a half: every request is made anew of all events of the session",
        "empty prompts": 'are not played: "The content is considered empty if none of its parts contain text"',
    },
)  # fmt: skip
