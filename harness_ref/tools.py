"""Tools, from the loop's side: what the model is told of them, and how one call is answered."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from .messages import result_message
from .shapes import Block, Message, Spec, Tool
from .text import reason, sendable


def tool_specs(tools: Iterable[Tool]) -> list[Spec]:
    """Return what a request says of each tool: name, description and parameters, no other key."""
    return [{key: tool[key] for key in ("name", "description", "parameters")} for tool in tools]


def run_tool(tools: Iterable[Tool], call: Block) -> Message:
    """Run one call and return the one result that answers it, whatever the call looks like.

    Whatever goes wrong (no such tool, an exception in the tool, a result that is not text)
    becomes an error result that says so. KeyboardInterrupt and its like are nobody's result and
    come out.
    """
    try:
        content, is_error = _outcome(tools, call), False
    except Exception as error:  # whatever a tool may raise
        content, is_error = reason(error), True
    return result_message(call, content, is_error=is_error)


def _outcome(tools: Iterable[Tool], call: Block) -> str:
    """Return the text that the called tool gives back, or raise what says why there is none.

    The tool gets a copy of the arguments (None if there are none), because the call itself is
    part of the record.
    """
    name = call.get("name")
    for tool in tools:
        if tool["name"] == name:
            return _text(tool["execute"](deepcopy(call.get("arguments"))))
    raise LookupError(f"there is no tool {name!r}")


def _text(returned: Any) -> str:
    if not isinstance(returned, str):
        raise TypeError(f"the tool returned {returned.__class__.__name__} where text was due")
    return sendable(returned)
