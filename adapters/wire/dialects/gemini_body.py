"""Google's generateContent: what comes in, and what that API refuses.

Many clients send calls and results without ids, so pairing is by id where both have one, else by name and
order within the turn. A call without an id is named by its place: the second call of the model's third turn
is "#3.2". Not visible then: results of two calls of one tool that were swapped, and which id a client had
in mind. Consecutive contents of the model are one turn, and texts that follow each other one text: a
stream's events are kept as parts or contents by some clients and joined by others.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from adapters.normal import calls_of
from adapters.wire.dialects import Body, Refused, Route
from adapters.wire.parts import content_of

NAME_FAULT = 13  # a call or a result whose name is empty
SPLIT_FAULT = 16  # results of one turn in several contents
TURNS = "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
COUNTS = "Please ensure that the number of function response parts is equal to the number of function call parts " \
    "of the function call turn."  # fmt: skip
ORPHAN = "Please ensure that function response turn comes immediately after a function call turn."
DECLARED = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
DATA = (
    "text", "inlineData", "functionCall", "functionResponse", "fileData", "executableCode", "codeExecutionResult",
    "toolCall", "toolResponse", "thoughtSignature",
)  # fmt: skip
BESIDE = (
    "thought", "videoMetadata", "partMetadata", "mediaResolution", "audioTranscription", "mediaProcessing",
    "speechMetadata", "documentMetadata", "spreadsheetMetadata", "audioMetadata",
)  # fmt: skip
TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")


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
    contents = _listed(_get(body, "contents"))
    if not contents:
        reader.faults.append((9, "* GenerateContentRequest.contents: contents is not specified\n"))
    for at, content in enumerate(contents):
        reader.content(_struct(content, f"contents[{at}]"), f"contents[{at}]")
    reader.close()
    return GeminiBody(
        _system(body, reader), reader.messages, _tools(body), route.model or "", bool(route.streamed), reader.odd,
        reader.faults, body, array=isinstance(route, GeminiRoute) and route.array,
    )  # fmt: skip


def _get(found: dict[str, Any], key: str) -> Any:
    """A member by its name in camelCase, or as protocol buffers call it."""
    return found.get(key, found.get(_snake(key)))


def _snake(key: str) -> str:
    return re.sub(r"[A-Z]", lambda match: f"_{match.group().lower()}", key)


def _listed(value: Any) -> list[Any]:
    """A repeated field: one message alone is taken for a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _invalid(where: str, kind: str, value: Any) -> Refused:
    return Refused(400, f"Invalid value at '{where}' ({kind}), {json.dumps(value)}")


def _struct(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _invalid(where, "type.googleapis.com/google.protobuf.Struct", value)
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _invalid(where, "TYPE_STRING", value)
    return value


def _optional(found: dict[str, Any], key: str, where: str) -> str:
    """A text member; one that is not there is empty, as protocol buffers have it."""
    value = _get(found, key)
    return "" if value is None else _text(value, f"{where}.{_snake(key)}")


class _Reader:
    """Reads contents one after the other into messages."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.faults: list[tuple[int, str]] = []
        self.odd: list[str] = []
        self._turns = 0  # of the model
        self._waiting: list[dict[str, Any]] = []  # calls of the last turn that have no result yet
        self._asked = self._given = self._groups = 0  # calls, results, and contents with results since that turn

    def content(self, content: dict[str, Any], where: str) -> None:
        """Read one content."""
        role = _optional(content, "role", where) or "user"
        if role not in ("user", "model", "function", "tool"):
            raise Refused(400, "Please use a valid role: user, model.")
        parts = _listed(_get(content, "parts"))
        if not parts:
            words = f"* GenerateContentRequest.{where}.parts: contents.parts must not be empty.\n"
            if role != "model":
                raise Refused(400, words)
            self.faults.append((8, words))
        read = [self._part(_struct(part, f"{where}.parts[{k}]"), f"{where}.parts[{k}]") for k, part in enumerate(parts)]
        if role == "model":
            self._model(read)
        else:
            self._user(read, where)

    def _part(self, part: dict[str, Any], where: str) -> dict[str, Any]:
        known = {name for key in (*DATA, *BESIDE) for name in (key, _snake(key))}
        for key in part:
            if key not in known:
                raise Refused(400, f"Invalid JSON payload received. Unknown name \"{key}\" at '{where}': Cannot find field.")
        held = [key for key in DATA if _get(part, key) is not None]
        if not held:
            words = "required oneof field 'data' must have one initialized field"
            raise Refused(400, f"* GenerateContentRequest.{where}.data: {words}\n")
        kind = held[0]
        if kind == "functionCall":
            return self._call(_struct(_get(part, kind), f"{where}.function_call"), where)
        if kind == "functionResponse":
            return self._response(_struct(_get(part, kind), f"{where}.function_response"), where)
        if kind in ("text", "thoughtSignature"):
            text = _optional(part, "text", where)
            return {"type": "thinking", "thinking": text} if part.get("thought") else {"type": "text", "text": text}
        self.odd.append(f"{where}: a part with {kind}")
        return {"type": kind, kind: _get(part, kind)}

    def _call(self, call: dict[str, Any], where: str) -> dict[str, Any]:
        name = self._name(call, f"{where}.function_call")
        args = _get(call, "args")
        given = {} if args is None else _struct(args, f"{where}.function_call.args")
        return {"type": "toolCall", "id": _optional(call, "id", f"{where}.function_call"), "name": name, "arguments": given}

    def _response(self, response: dict[str, Any], where: str) -> dict[str, Any]:
        place = f"{where}.function_response"
        name = self._name(response, place)
        said = _get(response, "response")
        held = {} if said is None else _struct(said, f"{place}.response")
        if _get(response, "parts"):
            self.odd.append(f"{where}: a result with parts that are no text")
        content, marked = _result(held)
        return {"type": "result", "id": _optional(response, "id", place), "name": name, "content": content, **marked}

    def _name(self, holder: dict[str, Any], where: str) -> str:
        name = _optional(holder, "name", where)
        if not name:
            self.faults.append((NAME_FAULT, f"* GenerateContentRequest.{where}.name: Name cannot be empty.\n"))
        return name

    def _model(self, blocks: list[dict[str, Any]]) -> None:
        results = [block for block in blocks if block["type"] == "result"]
        if results:
            raise Refused(400, "Please ensure that function call turn contains at least one function_call part which can "
                          "not be mixed with function_response parts.")  # fmt: skip
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
            held[:] = [block for block in held if block not in ({"type": "text", "text": ""},)] or held[:1]
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
                raise Refused(400, "Please ensure that function call turn has the role of the model.")
            content = [b if b["type"] != "thinking" else {"type": "text", "text": b["thinking"]} for b in others]
            self.messages.append({"role": "user", "content": content_of(content)})

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
        kept = {key: result[key] for key in ("content", "is_error") if key in result}
        told = id_ or f"#{self._turns}?{self._given}"
        return {"role": "toolResult", "tool_call_id": told, "tool_name": result["name"], **kept}

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


def _result(held: dict[str, Any]) -> tuple[str, dict[str, bool]]:
    """A result's text, and whether it is marked as an error: what the API says of "output" and "error"."""
    for key, marked in (("output", False), ("error", True)):
        if key in held:
            return _said(held[key]), {"is_error": marked}
    if len(held) == 1:  # {"result": …} and {"content": …} are common
        return _said(next(iter(held.values()))), {}
    return _said(held), {}


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _system(body: dict[str, Any], reader: _Reader) -> Any:
    given = _get(body, "systemInstruction")
    if given is None:
        return ""
    parts = _listed(_get(_struct(given, "system_instruction"), "parts"))
    found = [
        {"type": "text", "text": _optional(_struct(part, f"system_instruction.parts[{k}]"), "text", "system_instruction")}
        for k, part in enumerate(parts)
    ]
    if not found:
        reader.odd.append("systemInstruction: no parts")
        return ""
    return content_of(found)


def _tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that the body offers, in the normal form; tools that the provider runs are not told."""
    found: list[dict[str, Any]] = []
    for at, tool in enumerate(_listed(_get(body, "tools"))):
        declared = _listed(_get(_struct(tool, f"tools[{at}]"), "functionDeclarations"))
        for k, each in enumerate(declared):
            where = f"tools[{at}].function_declarations[{k}]"
            name = _optional(_struct(each, where), "name", where)
            if not DECLARED.fullmatch(name):
                raise Refused(400, f"* GenerateContentRequest.{where}.name: Invalid function name. Must start with a letter "
                              "or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons "
                              "(:), or dashes (-), with a maximum length of 128.\n")  # fmt: skip
            if any(other["name"] == name for other in found):
                raise Refused(400, f"Duplicate function declaration found: {name}")
            schema, given = _get(each, "parameters"), _get(each, "parametersJsonSchema")
            if schema is not None and given is not None:
                raise Refused(400, f"* GenerateContentRequest.{where}: parameters and parameters_json_schema must not both "
                              "be set.\n")  # fmt: skip
            parameters = given if schema is None else plain_schema(_struct(schema, f"{where}.parameters"))
            told = _optional(each, "description", where)
            found.append({"name": name, "description": told, "parameters": parameters or {}})
    return found


def plain_schema(schema: Any) -> Any:
    """A schema of this API as JSON Schema: it writes the names of types in capitals."""
    if isinstance(schema, list):
        return [plain_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {}
    for key, value in schema.items():
        if key == "type" and value in TYPES:
            plain[key] = value.lower()
        elif key == "properties" and isinstance(value, dict):
            plain[key] = {name: plain_schema(each) for name, each in value.items()}
        elif key in ("items", "anyOf", "any_of"):
            plain[key] = plain_schema(value)
        else:
            plain[key] = value
    return plain
