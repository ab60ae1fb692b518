"""Semantic Kernel with the names of the course: the loop of a chat service, and its ChatHistory."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

import bridge
from openai.types import CompletionUsage
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.connectors.ai.function_calling_utils import (
    update_settings_from_function_call_configuration,
)
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.prompt_execution_settings import PromptExecutionSettings
from semantic_kernel.contents import (
    AuthorRole,
    ChatHistory,
    ChatMessageContent,
    FinishReason,
    FunctionCallContent,
    FunctionResultContent,
    ReasoningContent,
    TextContent,
)
from semantic_kernel.functions import KernelFunctionFromMethod, KernelParameterMetadata, kernel_function

PLUGIN = "tools"
ENDLESS = 1_000_000_000
LABELS = {"stop": FinishReason.STOP, "length": FinishReason.LENGTH, "toolUse": FinishReason.TOOL_CALLS}
__record__ = bridge.record
logging.getLogger("semantic_kernel").setLevel(logging.CRITICAL + 1)  # a log of every failure is no part of it


class Settings(PromptExecutionSettings):
    """Settings with a place for tools, as those of the connectors have it."""

    tools: list[dict[str, Any]] | None = None
    tool_choice: Any = None


class Scripted(ChatCompletionClientBase):
    """A chat service whose replies come from the suite; it is asked with the whole history."""

    SUPPORTS_FUNCTION_CALLING: ClassVar[bool] = True
    talk: Any = None

    def get_prompt_execution_settings_class(self) -> type[PromptExecutionSettings]:
        return Settings

    def _update_function_choice_settings_callback(self) -> Any:
        return update_settings_from_function_call_configuration

    async def _inner_get_chat_message_contents(self, chat_history: Any, settings: Any) -> list[Any]:
        tools = [each["function"] for each in settings.tools or ()]
        specs = [bridge.spec(plain(t["name"]), t["description"], t["parameters"]) for t in tools]
        said = list(chat_history.messages)
        system = said.pop(0).content if said and said[0].role == AuthorRole.SYSTEM else ""
        return [native(self.talk.ask(system, said, specs, read), self.talk, self.talk.state.names)]


class State:
    """The kernel with its tools, the service, and the history of one conversation."""

    def __init__(self, talk: bridge.Talk, system: str, tools: list[Any]) -> None:
        self.names = {each["name"] for each in tools}
        self.service = Scripted(ai_model_id="scripted", talk=talk)
        self.kernel = Kernel()
        self.kernel.add_functions(PLUGIN, [tool(each) for each in tools])
        self.history = ChatHistory(system_message=system or None)

    def kept(self) -> list[Any]:
        """The messages of the history, without the system message in front."""
        return [each for each in self.history.messages if each.role != AuthorRole.SYSTEM]


@bridge.adapter
def run_agent(model: Any, system: str, messages: Any, tools: Any, prompt: str, max_turns: Any = None) -> Any:
    """One prompt by get_chat_message_content; the reply is added to the history, as its users do it."""
    talk = bridge.talk_on(messages, model)
    if max_turns is not None:
        raise talk.unplayable('at its limit it makes "a final call, without function calling"')
    if talk.state is None:
        talk.state = State(talk, system, tools)
        for given in messages:
            talk.state.history.add_message(native(given, talk, talk.state.names))
        talk.record = lambda: read(talk.state.kept())
    state = talk.state
    state.history.add_message(ChatMessageContent(AuthorRole.USER, items=[TextContent(text=prompt)]))
    behaviour = FunctionChoiceBehavior.Auto(maximum_auto_invoke_attempts=ENDLESS)
    done = talk.run(
        state.service.get_chat_message_content(
            state.history, Settings(function_choice_behavior=behaviour), kernel=state.kernel
        )
    )
    state.history.add_message(done)
    return read([done])[0]


def tool(given: dict[str, Any]) -> KernelFunctionFromMethod:
    """A scripted tool, with its parameters as Semantic Kernel's own MCP plugin declares them."""

    @kernel_function(name=given["name"], description=given["description"])
    async def run(**arguments: Any) -> Any:
        return bridge.use(given, arguments)

    wanted = given["parameters"].get("required", [])
    parameters = [
        KernelParameterMetadata(
            name=name, is_required=name in wanted, type=about.get("type"), default_value=about.get("default"),
            schema_data=about,
        )
        for name, about in given["parameters"]["properties"].items()
    ]  # fmt: skip
    return KernelFunctionFromMethod(run, PLUGIN, parameters=parameters)


# -- messages ------------------------------------------------------------------------------------


def plain(name: str) -> str:
    """A tool's name without the plugin in front."""
    return name.removeprefix(f"{PLUGIN}-")


def read(given: Any) -> bridge.Messages:
    """Messages in normal form; a result reads as it is sent, str(result)."""
    made: bridge.Messages = []
    for message in given:
        if message.role == AuthorRole.TOOL:
            made += [bridge.result(each.id, each.function_name, str(each)) for each in message.items]
        elif message.role == AuthorRole.USER:
            made.append(bridge.user(message.content))
        else:
            label = next((ours for ours, its in LABELS.items() if its == message.finish_reason), None)
            more: dict[str, Any] = {} if label is None else {"stop_reason": label}
            spent = message.metadata.get("usage")
            if spent is not None:
                more["usage"] = {"input": spent.prompt_tokens, "output": spent.completion_tokens}
            made.append(bridge.assistant([block(each) for each in message.items], **more))
    return made


def block(item: Any) -> dict[str, Any]:
    """One item of a reply."""
    if isinstance(item, FunctionCallContent):
        given = item.arguments
        arguments = bridge.parsed(given) if isinstance(given, str) else given
        return bridge.call(item.id, item.function_name, arguments)
    if isinstance(item, ReasoningContent):
        return {"type": "thinking", "thinking": item.text}
    return bridge.text(item.text)


def native(message: dict[str, Any], talk: bridge.Talk, names: set[str]) -> ChatMessageContent:
    """A message in normal form as Semantic Kernel's."""
    if message["role"] == "user":
        return ChatMessageContent(AuthorRole.USER, items=[TextContent(text=message["content"])])
    if message["role"] == "toolResult":
        found = FunctionResultContent(
            id=message["tool_call_id"], function_name=message["tool_name"], result=message["content"]
        )
        return ChatMessageContent(AuthorRole.TOOL, items=[found])
    if message.get("stop_reason") == "error":
        raise talk.unplayable("no FinishReason says that a reply failed")
    spent = message.get("usage")
    used = spent and CompletionUsage(
        prompt_tokens=spent["input"], completion_tokens=spent["output"],
        total_tokens=spent["input"] + spent["output"],
    )  # fmt: skip
    return ChatMessageContent(
        AuthorRole.ASSISTANT, items=[item(each, talk, names) for each in message["content"]],
        finish_reason=LABELS.get(message.get("stop_reason") or ""), metadata={"usage": used} if used else {},
    )  # fmt: skip


def item(each: dict[str, Any], talk: bridge.Talk, names: set[str]) -> Any:
    """One block of a reply."""
    if each["type"] == "text":
        return TextContent(text=each["text"])
    if each["type"] == "thinking":
        return ReasoningContent(text=each["thinking"])
    if each["type"] != "toolCall":
        raise talk.unplayable(f"there is no content for a block of the type {each['type']!r}")
    if not isinstance(each.get("arguments"), (dict, str)):
        raise talk.unplayable("the arguments of a FunctionCallContent are a mapping or a text")
    name = f"{PLUGIN}-{each['name']}" if each["name"] in names else each["name"]
    return FunctionCallContent(id=each.get("id"), name=name, arguments=each["arguments"])
