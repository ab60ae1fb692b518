"""What became of each call: the script's own call behind it, whether it must fail, and its result."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of
from adapters.trace import Trace
from properties.messages import answered
from properties.refusals import turned_down
from strategies.script import Call, Conversation, Raises, Reads


def behaviour_of(request: Any, call: dict[str, Any]) -> Call | None:
    """The script's own call that this delivered call block came from."""
    played = request.played
    if played is None:
        return None
    place = next(i for i, c in enumerate(calls_of(request.reply)) if c is call)
    found: Call = played.calls[place]
    return found


def fails_when_run(call: Call | None, names: set[str]) -> bool:
    """True if this call can only end in an error: unknown tool, exception, wrong arguments."""
    if call is None:
        return False
    if call.name not in names or isinstance(call.does, Raises):
        return True
    given = call.arguments
    return isinstance(call.does, Reads) and not (
        isinstance(given, dict) and isinstance(given.get(call.does.member), str)
    )


def outcomes(script: Conversation, trace: Trace, harness: Any) -> Any:
    """Each delivered call as (request, the script's call, must it fail, its result or None).

    Calls that the harness may turn down, and did, are judged here and left out.
    """
    names = {t.name for t in script.tools}
    not_run = turned_down(script, trace, harness)
    for request, block, result in answered(trace):
        call = behaviour_of(request, block)
        place = next(i for i, c in enumerate(calls_of(request.reply)) if c is block)
        if call is not None and (request.number, place) not in not_run:
            yield request, call, fails_when_run(call, names), result
