"""What of a record is sent. The record itself is never repaired; the view of it is."""

from collections.abc import Iterable

from .messages import has_failed, result_message, tool_calls
from .shapes import Message


def context_for_model(messages: Iterable[Message]) -> list[Message]:
    """Return the messages to send, as a new list of the record's own message objects.

    They are all of them but for what no provider takes: replies that hold nothing are left out,
    and so are the open calls of a failed reply, which nobody acted on. A call left unanswered by a run
    that died gets an error result here, behind those that are there. Calls and results are
    paired by where they stand, since ids may repeat. No list starts with a result.
    """
    exchanges: list[list[Message]] = []
    for message in messages:
        if message["role"] == "toolResult":
            exchanges[-1].append(message)
        else:
            exchanges.append([message])
    return [sent for first, *results in exchanges for sent in _as_sent(first, results)]


def _as_sent(first: Message, results: list[Message]) -> list[Message]:
    """Return what is sent of a message and of the results right behind it."""
    if first["role"] != "assistant":
        return [first, *results]
    unanswered = tool_calls(first)[len(results) :]
    if not unanswered:
        return [first, *results] if first["content"] else results
    if has_failed(first):
        kept = [block for block in first["content"] if not any(block is call for call in unanswered)]
        return [{**first, "content": kept}, *results] if kept else []
    text = (
        f"interrupted: the run died with {len(unanswered)} calls unanswered; "
        f"this one may have run in part, or not at all"
    )
    missing = [result_message(call, text, is_error=True) for call in unanswered]
    return [first, *results, *missing]
