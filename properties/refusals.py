"""Calls that are turned down before the tool runs, by harnesses that declare that they check arguments.

Which calls a harness turns down is its own affair, as long as a call that plainly fits is run. A call
that is turned down gets exactly one error result that says something, and is run by nobody.
"""

from __future__ import annotations

import re
from typing import Any

from adapters.normal import calls_of
from adapters.trace import Trace
from properties.checks import Violation, shown
from properties.expected import marks
from properties.messages import answered
from properties.story import step
from strategies.script import Conversation

Place = tuple[int, int]  # the number of a request, and which call of its reply
KINDS: dict[str, Any] = {
    "string": str, "object": dict, "array": list, "boolean": bool, "integer": int, "number": (int, float),
}  # fmt: skip


def fits(arguments: Any, schema: dict[str, Any]) -> bool:
    """Whether arguments plainly fit a schema: an object of declared members alone, each of its type."""
    if not isinstance(arguments, dict) or not all(name in arguments for name in schema.get("required", ())):
        return False
    declared = schema.get("properties", {})
    return all(name in declared and _is(value, declared[name]) for name, value in arguments.items())


def _is(value: Any, member: dict[str, Any]) -> bool:
    kind = member.get("type")
    return isinstance(value, KINDS.get(str(kind), ())) and (kind == "boolean" or not isinstance(value, bool))


def turned_down(script: Conversation, trace: Trace, harness: Any) -> set[Place]:
    """The calls of known tools that were turned down, where the harness declares that it does so.

    Raises a violation if the result of one of them is no error result; that it has one is LOOP-03's.
    """
    if harness.policies.get("validates", "no") != "yes":
        return set()
    schemas = {t.name: getattr(t, "parameters", {}) for t in script.tools}
    ran = {(e.request, e.call) for e in trace.executions}
    found: set[Place] = set()
    for request, call, result in answered(trace):
        place = (request.number, next(i for i, c in enumerate(calls_of(request.reply)) if c is call))
        schema = schemas.get(call["name"])
        if schema is None or place in ran or fits(call.get("arguments"), schema):
            continue
        found.add(place)
        if result is not None:
            _said(call, result, harness, step(request))
    return found


_TELLS = re.compile(r"\b(?:error|invalid|fail|required|expected|must|cannot|not valid)", re.IGNORECASE)


def _said(call: dict[str, Any], result: Any, harness: Any, where: str) -> None:
    """The model is told of a call that was turned down."""
    what = f"call {call.get('id')!r} of {call['name']!r}, whose arguments do not fit, was not run, and"
    content = result.get("content")
    told = isinstance(content, str) and _TELLS.search(content)
    if marks(harness) and result.get("is_error") is not True and not told:
        raise Violation(f"{what} its result is not marked as an error", where, "TOOL-01")
    if not isinstance(content, str) or not content.strip():
        raise Violation(f"{what} its error result is {shown(content)}", where, "TOOL-01")
