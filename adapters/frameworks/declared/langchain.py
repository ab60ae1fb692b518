"""What LangChain's create_agent can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "langchain", "langchain", "langchain", "https://docs.langchain.com/oss/python/langchain/agents",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says(
            "closed", "Examples: response headers, logprobs, token counts, model name.",
            "langchain_core/messages/base.py",
        ),
        "calls": Says(
            "parallel", "Parallel execution of multiple tool calls for efficiency",
            "langgraph/prebuilt/tool_node.py, ToolNode",
        ),
        "turn-limit": Says(
            "raise", "Raise a `ModelCallLimitExceededError`",
            "langchain/agents/middleware/model_call_limit.py, ModelCallLimitMiddleware",
        ),
        "keeps": Says(
            "turns", "Used for persisting the state of the graph (e.g., as chat memory) for a single thread",
            "langchain/agents/factory.py, create_agent",
        ),
    },
    lacks={
        "error-reply": "an AIMessage has no mark that says it failed",
        "usage": "create_agent adds up no usage",
    },
    settings={
        "checkpointer=InMemorySaver(), durability='sync'": "the record, stored before the next step starts",
        "ModelCallLimitMiddleware(run_limit=N, exit_behavior='error')": "the turn limit; create_agent has none of its own",
        "recursion_limit=1000000": "the number of graph steps is no limit on turns here",
        "empty replies": 'are not sent, as in langchain_anthropic/chat_models.py: "all messages must have non-empty content"',
        "ToolException, handle_tool_error=True": "how a scripted tool says that it failed; other exceptions end a run",
    },
)  # fmt: skip
