"""Anthropic's Messages API: what goes out. `anthropic_body` reads what comes in."""

from __future__ import annotations

import json
from typing import Any

from adapters.wire.dialects import Body, Route
from adapters.wire.dialects.anthropic_body import read
from adapters.wire.dialects.schema import listing
from adapters.wire.parts import Piece, arguments_of, checked, dumps, event, pieces, present, sent_of, used
from strategies.script import ABSENT, Call, Odd, Raw, Reply, Say

LABELS = {"stop": "end_turn", "toolUse": "tool_use", "length": "max_tokens", "error": "refusal"}
KINDS = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error",
    504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip
SIGNATURE = "c2lnbmVk"  # of a block of thinking
THINKING = ("thinking", "reasoning")


class Anthropic:
    """The dialect; follows `dialects.Dialect`."""

    name = "anthropic"

    def route(self, method: str, path: str) -> Route | None:
        bare = path.partition("?")[0].rstrip("/")
        if method == "POST" and bare.endswith("messages/count_tokens"):
            return Route("count")
        if method == "POST" and (bare == "messages" or bare.endswith("/messages")):
            return Route("model")
        return listing(method, path)

    def read(self, body: dict[str, Any], route: Route) -> Body:  # noqa: ARG002
        return read(body)

    def whole(self, reply: Reply, number: int, body: Body) -> dict[str, Any]:
        from anthropic.types import Message

        message = {
            "id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.model,
            "content": [_block(block) for block in reply.blocks],
            **present(stop_reason=_label(reply.label)), "stop_sequence": None, "usage": _usage(reply, body),
        }  # fmt: skip
        return checked(Message, message) if _known(reply) else message

    def events(self, reply: Reply, number: int, body: Body) -> list[bytes]:
        spent = _usage(reply, body)
        opened: dict[str, Any] = {
            "id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.model, "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": {**spent, "output_tokens": 1},
        }  # fmt: skip
        said: list[dict[str, Any]] = [{"type": "message_start", "message": opened}, {"type": "ping"}]
        for piece in pieces(reply):
            said += _told(piece)
        if not sent_of(reply).unclosed:
            delta = {**present(stop_reason=_label(reply.label)), "stop_sequence": None}
            output = {"output_tokens": spent["output_tokens"]}
            said += [{"type": "message_delta", "delta": delta, "usage": output}, {"type": "message_stop"}]
        return [event(each, each["type"]) for each in (_checked(each) for each in said)]

    def failure(self, status: int, words: str, kind: str = "") -> dict[str, Any]:
        found = kind or KINDS.get(status, "api_error" if status >= 500 else "invalid_request_error")
        return {"type": "error", "error": {"type": found, "message": words}, "request_id": "req_0"}

    def aside(self, route: Route, body: dict[str, Any], model: str) -> dict[str, Any]:
        if route.kind == "count":
            return {"input_tokens": len(dumps(body)) // 4 + 1}
        name = route.model or model
        one = {"type": "model", "id": name, "display_name": name, "created_at": "2025-06-15T00:00:00Z"}
        return one if route.model else {"data": [one], "has_more": False, "first_id": name, "last_id": name}


def _label(label: Any) -> Any:
    return LABELS.get(label, label) if isinstance(label, str) else label


def _known(reply: Reply) -> bool:
    """Whether the official types know all kinds of blocks of this reply."""
    return all(block.type in THINKING for block in reply.blocks if isinstance(block, Odd))


def _block(block: Say | Call | Odd) -> dict[str, Any]:
    if isinstance(block, Say):
        return {"type": "text", "text": block.text}
    if isinstance(block, Call):
        return present(type="tool_use", id=block.id, name=block.name, input=_input(block))
    if block.type in THINKING:
        return {"type": "thinking", "thinking": block.text, "signature": SIGNATURE}
    return {"type": block.type, block.type: block.text}


def _input(call: Call) -> Any:
    """The arguments as a JSON value; a string that is no JSON stands there as a string."""
    if call.arguments is ABSENT or not isinstance(call.arguments, Raw):
        return call.arguments
    try:
        return json.loads(arguments_of(call))
    except (ValueError, RecursionError):
        return arguments_of(call)


def _told(piece: Piece) -> list[dict[str, Any]]:
    """The events of one part: a block is opened with its first and closed with its last."""
    block, found = piece.block, []
    known = not isinstance(block, Odd) or block.type in THINKING
    if piece.first:
        found.append(_event("start", piece, content_block=_opened(block) if known else _block(block)))
    if known:
        found.append(_event("delta", piece, delta=_delta(piece)))
    if piece.last:
        if known and isinstance(block, Odd):
            found.append(_event("delta", piece, delta={"type": "signature_delta", "signature": SIGNATURE}))
        found.append(_event("stop", piece))
    return found


def _event(what: str, piece: Piece, **members: Any) -> dict[str, Any]:
    return {"type": f"content_block_{what}", "index": piece.place, **members}


def _opened(block: Say | Call | Odd) -> dict[str, Any]:
    if isinstance(block, Say):
        return {"type": "text", "text": ""}
    if isinstance(block, Call):
        return present(type="tool_use", id=block.id, name=block.name, input={})
    return {"type": "thinking", "thinking": "", "signature": ""}


def _delta(piece: Piece) -> dict[str, Any]:
    if isinstance(piece.block, Say):
        return {"type": "text_delta", "text": piece.text}
    if isinstance(piece.block, Call):
        return {"type": "input_json_delta", "partial_json": piece.text}
    return {"type": "thinking_delta", "thinking": piece.text}


def _checked(told: dict[str, Any]) -> dict[str, Any]:
    """An event, as the official types have it where they know it."""
    from anthropic.types import RawMessageStreamEvent

    opened = told.get("content_block")
    unknown = opened is not None and opened["type"] not in ("text", "tool_use", "thinking")
    return told if told["type"] == "ping" or unknown else checked(RawMessageStreamEvent, told)


def _usage(reply: Reply, body: Body) -> dict[str, int]:
    read, wrote = used(reply, body.asked)
    return {"input_tokens": read, "output_tokens": wrote}


DIALECT = Anthropic()
