"""Semantic Kernel: a model that passes an argument called `settings` ends the run with an AttributeError."""

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
    async def save(self, settings: str) -> str:
        return f"saved {settings}"


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
call = FunctionCallContent(id="c1", name="t-save", arguments='{"settings": "dark"}')
try:
    ask(history, reply(call), reply(content="Done."))
except AttributeError as error:
    print("the run ended with AttributeError:", error)
    print("the history ends on:", history.messages[-1].items)
    sys.exit(1)
print(history.messages[-1].items)
