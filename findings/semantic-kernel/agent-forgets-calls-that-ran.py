"""Semantic Kernel: after a failed run a ChatCompletionAgent's thread has nothing of the calls that ran."""

import asyncio
import logging
import sys

from semantic_kernel.agents import ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.connectors.ai.prompt_execution_settings import PromptExecutionSettings
from semantic_kernel.contents import ChatMessageContent, FunctionCallContent
from semantic_kernel.functions import kernel_function

logging.disable(logging.CRITICAL)
paid = []


class Fake(ChatCompletionClientBase):
    SUPPORTS_FUNCTION_CALLING = True
    replies: list

    async def _inner_get_chat_message_contents(self, chat_history, settings):
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return [reply]


class Tools:
    @kernel_function
    async def pay(self, amount: int) -> str:
        paid.append(amount)
        return "paid"


async def main():
    call = FunctionCallContent(id="c1", name="t-pay", arguments={"amount": 100})
    replies = [ChatMessageContent(role="assistant", items=[call]), ConnectionError("connection lost")]
    agent = ChatCompletionAgent(service=Fake(ai_model_id="fake", replies=replies), name="payer")
    agent.kernel.add_plugin(Tools(), "t")
    thread = ChatHistoryAgentThread()
    try:
        await agent.get_response("Pay 100.", thread=thread)
    except ConnectionError as error:
        print("the run ended with ConnectionError:", error)
    kept = [message.role.value async for message in thread.get_messages()]
    print("paid:", paid, "and the thread holds:", kept)
    sys.exit(bool(paid) and "tool" not in kept)


asyncio.run(main())
