"""What Pydantic AI can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "pydantic-ai", "pydantic-ai-slim", "pydantic_ai", "https://ai.pydantic.dev/",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says(
            "closed", "FinishReason: TypeAlias = Literal[ 'stop', 'length', 'content_filter', 'tool_call', 'error', ]",
            "pydantic_ai/messages.py",
        ),
        "calls": Says(
            "parallel", "sequential: Whether this tool acts as a barrier that runs alone, not overlapping with other tool calls.",
            "pydantic_ai/tools.py, Tool.from_schema",
        ),
        "turn-limit": Says(
            "raise", "Error raised when a Model's usage exceeds the specified limits.",
            "pydantic_ai/exceptions.py",
        ),
        "answer": Says("text", "The output data from the agent run.", "pydantic_ai/run.py"),
        "keeps": Says(
            "turns", "Return all messages for the run so far.", "pydantic_ai/run.py"
        ),
    },
    lacks={
        "error-reply": "Whether the agent should automatically continue is determined by "
        "ModelResponse.state, not by this field (finish_reason; pydantic_ai/messages.py)",
        "usage": "a FunctionModel makes up the usage of a reply that says none",
    },
    settings={
        "output_type=str | None": "\"If the output type allows None, a response with no text output is a valid result\"; with str alone the model is asked again",
        "request_limit=None": "\"Each of the limits can be set to None to disable that limit\"; the default is 50",
        "retries={'tools': 1000}": "unknown tools count as retries, of which 1 is the default",
        "empty responses": "are not sent, as in pydantic_ai/models: \"if len(assistant_content_params) > 0\"",
        "ToolFailed(text)": "how a scripted tool says that it failed; other exceptions end a run",
    },
)  # fmt: skip
