"""OpenAI's Responses API: what goes out. `responses_body` reads what comes in.

What this wire cannot say: `Sent.ids`, since an item is added with its `call_id` and name and nowhere
else. A stop label is the response's `status`: a word that nobody has heard of stands there as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from adapters.wire.dialects import Body, Route
from adapters.wire.dialects.responses_body import read
from adapters.wire.dialects.schema import listing
from adapters.wire.parts import Piece, arguments_of, checked, event, pieces, present, sent_of, used
from strategies.script import ABSENT, Block, Call, Mark, Reply, Say

STATUSES = {"stop": "completed", "toolUse": "completed", "length": "incomplete", "error": "failed"}
REASONS = {
    "length": "max_output_tokens", "max_output_tokens": "max_output_tokens",
    "content_filter": "content_filter",
}  # fmt: skip
THOUGHTS = ("thinking", "reasoning")
KINDS = {
    401: "authentication_error", 403: "permission_error", 408: "timeout", 429: "rate_limit_error",
    503: "service_unavailable",
}  # fmt: skip
CODES = {401: "invalid_api_key", 429: "rate_limit_exceeded", 500: "server_error", 503: "server_is_overloaded"}
# The words of this API tell which code and which parameter stand beside them.
TOLD = (
    (r"Missing required parameter: '(.+?)'", "missing_required_parameter"),
    (r"Unknown parameter: '(.+?)'", "unknown_parameter"),
    (r"Unsupported parameter: '(.+?)'", "unsupported_parameter"),
    (r"Invalid type for '(.+?)'", "invalid_type"),
    (r"Invalid '(.+?)': (?:string does not match|'.*'\. Expected an ID)", "invalid_value"),
    (r"Invalid '(.+?)': string too long", "string_above_max_length"),
    (r"Invalid '(.+?)': empty array", "empty_array"),
    (r"Invalid value for '(.+?)'", "invalid_value"),
    (r"Invalid value: '", "invalid_value"),
    (r"Invalid schema for function", "invalid_function_parameters"),
    (r"Previous response with id '.*' not found", "previous_response_not_found"),
)
PARAMS = (
    (r"No tool (?:output|call) found|Duplicate item|Item |One of \"input\"", "input"),
    (r"Previous response", "previous_response_id"),
)
CREATED = 1_750_000_000.0  # a moment that does not pass, so that the same script gives the same bytes


class Responses:
    """The dialect; follows `dialects.Dialect`."""

    name = "responses"

    def route(self, method: str, path: str) -> Route | None:
        path = path.partition("?")[0].rstrip("/").removeprefix("v1/")
        if path == "responses" and method == "POST":
            return Route("model")
        if path == "responses/input_tokens" and method == "POST":
            return Route("count")
        return listing(method, path)

    def read(self, body: dict[str, Any], route: Route) -> Body:
        return read(body, route)

    def whole(self, reply: Reply, number: int, body: Body) -> dict[str, Any]:
        last = len(reply.blocks) - 1
        ended = "incomplete" if status_of(reply) == "incomplete" else "completed"
        items = [
            _item(block, number, place, ended if place == last else "completed")
            for place, block in enumerate(reply.blocks)
        ]
        return _response(reply, number, body, items, closed=True)

    def events(self, reply: Reply, number: int, body: Body) -> list[bytes]:
        whole = self.whole(reply, number, body)
        begun = _response(reply, number, body, [], closed=False)
        told: list[dict[str, Any]] = [
            {"type": "response.created", "response": begun},
            {"type": "response.in_progress", "response": begun},
        ]  # fmt: skip
        ready: dict[int, list[dict[str, Any]]] = {}
        closed = 0  # items; this API closes them in their order, however their parts are mixed
        for piece in pieces(reply):
            made = list(_events(piece, whole["output"][piece.place]))
            ends = [e for e in made if piece.last and e["type"].endswith(".done")]
            told += [e for e in made if e not in ends]
            if piece.last:
                ready[piece.place] = ends
            while closed in ready:
                told += ready.pop(closed)
                closed += 1
        if not sent_of(reply).unclosed:
            status = status_of(reply)
            kind = status if status in ("incomplete", "failed") else "completed"
            told.append({"type": f"response.{kind}", "response": whole})
        return [event({**each, "sequence_number": at}, each["type"]) for at, each in enumerate(told)]

    def failure(self, status: int, words: str, kind: str = "") -> dict[str, Any]:
        match, code = next(
            ((found, code) for pattern, code in TOLD if (found := re.match(pattern, words))),
            (None, CODES.get(status)),
        )
        param = match.group(1) if match and match.groups() else None
        if param is None:
            param = next((name for pattern, name in PARAMS if re.match(pattern, words)), None)
        told = kind or KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")
        return {"error": {"message": words, "type": told, "param": param, "code": code}}

    def aside(self, route: Route, body: dict[str, Any], model: str) -> dict[str, Any]:
        if route.kind == "count":
            return {"object": "response.input_tokens", "input_tokens": len(str(body)) // 4}
        name = route.model or model
        one = {"id": name, "object": "model", "created": int(CREATED), "owned_by": "harness-props"}
        return one if route.model else {"object": "list", "data": [one]}


def status_of(reply: Reply) -> Any:
    """The status that says this reply's label."""
    label = reply.label
    if not isinstance(label, str):
        return label
    return "incomplete" if label in REASONS else STATUSES.get(label, label)


def _response(reply: Reply, number: int, body: Body, items: list[Any], *, closed: bool) -> dict[str, Any]:
    from openai.types.responses import Response

    status = status_of(reply) if closed else "in_progress"
    failed = closed and status == "failed"
    asked = body.asked
    shell = checked(Response, present(
        id=f"resp_{number}", object="response", created_at=CREATED, status=status, background=False,
        error={"code": "server_error", "message": reply.error or "The model failed."} if failed else None,
        incomplete_details={"reason": REASONS[reply.label]} if closed and status == "incomplete" and
        reply.label in REASONS else None,
        instructions=asked.get("instructions"), max_output_tokens=asked.get("max_output_tokens"),
        model=body.model, output=[], parallel_tool_calls=True, previous_response_id=None,
        store=bool(asked.get("store", True)), temperature=1.0, tool_choice="auto", tools=[], top_p=1.0,
        truncation="disabled", usage=_usage(*used(reply, asked)) if closed else None, metadata={},
    ))  # fmt: skip
    return {**shell, "output": items}


def _usage(read: int, wrote: int) -> dict[str, Any]:
    return {
        "input_tokens": read, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": wrote, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + wrote,
    }  # fmt: skip


def _item(block: Block, number: int, place: int, status: str) -> dict[str, Any]:
    """The output item of one block; its id says which answer of the run it belongs to."""
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseReasoningItem

    told = f"{number}_{place}"
    if isinstance(block, Say):
        return checked(ResponseOutputMessage, {
            "id": f"msg_{told}", "type": "message", "status": status, "role": "assistant",
            "content": [_part(block.text)],
        })  # fmt: skip
    if isinstance(block, Call):
        given: str | Mark = ABSENT if block.arguments is ABSENT else arguments_of(block)
        return checked(ResponseFunctionToolCall, present(
            id=f"fc_{told}", type="function_call", status=status, call_id=block.id, name=block.name,
            arguments=given,
        ))  # fmt: skip
    if block.type in THOUGHTS:
        summary = [_summary(block.text)]
        return checked(ResponseReasoningItem, {"id": f"rs_{told}", "type": "reasoning", "summary": summary})
    return {"id": f"it_{told}", "type": block.type, block.type: block.text}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _summary(text: str) -> dict[str, Any]:
    return {"type": "summary_text", "text": text}


def _events(piece: Piece, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is said of one part of one block: the item is added before its first, and done after its last."""
    at = {"output_index": piece.place}
    within = {"item_id": item["id"], **at}
    prefix, part, empty, full = _ways(piece.block, item)
    if piece.first:
        yield {"type": "response.output_item.added", "item": empty, **at}
        if part:
            yield {"type": f"response.{part[0]}.added", **within, part[1]: 0, "part": part[2]("")}
    if prefix:
        index = {part[1]: 0} if part else {}
        logs: dict[str, Any] = {"logprobs": []} if isinstance(piece.block, Say) else {}
        if not isinstance(piece.block, Call) or piece.block.arguments is not ABSENT:
            yield {"type": f"response.{prefix}.delta", **within, **index, "delta": piece.text, **logs}
        if piece.last:
            named = "arguments" if isinstance(piece.block, Call) else "text"
            name = {"name": item.get("name")} if isinstance(piece.block, Call) else {}
            yield {"type": f"response.{prefix}.done", **within, **index, named: full, **name, **logs}
            if part:
                yield {"type": f"response.{part[0]}.done", **within, part[1]: 0, "part": part[2](full)}
    if piece.last:
        yield {"type": "response.output_item.done", "item": item, **at}


def _ways(block: Block, item: dict[str, Any]) -> tuple[str, Any, dict[str, Any], str]:
    """How a block is streamed: names of its deltas and of its part, its item at first, its whole text."""
    begun = {**item, "status": "in_progress"}
    if isinstance(block, Say):
        return "output_text", ("content_part", "content_index", _part), {**begun, "content": []}, block.text
    if isinstance(block, Call):
        full = "" if block.arguments is ABSENT else arguments_of(block)
        return "function_call_arguments", None, {**begun, "arguments": ""}, full
    if block.type in THOUGHTS:
        part = ("reasoning_summary_part", "summary_index", _summary)
        return "reasoning_summary_text", part, {**item, "summary": []}, block.text
    return "", None, item, block.text


DIALECT = Responses()
