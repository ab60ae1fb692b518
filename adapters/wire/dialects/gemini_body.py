"""Google's generateContent: what comes in, and what that API refuses.

Many clients send calls and results without ids, so pairing is by id where both have one, else by name and
order within the turn. A call without an id is named by its place: the second call of the model's third turn
is "#3.2". Not visible then: results of two calls of one tool that were swapped, and which id a client had
in mind. Consecutive contents of the model are one turn, and texts that follow each other one text: a
stream's events are kept as parts or contents by some clients and joined by others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapters.normal import calls_of
from adapters.wire.dialects import Body, Refused, Route
from adapters.wire.dialects.gemini_fields import (
    get,
    listed,
    optional,
    result_of,
    snake,
    struct,
    system,
    tools,
)  # fmt: skip
from adapters.wire.parts import content_of

NAME_FAULT = 13  # a call or a result whose name is empty
SPLIT_FAULT = 16  # results of one turn in several contents
TURNS = (
    "Please ensure that function call turn comes immediately after a user turn or after a function response "
    "turn."
)
COUNTS = (
    "Please ensure that the number of function response parts is equal to the number of function call parts "
    "of the function call turn."
)
ORPHAN = "Please ensure that function response turn comes immediately after a function call turn."
MIXED = (
    "Please ensure that function call turn contains at least one function_call part which can not be mixed "
    "with function_response parts."
)
UNKNOWN = "Invalid JSON payload received. Unknown name \"{}\" at '{}': Cannot find field."
ONE_OF = "* GenerateContentRequest.{}.data: required oneof field 'data' must have one initialized field\n"
DATA = (
    "text", "inlineData", "functionCall", "functionResponse", "fileData", "executableCode",
    "codeExecutionResult", "toolCall", "toolResponse", "thoughtSignature",
)  # fmt: skip
BESIDE = (
    "thought", "videoMetadata", "partMetadata", "mediaResolution", "audioTranscription", "mediaProcessing",
    "speechMetadata", "documentMetadata", "spreadsheetMetadata", "audioMetadata",
)  # fmt: skip
KNOWN = {name for key in (*DATA, *BESIDE) for name in (key, snake(key))}


@dataclass(frozen=True)
class GeminiRoute(Route):
    """A route that also says whether a stream is one JSON array, where `alt=sse` is not asked for."""

    array: bool = False


@dataclass(frozen=True)
class GeminiBody(Body):
    """A body that also says whether its stream is to be one JSON array."""

    array: bool = False


def read(body: dict[str, Any], route: Route) -> GeminiBody:
    """The body in the normal form. Raises Refused."""
    reader = _Reader()
    contents = listed(get(body, "contents"))
    if not contents:
        reader.faults.append((9, "* GenerateContentRequest.contents: contents is not specified\n"))
    for at, content in enumerate(contents):
        reader.content(struct(content, f"contents[{at}]"), f"contents[{at}]")
    reader.close()
    return GeminiBody(
        system(body), reader.messages, tools(body), route.model or "", bool(route.streamed), reader.odd,
        reader.faults, body, array=isinstance(route, GeminiRoute) and route.array,
    )  # fmt: skip


class _Reader:
    """Reads contents one after the other into messages."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.faults: list[tuple[int, str]] = []
        self.odd: list[str] = []
        self._turns = 0  # of the model
        self._waiting: list[dict[str, Any]] = []  # calls of the last turn that have no result yet
        self._asked = self._given = 0  # calls of that turn, and results since then
        self._groups = 0  # contents that held those results

    def content(self, content: dict[str, Any], where: str) -> None:
        """Read one content."""
        role = optional(content, "role", where) or "user"
        if role not in ("user", "model", "function", "tool"):
            raise Refused(400, "Please use a valid role: user, model.")
        parts = listed(get(content, "parts"))
        if not parts:
            words = f"* GenerateContentRequest.{where}.parts: contents.parts must not be empty.\n"
            if role != "model":
                raise Refused(400, words)
            self.faults.append((8, words))
        places = [f"{where}.parts[{k}]" for k in range(len(parts))]
        read = [self._part(struct(part, place), place) for part, place in zip(parts, places, strict=True)]
        if role == "model":
            self._model(read)
        else:
            self._user(read, where)

    def _part(self, part: dict[str, Any], where: str) -> dict[str, Any]:
        for key in part:
            if key not in KNOWN:
                raise Refused(400, UNKNOWN.format(key, where))
        held = [key for key in DATA if get(part, key) is not None]
        if not held:
            raise Refused(400, ONE_OF.format(where))
        kind = held[0]
        if kind == "functionCall":
            return self._call(struct(get(part, kind), f"{where}.function_call"), where)
        if kind == "functionResponse":
            return self._response(struct(get(part, kind), f"{where}.function_response"), where)
        if kind in ("text", "thoughtSignature"):
            text = optional(part, "text", where)
            name = "thinking" if part.get("thought") else "text"
            return {"type": name, name: text}
        self.odd.append(f"{where}: a part with {kind}")
        return {"type": kind, kind: get(part, kind)}

    def _call(self, call: dict[str, Any], where: str) -> dict[str, Any]:
        name = self._name(call, f"{where}.function_call")
        args = get(call, "args")
        given = {} if args is None else struct(args, f"{where}.function_call.args")
        id_ = optional(call, "id", f"{where}.function_call")
        return {"type": "toolCall", "id": id_, "name": name, "arguments": given}

    def _response(self, response: dict[str, Any], where: str) -> dict[str, Any]:
        place = f"{where}.function_response"
        name = self._name(response, place)
        said = get(response, "response")
        held = {} if said is None else struct(said, f"{place}.response")
        if get(response, "parts"):
            self.odd.append(f"{where}: a result with parts that are no text")
        content, marked = result_of(held)
        id_ = optional(response, "id", place)
        return {"type": "result", "id": id_, "name": name, "content": content, **marked}

    def _name(self, holder: dict[str, Any], where: str) -> str:
        name = optional(holder, "name", where)
        if not name:
            words = f"* GenerateContentRequest.{where}.name: Name cannot be empty.\n"
            self.faults.append((NAME_FAULT, words))
        return name

    def _model(self, blocks: list[dict[str, Any]]) -> None:
        results = [block for block in blocks if block["type"] == "result"]
        if results:
            raise Refused(400, MIXED)
        if not (self.messages and self.messages[-1]["role"] == "assistant"):
            self.close()
            if not self.messages and any(block["type"] == "toolCall" for block in blocks):
                self.faults.append((10, TURNS))
            self._turns += 1
            self.messages.append({"role": "assistant", "content": []})
        held = self.messages[-1]["content"]
        for block in blocks:
            _join(held, block)
        if len(held) > 1:  # an empty text beside others is how a stream ends
            held[:] = [block for block in held if block != {"type": "text", "text": ""}] or held[:1]
        self._waiting = calls_of(self.messages[-1])
        for k, call in enumerate(self._waiting, 1):
            call["id"] = call["id"] or f"#{self._turns}.{k}"
        self._asked = len(self._waiting)

    def _user(self, blocks: list[dict[str, Any]], where: str) -> None:
        results = [block for block in blocks if block["type"] == "result"]
        others = [block for block in blocks if block["type"] != "result"]
        last = self.messages[-1]["role"] if self.messages else ""
        if results:
            if last not in ("assistant", "toolResult") or not self._asked:
                self.faults.append((2, ORPHAN))
            self._groups += 1
            if self._groups > 1:
                self.faults.append((SPLIT_FAULT, COUNTS))
            self.messages += [self._paired(result) for result in results]
        if results and others:
            self.odd.append(f"{where}: texts beside function responses")
        if others:
            self.close()
            if any(block["type"] == "toolCall" for block in others):
                raise Refused(400, TURNS)
            self.messages.append({"role": "user", "content": content_of(list(map(_as_text, others)))})

    def _paired(self, result: dict[str, Any]) -> dict[str, Any]:
        """The result as a message, with the id of the call that it answers."""
        self._given += 1
        id_ = result["id"]
        match = next((call for call in self._waiting if id_ and call["id"] == id_), None)
        if match is None:
            nameless = [call for call in self._waiting if not id_ or call["id"].startswith("#")]
            match = next((call for call in nameless if call["name"] == result["name"]), None)
        if match is not None:
            self._waiting = [call for call in self._waiting if call is not match]
            id_ = match["id"]
        told = {
            "role": "toolResult", "tool_call_id": id_ or f"#{self._turns}?{self._given}",
            "tool_name": result["name"], "content": result["content"],
        }  # fmt: skip
        return {**told, "is_error": result["is_error"]} if "is_error" in result else told

    def close(self) -> None:
        """Count the results of the turn that is over."""
        if self._asked and self._asked != self._given:
            self.faults.append((1 if self._given < self._asked else 3, COUNTS))
        self._waiting, self._asked, self._given, self._groups = [], 0, 0, 0


def _join(held: list[dict[str, Any]], block: dict[str, Any]) -> None:
    """Add a block of the model's, or its text to the text before it."""
    kind = block["type"]
    if held and held[-1]["type"] == kind and kind in ("text", "thinking"):
        held[-1] = {"type": kind, kind: held[-1][kind] + block[kind]}
    else:
        held.append(dict(block))


def _as_text(block: dict[str, Any]) -> dict[str, Any]:
    """A block of a user's: thoughts of a user's are text."""
    return {"type": "text", "text": block["thinking"]} if block["type"] == "thinking" else block
