"""What Semantic Kernel's auto-invoke loop can and does, in its own words."""

from adapters.frameworks.declaration import LOOP, Framework, Says

FRAMEWORK = Framework(
    "semantic-kernel", "semantic-kernel", "semantic_kernel",
    "https://learn.microsoft.com/en-us/semantic-kernel/concepts/ai-services/chat-completion/function-calling/",
    LOOP | {"raw-arguments"},
    {
        "labels": Says(
            "closed", 'STOP = "stop" LENGTH = "length" CONTENT_FILTER = "content_filter"',
            "semantic_kernel/contents/utils/finish_reason.py, FinishReason",
        ),
        "marks": Says(
            "no", "Create an instance from a FunctionCallContent and a result.",
            "semantic_kernel/contents/function_result_content.py, FunctionResultContent",
        ),
        "calls": Says(
            "parallel", 'logger.info(f"processing {fc_count} tool calls in parallel.")',
            "semantic_kernel/connectors/ai/chat_completion_client_base.py, ChatCompletionClientBase.get_chat_message_contents",
        ),
        "validates": Says(
            "yes", "Check for missing or unexpected parameters", "semantic_kernel/kernel.py, Kernel.invoke_function_call",
        ),
        "specs": Says(
            "completed", '"required": [p.name for p in metadata.parameters if p.is_required and p.include_in_function_choices]',
            "semantic_kernel/connectors/ai/function_calling_utils.py, kernel_function_metadata_to_function_call_format",
        ),
        "keeps": Says(
            "turns", "Since we have a function call, add the assistant's tool call message to the history",
            "semantic_kernel/connectors/ai/chat_completion_client_base.py, ChatCompletionClientBase.get_chat_message_contents",
        ),
    },
    lacks={
        "max-turns": "at maximum_auto_invoke_attempts it asks once more: \"Do a final call, without function calling when the max has been reached\"",
        "error-reply": "no FinishReason says that a reply failed",
        "usage": "a ChatHistory adds up no usage",
    },
    settings={
        "maximum_auto_invoke_attempts=1000000000": "stands for none; the default is DEFAULT_MAX_AUTO_INVOKE_ATTEMPTS, 5",
        "plugin_name='tools'": "a kernel's functions belong to a plugin; its name in front of theirs is left out",
        "history.add_message(reply)": "the last reply is added by whoever asked, as the documentation has it",
    },
)  # fmt: skip
