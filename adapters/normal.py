"""The normal form of messages, its short notation, and comparisons on what travels.

Extra keys are allowed everywhere and mean nothing: `essence` keeps the keys that a provider
would be sent and drops the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

WIRE_KEYS = {
    "user": ("role", "content"),
    "assistant": ("role", "content"),
    "toolResult": ("role", "tool_call_id", "tool_name", "content", "is_error"),
}
BLOCK_KEYS = {"text": ("type", "text"), "toolCall": ("type", "id", "name", "arguments")}


def plain(value: Any) -> Any:
    """The same value with tuples as lists, which is what the wire makes of them."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


def _block(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    kind = block.get("type")
    keys = BLOCK_KEYS.get(kind) if isinstance(kind, str) else None
    return {k: block[k] for k in keys if k in block} if keys else block


def essence(message: Any) -> Any:
    """What of a message travels: its role's own keys, blocks without extras."""
    if not isinstance(message, dict):
        return message
    keys = WIRE_KEYS.get(role_of(message))
    if keys is None:
        return message
    kept = {k: message[k] for k in keys if k in message}
    content = kept.get("content")
    if message["role"] == "assistant" and isinstance(content, (list, tuple)):
        kept["content"] = [_block(b) for b in content]
    return plain(kept)


def role_of(message: Any) -> str:
    """The role of a message, "?" if it has none."""
    role = message.get("role") if isinstance(message, dict) else None
    return role if isinstance(role, str) else "?"


def blocks_of(message: Any) -> list[Any]:
    """The blocks of an assistant message, in order; none if its content is no list."""
    content = message.get("content") if isinstance(message, dict) else None
    return list(content) if isinstance(content, (list, tuple)) else []


def calls_of(message: Any) -> list[dict[str, Any]]:
    """The call blocks of an assistant message, in order; none for any other message."""
    if role_of(message) != "assistant":
        return []
    return [b for b in blocks_of(message) if isinstance(b, dict) and b.get("type") == "toolCall"]


def failed(message: Any) -> bool:
    """A reply is failed when its stop_reason is "error", whatever error_message says."""
    return role_of(message) == "assistant" and message.get("stop_reason") == "error"


def empty(message: Any) -> bool:
    """A reply is empty when its content list is empty; blank text is text."""
    return role_of(message) == "assistant" and not blocks_of(message)


def short(message: Any) -> str:
    """One message in short notation: U, A[c1,c2], A(error), R(c1), R!(c1)."""
    role = role_of(message)
    if role == "user":
        return "U"
    if role == "toolResult":
        return f"R{'!' if message.get('is_error') else ''}({_id(message.get('tool_call_id'))})"
    if role == "assistant":
        ids = ",".join(_id(c.get("id")) for c in calls_of(message))
        held = f"[{ids}]" if ids or (not blocks_of(message) and not failed(message)) else ""
        return f"A{held}{'(error)' if failed(message) else ''}"
    return f"?{role}"


def _id(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 12 else text[:9] + "..."


def shape(messages: Any, at_most: int = 16) -> str:
    """A whole record in short notation; the middle of a long one is counted, not shown."""
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        return f"<{type(messages).__name__}>"
    if len(messages) <= at_most:
        return " ".join(map(short, messages)) or "(empty)"
    head, tail = at_most - 5, 4
    skipped = len(messages) - head - tail
    return " ".join(
        [*map(short, messages[:head]), f"…{skipped} more…", *map(short, messages[-tail:])]
    )
