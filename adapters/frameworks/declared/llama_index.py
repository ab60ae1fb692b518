"""What LlamaIndex' FunctionAgent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "llama-index", "llama-index-core", "llama_index",
    "https://developers.llamaindex.ai/python/framework/understanding/agent/",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says(
            "none", "role: MessageRole = MessageRole.USER additional_kwargs: dict[str, Any]",
            "llama_index/core/base/llms/types.py, ChatMessage",
        ),
        "marks": Says(
            "no", 'role="tool", blocks=tool_call_result.tool_output.blocks, additional_kwargs={"tool_call_id": tool_call_result.tool_id},',
            "llama_index/core/agent/workflow/function_agent.py, FunctionAgent.handle_tool_call_results",
        ),
        "calls": Says(
            "parallel", "If True, the agent will call multiple tools in parallel.",
            "llama_index/core/agent/workflow/function_agent.py, FunctionAgent",
        ),
        "turn-limit": Says(
            "raise", "'force' raises an error (default).",
            "llama_index/core/agent/workflow/base_agent.py, BaseWorkflowAgent",
        ),
        "keeps": Says(
            "runs", "Adds all in-progress messages to memory.",
            "llama_index/core/agent/workflow/function_agent.py, FunctionAgent.finalize",
        ),
    },
    lacks={
        "error-reply": "a ChatMessage has no mark that says it failed",
        "usage": "an agent adds up no usage",
    },
    settings={
        "memory=ChatMemoryBuffer(token_limit=1000000000)": "the record; the default limit is three quarters of the model's window",
        "max_iterations": "the turn limit; the default is DEFAULT_MAX_ITERATIONS, 20, and a billion stands for none",
        "max_turns < 1": "is not played: 0 stands for the default",
        "user_msg=ChatMessage(...)": "an empty text alone counts as no prompt",
    },
)  # fmt: skip
