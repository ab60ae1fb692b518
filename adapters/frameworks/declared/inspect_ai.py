"""What the tool loop of Inspect can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "inspect-ai", "inspect-ai", "inspect_ai", "https://inspect.aisi.org.uk/agent-custom.html",
    LOOP,
    {
        "labels": Says(
            "none", "message: ChatMessageAssistant \"\"\"Assistant message.\"\"\" stop_reason: StopReason",
            "inspect_ai/model/_model_output.py, ChatCompletionChoice",
        ),
        "calls": Says(
            "parallel", "Consecutive # parallel-safe calls coalesce into one concurrent stage",
            "inspect_ai/model/_call_tools.py, execute_tools",
        ),
        "validates": Says(
            "yes", "validate the schema of the passed object", "inspect_ai/model/_call_tools.py, call_tool"
        ),
        "specs": Says(
            "completed", "Are additional object properties allowed?", "inspect_ai/tool/_tool_params.py, ToolParams"
        ),
        "keeps": Says(
            "runs", "The final `ModelOutput` as well the message list for the conversation are returned as a tuple.",
            "inspect_ai/model/_model.py, Model.generate_loop",
        ),
    },
    lacks={
        "max-turns": "\"The loop terminates when the model stops calling tools\"; the limits of an evaluation are not its own",
        "error-reply": "a ChatMessageAssistant has no mark that says it failed",
        "raw-arguments": "a ToolCall's arguments are a dict",
        "usage": "a loop adds up no usage",
    },
    settings={
        "max_tool_output=0": "no limit; the default, 16 * 1024 bytes, is said in the result that was cut",
        "description": "every parameter has to have one, and gets one if the script has none",
        "ToolError(text)": "how a scripted tool says that it failed; other exceptions end a run",
        "empty replies": "are not played: its providers send \"(no content)\" instead, NO_CONTENT",
        "messages": "what a run gives back is added to those before it, with the prompt in front; after a run that raised nothing more is played",
    },
)  # fmt: skip
