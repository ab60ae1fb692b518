"""What all dialects need: parts of blocks, events as bytes, texts of contents, checks with official types."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from adapters.contract import AdapterError
from strategies.script import ABSENT, Call, Odd, Raw, Reply, Say, Sent

# What a script may want otherwise than the types have it: labels, figures, and the parts of a call.
LIES = (
    "finish_reason", "stop_reason", "finishReason", "status", "reason", "usage", "id", "call_id", "name",
    "arguments", "input", "args",
)  # fmt: skip
HONEST: dict[str, Any] = {"finish_reason": "stop", "stop_reason": None, "id": "x", "name": "x", "input": {}}
CALLS = ("tool_use", "function")


@dataclass(frozen=True)
class Piece:
    """One part of one block: `text` is of a text, or of the arguments of a call."""

    place: int  # of the block in the reply
    block: Say | Call | Odd
    text: str
    first: bool
    last: bool
    names: bool  # the call's id and name stand here


def sent_of(reply: Reply) -> Sent:
    """How this reply goes out."""
    return reply.sent or Sent()


def pieces(reply: Reply, *, snapshots: bool = False) -> list[Piece]:
    """The reply's blocks in parts, in the order in which they go out.

    `snapshots` is whether this dialect knows parts that repeat what came before them.
    """
    sent = sent_of(reply)
    if sent.cumulative and not snapshots:
        sent = replace(sent, cumulative=False)
    rows = [list(_of_block(place, block, sent)) for place, block in enumerate(reply.blocks)]
    if not sent.together:
        return [piece for row in rows for piece in row]
    turns = itertools.zip_longest(*rows)
    return [piece for turn in turns for piece in turn if piece is not None]


def _of_block(place: int, block: Say | Call | Odd, sent: Sent) -> Iterator[Piece]:
    texts = split(text_of(block), sent.pieces)
    end = len(texts) - 1
    for at, text in enumerate(texts):
        told = "".join(texts[: at + 1]) if sent.cumulative else text
        names = sent.ids == "repeated" or at == (end if sent.ids == "late" else 0)
        yield Piece(place, block, told, at == 0, at == end, names)


def split(text: str, sizes: tuple[int, ...]) -> list[str]:
    """A text in parts of these sizes, in turn and over again; sizes that never end take the rest at once."""
    if not any(size > 0 for size in sizes):
        return ["" for _ in sizes] + [text]
    found, start = [], 0
    for size in itertools.cycle(sizes):
        found.append(text[start : start + max(size, 0)])
        start += max(size, 0)
        if start >= len(text):
            return found
    return found


def text_of(block: Say | Call | Odd) -> str:
    """What of a block is streamed: its text, or the text of its arguments."""
    return arguments_of(block) if isinstance(block, Call) else block.text


def arguments_of(call: Call) -> str:
    """The argument string of a call as it stands on the wire."""
    given = call.arguments
    if isinstance(given, Raw):
        return given.text
    return "" if given is ABSENT else dumps(given).decode("utf-8", "surrogatepass")


def present(**members: Any) -> dict[str, Any]:
    """The members that are there at all."""
    return {key: value for key, value in members.items() if value is not ABSENT}


def said(reply: Reply) -> str | None:
    """All text of a reply in one, None if it has no text block."""
    texts = [block.text for block in reply.blocks if isinstance(block, Say)]
    return "".join(texts) if texts else None


CUT = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS")  # labels of a reply that met its limit
LIMITS = ("max_completion_tokens", "max_output_tokens", "maxOutputTokens", "max_tokens")


def used(reply: Reply, asked: dict[str, Any]) -> tuple[int, int]:
    """Tokens read and written: the script's figures, else one each; at its limit a reply wrote that many."""
    if reply.usage:
        return reply.usage.get("input", 0), reply.usage.get("output", 0)
    settings = {**asked, **(asked.get("generationConfig") or {})}
    limits = [settings[key] for key in LIMITS if isinstance(settings.get(key), int)]
    return 1, limits[0] if limits and reply.label in CUT else 1


def dumps(value: Any) -> bytes:
    """JSON in UTF-8; characters that UTF-8 cannot hold are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def event(data: Any, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + (data if isinstance(data, bytes) else dumps(data)) + b"\n\n"


def chunks(events: list[bytes], size: int) -> tuple[bytes, ...]:
    """The network writes: an event each, or so many bytes each, wherever that cuts."""
    if size <= 0:
        return tuple(events)
    whole = b"".join(events)
    return tuple(whole[at : at + size] for at in range(0, len(whole), size))


def progress(events: list[bytes], parts: tuple[bytes, ...]) -> tuple[int, ...]:
    """How many events are out after each part."""
    if len(parts) == len(events):
        return tuple(range(1, len(parts) + 1))
    found, out, bytes_out, end = [], 0, 0, 0
    for part in parts:
        bytes_out += len(part)
        while out < len(events) and end + len(events[out]) <= bytes_out:
            end += len(events[out])
            out += 1
        found.append(out)
    return tuple(found)


def loads(text: str) -> Any:
    """The object that an argument string says, the string itself where it says none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, dict) else text


def texts(content: Any, other: str = "[{}]") -> str:
    """The text of a content that is a text or a list of parts; other parts are named in brackets."""
    if isinstance(content, str):
        return content
    found = []
    for part in content if isinstance(content, list) else ():
        kind = part.get("type") if isinstance(part, dict) else None
        text = part.get("text") if isinstance(part, dict) else part
        found.append(text if isinstance(text, str) else other.format(kind))
    return "".join(found)


def content_of(content: Any) -> Any:
    """A user's or system's content: its text if it is one text, else the list of its parts."""
    if isinstance(content, list) and len(content) == 1 and content[0].get("type") in ("text", "input_text"):
        return content[0].get("text")
    return content


def named(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same messages, results with the name of the tool whose call they answer."""
    names: dict[Any, Any] = {}
    for message in messages:
        if message["role"] == "assistant":
            calls = [b for b in message["content"] if isinstance(b, dict) and b.get("type") == "toolCall"]
            names.update({c["id"]: c.get("name") for c in calls if isinstance(c.get("id"), str)})
        elif message["role"] == "toolResult" and message.get("tool_call_id") in names:
            message.setdefault("tool_name", names[message["tool_call_id"]])
    return messages


@functools.cache
def _validator(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def checked(kind: Any, payload: dict[str, Any]) -> dict[str, Any]:
    """The payload, which the official type `kind` has to take; `LIES` alone may be otherwise."""
    from pydantic import ValidationError

    try:
        _validator(kind).validate_python(payload)
    except ValidationError:
        _check_without_lies(kind, payload)
    return payload


def _check_without_lies(kind: Any, payload: dict[str, Any]) -> None:
    from pydantic import ValidationError

    try:
        _validator(kind).validate_python(_honest(payload))
    except ValidationError as error:
        wrong = [each for each in error.errors() if not set(each["loc"]) & set(LIES)]
        if wrong:
            where = ".".join(map(str, wrong[0]["loc"]))
            raise AdapterError(f"the wire provider built no {kind}: {where}: {wrong[0]['msg']}") from error


def _honest(value: Any) -> Any:
    """The payload with plain values in the place of those that scripts may lie about."""
    if isinstance(value, list):
        return [_honest(each) for each in value]
    if not isinstance(value, dict):
        return value
    added = HONEST if value.get("type") in CALLS else {}
    return {key: HONEST.get(key, _honest(held)) for key, held in {**added, **value}.items()}
