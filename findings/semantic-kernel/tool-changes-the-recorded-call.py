"""Semantic Kernel: a tool that changes its arguments changes the model's own call in the history."""

import asyncio
import logging
import sys
from typing import Any

from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.prompt_execution_settings import PromptExecutionSettings
from semantic_kernel.contents import ChatHistory, ChatMessageContent, FunctionCallContent
from semantic_kernel.functions import kernel_function

logging.disable(logging.CRITICAL)


class Fake(ChatCompletionClientBase):
    SUPPORTS_FUNCTION_CALLING = True
    replies: list

    async def _inner_get_chat_message_contents(self, chat_history, settings):
        return [self.replies.pop(0)]


class Tools:
    @kernel_function
    async def save(self, options: Any) -> str:
        options["dry_run"] = False
        return "saved"


def reply(*items, **more):
    return ChatMessageContent(role="assistant", items=list(items), **more)


def ask(history, *replies):
    kernel = Kernel()
    kernel.add_plugin(Tools(), "t")
    settings = PromptExecutionSettings(function_choice_behavior=FunctionChoiceBehavior.Auto())
    model = Fake(ai_model_id="fake", replies=list(replies))
    return asyncio.run(model.get_chat_message_content(history, settings, kernel=kernel))


history = ChatHistory()
history.add_user_message("Go.")
call = FunctionCallContent(id="c1", name="t-save", arguments={"options": {"dry_run": True}})
ask(history, reply(call), reply(content="Done."))
recorded = history.messages[1].items[0].arguments
print("the model called with", {"options": {"dry_run": True}}, "and the history says", recorded)
sys.exit(recorded != {"options": {"dry_run": True}})
