"""The bodies of OpenAI's Responses API: what comes in, and what that API refuses.

Nothing is kept from one request to the next: a `previous_response_id`, a conversation and an item
reference are refused as what is not there, as for an organisation that stores nothing.
"""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of
from adapters.wire.dialects import Body, Refused, Route
from adapters.wire.dialects.responses_items import NAME, Reader
from adapters.wire.dialects.schema import an_object, off_pattern, want, wrong_type
from adapters.wire.parts import named as with_names

MOVED = {"messages": "input", "max_tokens": "max_output_tokens", "response_format": "text.format"}


def read(body: dict[str, Any], route: Route) -> Body:  # noqa: ARG001
    """The body in the normal form. Raises Refused."""
    for old, new in MOVED.items():
        if old in body:
            words = f"In the Responses API, this parameter has moved to '{new}'."
            raise Refused(400, f"Unsupported parameter: '{old}'. {words}", param=old)
    model = want(body, "model", str)
    for key in ("previous_response_id", "conversation"):
        if body.get(key) is not None:
            what = "Previous response" if key.startswith("prev") else "Conversation"
            status = 400 if key.startswith("prev") else 404
            id_ = body[key]["id"] if isinstance(body[key], dict) and "id" in body[key] else body[key]
            raise Refused(status, f"{what} with id '{id_}' not found.", param=key)
    reader = Reader()
    instructions = want(body, "instructions", str, optional=True)
    if instructions is not None:
        reader.leading.append(instructions)
    reader.all(_input(body))
    streamed = bool(want(body, "stream", bool, optional=True))
    system = reader.leading[0] if len(reader.leading) == 1 else (reader.leading or "")
    messages = with_names(reader.messages)
    faults = [*reader.faults, *_pairs(messages)]
    return Body(system, messages, _tools(body), model, streamed, reader.odd, faults, body)


def _input(body: dict[str, Any]) -> list[Any]:
    given = body.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if given is None:
        raise Refused(400, "Missing required parameter: 'input'.", param="input")
    if not isinstance(given, list):
        raise wrong_type("input", "one of an array of input items or a string", given)
    return given


def _pairs(messages: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """Calls without an output anywhere, and outputs without a call, in this API's words."""
    calls = [call["id"] for message in messages for call in calls_of(message)]
    results = [m["tool_call_id"] for m in messages if m["role"] == "toolResult"]
    orphan = "No tool call found for function call output with call_id {}."
    return [
        *((1, f"No tool output found for function call {id_}.") for id_ in calls if id_ not in results),
        *((2, orphan.format(id_)) for id_ in results if id_ not in calls),
    ]


def _tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The functions that the body offers, in the normal form; tools that the provider runs are not told."""
    found = []
    for at, tool in enumerate(want(body, "tools", list, optional=True) or ()):
        where = f"tools[{at}]"
        kind = want(an_object(tool, where), "type", str, where)
        if kind not in ("function", "custom"):
            continue
        name = want(tool, "name", str, where)
        if not NAME.fullmatch(name):
            raise Refused(400, off_pattern(f"{where}.name"), param=f"{where}.name")
        parameters = want(tool, "parameters", dict, where, optional=True) if kind == "function" else {}
        if parameters and parameters.get("type") != "object":
            words = "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{}\"'."
            told = words.format(parameters.get("type"))
            raise Refused(400, f"Invalid schema for function '{name}': {told}", param=f"{where}.parameters")
        told = tool.get("description") or ""
        found.append({"name": name, "description": told, "parameters": parameters or {}})
    return found
