"""OpenAI's chat completions: what goes out. `chat_body` reads what comes in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapters.wire.dialects import Body, Route
from adapters.wire.dialects.chat_body import read
from adapters.wire.dialects.schema import listing
from adapters.wire.parts import Piece, arguments_of, checked, event, pieces, present, said, sent_of, used
from strategies.script import ABSENT, Block, Call, Odd, Reply, Say

LABELS = {"stop": "stop", "toolUse": "tool_calls", "length": "length", "error": "content_filter"}
KINDS = {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
    404: "invalid_request_error", 408: "timeout", 409: "conflict", 413: "invalid_request_error",
    429: "rate_limit_error", 500: "server_error", 503: "service_unavailable",
}  # fmt: skip
CODES = {401: "invalid_api_key", 404: "not_found", 429: "rate_limit_exceeded"}
CREATED = 1_750_000_000  # a moment that does not pass, so that the same script gives the same bytes


class Chat:
    """The dialect; follows `dialects.Dialect`."""

    name = "chat"

    def route(self, method: str, path: str) -> Route | None:
        path = path.partition("?")[0].rstrip("/")
        if path.endswith("chat/completions") and method == "POST":
            return Route("model")
        return listing(method, path)

    def read(self, body: dict[str, Any], route: Route) -> Body:  # noqa: ARG002
        return read(body)

    def whole(self, reply: Reply, number: int, body: Body) -> dict[str, Any]:
        from openai.types.chat import ChatCompletion

        calls = [_call(block) for block in reply.blocks if isinstance(block, Call)]
        message = {
            "role": "assistant", "content": said(reply), "refusal": None,
            **{_field(block): block.text for block in reply.blocks if isinstance(block, Odd)},
            **({"tool_calls": calls} if calls else {}),
        }  # fmt: skip
        choice = present(index=0, message=message, logprobs=None, finish_reason=_label(reply.label))
        return checked(ChatCompletion, {
            "id": f"chatcmpl-{number}", "object": "chat.completion", "created": CREATED, "model": body.model,
            "choices": [choice], "usage": _usage(reply, body), "system_fingerprint": None,
        })  # fmt: skip

    def events(self, reply: Reply, number: int, body: Body) -> list[bytes]:
        common = {
            "id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": CREATED,
            "model": body.model, "system_fingerprint": None,
        }  # fmt: skip
        reply = _joined(reply) if sent_of(reply).together else reply
        order = {id(block): n for n, block in enumerate(_calls(reply))}
        deltas = [{"role": "assistant", "content": "" if said(reply) is not None else None}]
        deltas += [_delta(piece, order.get(id(piece.block), 0)) for piece in pieces(reply, snapshots=True)]
        chunks = [_chunk(common, {"delta": delta, "finish_reason": None}) for delta in deltas]
        if sent_of(reply).unclosed:
            return [event(chunk) for chunk in chunks]
        chunks.append(_chunk(common, present(delta={}, finish_reason=_label(reply.label))))
        options = body.asked.get("stream_options")
        if isinstance(options, dict) and options.get("include_usage"):
            chunks.append({**common, "choices": [], "usage": _usage(reply, body)})
        return [*map(event, chunks), event(b"[DONE]")]

    def failure(self, status: int, words: str, kind: str = "") -> dict[str, Any]:
        found = kind or KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")
        return {"error": {"message": words, "type": found, "param": None, "code": CODES.get(status)}}

    def aside(self, route: Route, body: dict[str, Any], model: str) -> dict[str, Any]:  # noqa: ARG002
        one = {"id": route.model or model, "object": "model", "created": CREATED, "owned_by": "harness-props"}
        return one if route.model else {"object": "list", "data": [one]}


def _calls(reply: Reply) -> list[Call]:
    return [block for block in reply.blocks if isinstance(block, Call)]


def _joined(reply: Reply) -> Reply:
    """The reply with one block for each text, for two that took turns here would be another text."""
    texts: dict[str, list[str]] = {}
    for block in reply.blocks:
        if not isinstance(block, Call):
            texts.setdefault(_field(block), []).append(block.text)
    blocks: list[Block] = []
    for block in reply.blocks:
        if isinstance(block, Call):
            blocks.append(block)
        elif told := texts.pop(_field(block), None):
            blocks.append(replace(block, text="".join(told)))
    return replace(reply, blocks=tuple(blocks))


def _label(label: Any) -> Any:
    return LABELS.get(label, label) if isinstance(label, str) else label


def _field(block: Say | Odd) -> str:
    """Where a block that is no call stands in a message."""
    if isinstance(block, Say):
        return "content"
    return "reasoning_content" if block.type in ("thinking", "reasoning") else block.type


def _call(call: Call) -> dict[str, Any]:
    arguments = ABSENT if call.arguments is ABSENT else arguments_of(call)
    return present(id=call.id, type="function", function=present(name=call.name, arguments=arguments))


def _delta(piece: Piece, index: int) -> dict[str, Any]:
    if isinstance(piece.block, Say):
        return {"content": piece.text}
    if isinstance(piece.block, Odd):
        return {_field(piece.block): piece.text}
    arguments = ABSENT if piece.block.arguments is ABSENT else piece.text
    if not piece.names:
        return {"tool_calls": [{"index": index, "function": present(arguments=arguments)}]}
    function = present(name=piece.block.name, arguments=arguments)
    return {"tool_calls": [present(index=index, id=piece.block.id, type="function", function=function)]}


def _chunk(common: dict[str, Any], choice: dict[str, Any]) -> dict[str, Any]:
    from openai.types.chat import ChatCompletionChunk

    return checked(ChatCompletionChunk, {**common, "choices": [{"index": 0, "logprobs": None, **choice}]})


def _usage(reply: Reply, body: Body) -> dict[str, int]:
    read, wrote = used(reply, body.asked)
    return {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}


DIALECT = Chat()
