"""What the OpenAI Agents SDK can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "openai-agents", "openai-agents", "agents", "https://openai.github.io/openai-agents-python/",
    LOOP | {"max-turns", "raw-arguments", "usage"},
    {
        "labels": Says(
            "none", "class ModelResponse: output: list[TResponseOutputItem]", "agents/items.py, ModelResponse"
        ),
        "marks": Says(
            "no", "return a string error message (which will be sent back to the LLM)",
            "agents/tool.py, FunctionTool",
        ),
        "error-words": Says(
            "fixed", "Return a fixed error response without exposing the exception to the model.",
            "agents/tool.py, default_tool_error_function",
        ),
        "calls": Says(
            "parallel", "the default behavior, which starts all function tool calls emitted in a turn",
            "agents/run_config.py, ToolExecutionConfig",
        ),
        "turn-limit": Says(
            "raise", "If the max_turns is exceeded, a MaxTurnsExceeded exception is raised unless handled.",
            "agents/run.py, Runner.run",
        ),
        "answer": Says(
            "text", "The agent will run in a loop until a final output is generated.", "agents/run.py, Runner.run"
        ),
        "keeps": Says(
            "turns", "A session for automatic conversation history management.", "agents/run.py, Runner.run"
        ),
    },
    lacks={"error-reply": "a ModelResponse has no label that says it failed"},
    settings={
        "max_turns=None": "\"Pass None to disable the turn limit\"; the default is DEFAULT_MAX_TURNS, 10",
        "tool_not_found_behavior='return_error_to_model'": "the default, 'raise_error', ends the run",
        "session=Memory(...)": "a Session in memory, so that the record is the SDK's own",
        "strict_mode=False": "the schemas of the scripted tools are sent as they are",
    },
)  # fmt: skip
