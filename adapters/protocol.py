"""What a child's messages must look like: those of an untrusted process are checked before use.

Only shapes are checked here. What the encoded values hold is the codec's to check, and what they
mean the properties'.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from adapters.child import codec
from adapters.contract import Garbage

ENDS = ("returned", "stopped", "raised")
WANTED = {
    "run": ("command",), "listdir": ("path",), "write_text": ("path", "text"),
    "read_text": ("path",), "read_bytes": ("path",),
}  # fmt: skip


class Meddled(Garbage):
    """The harness replaced functions of Python's own, and the child's program broke by it."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"the harness replaced Python's own {', '.join(names[:5])}, and the run broke by it")


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """Turn what cannot be decoded into Garbage: the driver does not encode such a thing."""
    try:
        yield
    except codec.CodecError as error:
        raise Garbage(f"the harness sent data that cannot be read: {error}") from error


def served(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """`answer`, for events that may be forged: it raises Garbage for those that no driver sends."""

    def checked(event: dict[str, Any]) -> dict[str, Any]:
        _must(_is_event(event), "an event")
        with reading():
            return answer(event)

    return checked


def finished(job: dict[str, Any], value: Any) -> Any:
    """The value that the driver gives back for this job; raises Garbage if it gives no such thing."""
    is_fine = _OPERATIONS[job["op"]]
    _must(isinstance(value, dict) and (_is_failure(value) or is_fine(job, value)), "a result")
    return value


def _must(fine: bool, what: str) -> None:
    if not fine:
        raise Garbage(f"the harness wrote on the suite's channel: {what} of a shape that no driver sends")


def _is_event(event: dict[str, Any]) -> bool:
    queued = event.get("queued", [])
    if not isinstance(queued, list) or not all(map(_is_queued, queued)):
        return False
    kind: str = event["event"]
    if kind == "request":
        whole = "messages" not in event or "record" in event
        return whole and isinstance(event.get("aliased"), bool)
    if kind == "desk":
        wanted = WANTED.get(event["do"]) if isinstance(event.get("do"), str) else None
        return wanted is not None and all(name in event for name in wanted)
    return kind == "busy"


def _is_queued(event: Any) -> bool:
    if not isinstance(event, dict):
        return False
    if event.get("event") == "execute":
        place = event.get("call")
        named = isinstance(event.get("tool"), str) and "arguments" in event
        return named and (place is None or (type(place) is int and place >= 0))
    if event.get("event") != "ended" or event.get("kind") not in ENDS or "record" not in event:
        return False
    return event["kind"] != "raised" or _is_error(event.get("error"))


def _is_error(error: Any) -> bool:
    if not isinstance(error, dict) or not all(isinstance(error.get(n), str) for n in ("type", "where")):
        return False
    key = error.get("key")
    if not isinstance(error.get("is_exception"), bool) or not (key is None or isinstance(key, str)):
        return False
    return _is_text(error.get("text"))


def _is_text(encoded: Any) -> bool:
    try:
        return isinstance(codec.decode(encoded), str)
    except codec.CodecError:
        return False


def _is_failure(value: dict[str, Any]) -> bool:
    """What comes back when the harness raised outside its loop."""
    return _is_error(value.get("error")) and isinstance(value.get("unmade", ""), str)


def _is_inspection(job: dict[str, Any], value: dict[str, Any]) -> bool:
    del job
    wrong = value.get("wrong")
    if not isinstance(wrong, dict) or not all(isinstance(said, str) for said in wrong.values()):
        return False
    extras = value.get("extras")
    return isinstance(extras, list) and all(isinstance(name, str) for name in extras)


def _is_report(job: dict[str, Any], value: dict[str, Any]) -> bool:
    changed, queued, tools = (value.get(name) for name in ("changed_requests", "queued", "tools"))
    if not isinstance(queued, list) or not all(map(_is_queued, queued)) or "usage" not in value:
        return False
    if not isinstance(tools, list) or len(tools) != len(job["tools"]) or not isinstance(changed, list):
        return False
    return all(
        isinstance(pair, list) and len(pair) == 2 and all(type(n) is int and n >= 0 for n in pair)
        for pair in changed
    )


def _is_call(job: dict[str, Any], value: dict[str, Any]) -> bool:
    del job
    return "value" in value


def _is_use(job: dict[str, Any], value: dict[str, Any]) -> bool:
    if "call" in job:
        return "result" in value and "call" in value
    specs = value.get("specs")
    return isinstance(specs, list) and ("open" not in job or len(specs) == len(job["open"]["tools"]))


_OPERATIONS: dict[str, Callable[[dict[str, Any], dict[str, Any]], bool]] = {
    "inspect": _is_inspection, "converse": _is_report, "call": _is_call, "desk": _is_use,
}  # fmt: skip
