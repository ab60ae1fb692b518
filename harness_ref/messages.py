"""The messages of a record: making them, and seeing what a reply holds."""

from .shapes import Block, Message

SYSTEM = (
    "You work on the files of one folder, with the tools you are offered. "
    "Look before you change anything, and answer in words once the job is done."
)


def user_message(text: str) -> Message:
    """Return the message in which a person says `text`."""
    return {"role": "user", "content": text}


def error_message(text: str) -> Message:
    """Return a failed reply that holds nothing: the run ended here, and `text` says why."""
    return {"role": "assistant", "content": [], "stop_reason": "error", "error_message": text}


def result_message(call: Block, content: str, *, is_error: bool) -> Message:
    """Return the result that answers `call`.

    It carries the call's id and tool name just as the model wrote them, None where it wrote none.
    """
    return {
        "role": "toolResult",
        "tool_call_id": call.get("id"),
        "tool_name": call.get("name"),
        "content": content,
        "is_error": is_error,
    }


def text_of(message: Message) -> str:
    """Return the text blocks of a reply, joined with nothing between; other blocks are skipped."""
    return "".join(block["text"] for block in blocks_of(message, "text"))


def tool_calls(message: Message) -> list[Block]:
    """Return the calls of a reply, in the order written, as a new list of its own blocks."""
    return blocks_of(message, "toolCall")


def blocks_of(message: Message, kind: str) -> list[Block]:
    """Return those blocks of a reply whose type is `kind`, in order."""
    return [block for block in message["content"] if block.get("type") == kind]


def has_failed(reply: Message) -> bool:
    """Say whether a reply failed. The label alone decides; a reply without one did not."""
    return reply.get("stop_reason") == "error"
