"""Google's generateContent and streamGenerateContent: what goes out. `gemini_body` reads what comes in.

What this wire cannot say:

- Arguments that are no JSON object: a call's `args` are one. Such a reply raises `Unplayable`.
- A part of a call: it stands whole in one event, whatever `Sent` has of pieces, and `Sent.ids` changes
  nothing. With `Sent.together` calls that stand next to each other come in one event.
- A reply without a label: a client sees no `finishReason` in a stream that was cut, too.
- An empty id: it is left out, as one that is ABSENT.
- Where one text ends and the next one begins, if no call stands between.
"""

from __future__ import annotations

import re
from typing import Any

from adapters.contract import Unplayable
from adapters.wire.dialects import Body, Route
from adapters.wire.dialects.gemini_body import GeminiBody, GeminiRoute, read
from adapters.wire.parts import checked, dumps, event, pieces, present, sent_of, used
from strategies.script import ABSENT, Block, Call, Raw, Reply, Say

LABELS = {"stop": "STOP", "toolUse": "STOP", "length": "MAX_TOKENS", "error": "SAFETY"}
STATUSES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
    409: "ABORTED", 429: "RESOURCE_EXHAUSTED", 499: "CANCELLED", 500: "INTERNAL", 501: "UNIMPLEMENTED",
    503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}  # fmt: skip
THOUGHTS = ("thinking", "reasoning")
MODEL = re.compile(r"(?:v1\w*/)?(?:.*/)?models/([^/:]+):(\w+)")
LISTED = re.compile(r"v1(?:beta|alpha)\d*/models(?:/([^/:]+))?")


class Gemini:
    """The dialect; follows `dialects.Dialect`."""

    name = "gemini"

    def route(self, method: str, path: str) -> Route | None:
        path, _, query = path.partition("?")
        if method == "GET" and (match := LISTED.fullmatch(path.rstrip("/"))):
            return Route("other" if match.group(1) else "models", model=match.group(1))
        match = MODEL.fullmatch(path)
        if match is None or method != "POST":
            return None
        model, verb = match.groups()
        if verb == "generateContent":
            return GeminiRoute("model", False, model)
        if verb == "streamGenerateContent":
            return GeminiRoute("model", True, model, array="alt=sse" not in query.split("&"))
        return Route("count", model=model) if verb == "countTokens" else None

    def read(self, body: dict[str, Any], route: Route) -> Body:
        return read(body, route)

    def whole(self, reply: Reply, number: int, body: Body) -> dict[str, Any]:
        return _response(reply, number, body, [_part(block) for block in reply.blocks], closing=True)

    def events(self, reply: Reply, number: int, body: Body) -> list[bytes]:
        rows = _rows(reply) or [[]]
        closing = not sent_of(reply).unclosed
        last = len(rows) - 1
        told = [
            _response(reply, number, body, row, closing=closing and at == last) for at, row in enumerate(rows)
        ]
        if not (isinstance(body, GeminiBody) and body.array):
            return [event(each).replace(b"\n\n", b"\r\n\r\n") for each in told]
        found = [(b"[" if at == 0 else b",\r\n") + dumps(each) for at, each in enumerate(told)]
        found[-1] += b"\n]"
        return found

    def failure(self, status: int, words: str, kind: str = "") -> dict[str, Any]:
        told = kind or STATUSES.get(status, "INTERNAL" if status >= 500 else "FAILED_PRECONDITION")
        return {"error": {"code": status, "message": words, "status": told}}

    def delayed(self, told: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The body of an error that also says when to ask again, as this API does besides the header."""
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        details = [{"@type": kind, "retryDelay": f"{seconds:g}s"}]
        return {"error": {**told["error"], "details": details}}

    def aside(self, route: Route, body: dict[str, Any], model: str) -> dict[str, Any]:
        if route.kind == "count":
            count = len(dumps(body)) // 4
            return {"totalTokens": count, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": count}]}
        if route.kind == "models":
            return {"models": [_model(model)]}
        return _model(route.model or model)


def _model(name: str) -> dict[str, Any]:
    return {
        "name": f"models/{name}", "version": "001", "displayName": name, "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536, "supportedGenerationMethods": ["generateContent", "countTokens"],
    }  # fmt: skip


def _part(block: Block, text: str | None = None) -> dict[str, Any]:
    """The part of one block, or of so much of its text."""
    if isinstance(block, Say):
        return {"text": block.text if text is None else text}
    if isinstance(block, Call):
        id_ = block.id if isinstance(block.id, str) and block.id else ABSENT
        return {"functionCall": present(id=id_, name=block.name, args=_args(block))}
    said = block.text if text is None else text
    return {"text": said, "thought": True} if block.type in THOUGHTS else {block.type: said}


def _args(call: Call) -> Any:
    given = call.arguments
    if given is ABSENT or isinstance(given, dict):
        return given
    shown = given.text if isinstance(given, Raw) else given
    raise Unplayable(f"the arguments of a call are an object on the gemini wire, and these are {shown!r}")


def _rows(reply: Reply) -> list[list[dict[str, Any]]]:
    """The parts of each event."""
    rows: list[list[dict[str, Any]]] = []
    joined = sent_of(reply).together
    before: Block | None = None
    in_order = sorted(pieces(reply), key=lambda piece: piece.place)  # texts that take turns are another text
    for piece in in_order:
        if isinstance(piece.block, Call):
            if not piece.first:
                continue
            if joined and isinstance(before, Call):
                rows[-1].append(_part(piece.block))
            else:
                rows.append([_part(piece.block)])
        else:
            rows.append([_part(piece.block, piece.text)])
        before = piece.block
    return rows


def _response(reply: Reply, number: int, body: Body, parts: list[Any], *, closing: bool) -> dict[str, Any]:
    from google.genai.types import GenerateContentResponse

    content = {"parts": parts, "role": "model"} if parts else {"role": "model"}
    candidate = {"content": content, "index": 0}
    read, wrote = used(reply, body.asked)
    usage = {"promptTokenCount": read, "candidatesTokenCount": wrote, "totalTokenCount": read + wrote}
    rest = {"usageMetadata": usage, "modelVersion": body.model, "responseId": f"response-{number}"}
    known = [part for part in parts if part.keys() <= {"text", "thought", "functionCall"}]
    checked(GenerateContentResponse, {
        "candidates": [{**candidate, "content": {"parts": known, "role": "model"}}], **rest,
    })  # fmt: skip
    label = LABELS.get(reply.label, reply.label) if isinstance(reply.label, str) else reply.label
    told = present(**candidate, finishReason=label) if closing else candidate
    return {"candidates": [told], **rest}


DIALECT = Gemini()
