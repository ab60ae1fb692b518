"""Semantic Kernel: results of parallel calls stand in the order in which the tools finished."""

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
    async def wait(self, rounds: int) -> str:
        for _ in range(rounds):
            await asyncio.sleep(0)
        return f"waited {rounds}"


def reply(*items, **more):
    return ChatMessageContent(role="assistant", items=list(items), **more)


def ask(history, *replies):
    kernel = Kernel()
    kernel.add_plugin(Tools(), "t")
    settings = PromptExecutionSettings(function_choice_behavior=FunctionChoiceBehavior.Auto())
    model = Fake(ai_model_id="fake", replies=list(replies))
    return asyncio.run(model.get_chat_message_content(history, settings, kernel=kernel))


calls = [FunctionCallContent(id=f"c{n}", name="t-wait", arguments={"rounds": n}) for n in (9, 1)]
history = ChatHistory()
history.add_user_message("Go.")
ask(history, reply(*calls), reply(content="Done."))
asked = [item.id for item in history.messages[1].items]
found = [message.items[0].id for message in history.messages if message.role == "tool"]
print("the calls:", asked, "the results in the history:", found)
sys.exit(found != asked)
