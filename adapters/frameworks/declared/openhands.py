"""What the OpenHands SDK can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "openhands", "openhands-sdk", "openhands", "https://docs.openhands.dev/sdk",
    LOOP | {"max-turns", "raw-arguments"},
    {
        "labels": Says("none", "The exact LLM message for this message event", "openhands/sdk/event/llm_convertible/message.py, MessageEvent"),
        "calls": Says("sequential", "if len(action_events) == 1 or self._max_workers == 1:", "openhands/sdk/agent/parallel_executor.py, ParallelToolExecutor"),
        "provider-errors": Says("wrap", "while preserving the original exception via exception chaining", "openhands/sdk/conversation/exceptions.py, ConversationRunError"),
        "specs": Says("completed", "Always add summary field for transparency and explainability", "openhands/sdk/tool/tool.py, ToolDefinition"),
        "turn-limit": Says("other", "Agent reached maximum iterations limit", "openhands/sdk/conversation/impl/local_conversation.py, LocalConversation.run"),
        "answer": Says("text", "The final response message from the agent, or empty string if not found.", "openhands/sdk/conversation/response_utils.py, get_agent_final_response"),
        "keeps": Says("turns", "Emit all events in original action order.", "openhands/sdk/agent/agent.py, _ActionBatch.emit"),
    },
    lacks={
        "error-reply": "a Message has no mark that says it failed",
        "usage": "what an LLM of one's own used is for that to add up",
    },
    settings={
        "include_default_tools=[]": "\"to disable all default tools\": else finish and think are sent, too",
        "stuck_detection=False": "the default stops a run whose calls repeat",
        "max_iteration_per_run": "the turn limit; the default is 500, a billion stands for none, and less than 1 is not played: \"gt=0\"",
        "ClientTool": "brings the schema that a tool was given: \"Used verbatim when exporting the tool to the LLM\"",
        "blank replies": "are not played: \"sends corrective feedback so the model knows it must produce a tool call or user-facing content\"",
        "null arguments": "are not played: \"Remove any arguments that are clearly not valid (None values, etc.)\"",
        "names that begin like a tool's": "are not played: \"The leading identifier is extracted and used as the lookup key\"",
    },
)  # fmt: skip
