"""Semantic Kernel: a run that is cancelled in a tool leaves calls without results in the history."""

import asyncio
import logging
import sys

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
    async def stop(self) -> str:
        raise asyncio.CancelledError


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
try:
    ask(history, reply(FunctionCallContent(id="c1", name="t-stop", arguments="{}")))
except asyncio.CancelledError:
    print("the run was cancelled")
history.add_user_message("Well?")
sent = Fake(ai_model_id="fake", replies=[])._prepare_chat_history_for_request(history)
print("the next request:", sent)
sys.exit("tool_calls" in sent[1] and sent[2]["role"] != "tool")
