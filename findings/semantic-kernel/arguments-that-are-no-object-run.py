"""Semantic Kernel: arguments that are null, [], \"\", 0 or false run the tool as if they were {}."""

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
    ran = 0

    @kernel_function
    async def wipe(self, folder: str = "/") -> str:
        Tools.ran += 1
        return f"wiped {folder}"


def reply(*items, **more):
    return ChatMessageContent(role="assistant", items=list(items), **more)


def ask(history, *replies):
    kernel = Kernel()
    kernel.add_plugin(Tools(), "t")
    settings = PromptExecutionSettings(function_choice_behavior=FunctionChoiceBehavior.Auto())
    model = Fake(ai_model_id="fake", replies=list(replies))
    return asyncio.run(model.get_chat_message_content(history, settings, kernel=kernel))


for arguments in ("null", "[]", '""', "0", "false"):
    history = ChatHistory()
    history.add_user_message("Go.")
    ask(history, reply(FunctionCallContent(id="c1", name="t-wipe", arguments=arguments)), reply(content="Done."))
    print(arguments, "->", history.messages[-1].items[0].result)
sys.exit(Tools.ran > 0)
