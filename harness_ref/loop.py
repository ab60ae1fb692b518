"""The run: ask the model, run what it calls, ask again."""

from .messages import error_message, has_failed, tool_calls, user_message
from .shapes import Message, Model, Tool
from .tools import run_tool, tool_specs
from .view import context_for_model


def run_agent(
    model: Model,
    system: str,
    messages: list[Message],
    tools: list[Tool],
    prompt: str,
    *,
    max_turns: int | None = None,
) -> Message:
    """Put `prompt` to the model, and go on until a reply holds no calls or failed.

    `messages` is the caller's record and is only ever appended to: the prompt, each reply and
    each result, at the moment there is one. So a run that dies by an exception (out of the model,
    or an interrupt out of a tool; neither is caught) leaves all that happened, and the list takes
    the next prompt. At most `max_turns` requests are made, None being no limit; a run that would
    need more ends with a failed reply that says so. Returns the last message of the record.
    """
    messages.append(user_message(prompt))
    turns = 0
    while max_turns is None or turns < max_turns:
        reply = model.complete(system, context_for_model(messages), tool_specs(tools))
        messages.append(reply)
        calls = tool_calls(reply)
        if has_failed(reply) or not calls:
            return reply
        for call in calls:
            result = run_tool(tools, call)
            messages.append(result)  # before the next one runs, which may interrupt the run
        turns += 1
    messages.append(error_message(f"stopped at the limit of max_turns={max_turns} requests"))
    return messages[-1]
