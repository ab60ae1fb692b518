"""Lists of messages, as they were sent and as they were recorded: what has to travel, and what answers what.

Nothing here knows a script. A list is held against another one (what is rewritten, what is left out), or
against itself (calls and their results).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.normal import blocks_of, calls_of, essence, failed, role_of, short
from adapters.trace import Request, Trace
from properties.checks import shown


def essence_of_call(call: dict[str, Any]) -> tuple[Any, Any]:
    """What makes a call this call: its id and the tool's name."""
    return call.get("id"), call.get("name")


def listed(messages: Any) -> list[Any]:
    """A request's or record's messages; none if it is no list, which the provider's refusal tells."""
    return list(messages) if isinstance(messages, (list, tuple)) else []


def bare(messages: Any) -> Any:
    """What of each message travels; something else than a list as it is."""
    return [essence(m) for m in messages] if isinstance(messages, (list, tuple)) else messages


def described(message: Any) -> str:
    """A message in words: its short form and what stands in it."""
    content = message.get("content") if isinstance(message, dict) else message
    return f"{short(message)} {shown(content, 60)}"


def view(record: Any, harness: Any) -> list[Any]:
    """The record as it must be sent: without failed replies, or without those of them that are empty."""
    if not isinstance(record, (list, tuple)):
        return []
    all_of_them = harness.policies.get("failed-replies") == "left-out"
    return [m for m in record if not (failed(m) and (all_of_them or not blocks_of(m)))]


def same_message(sent: Any, kept: Any) -> bool:
    """True if a sent message is the recorded one; a failed reply may lose its calls."""
    if sent is kept or essence(sent) == essence(kept):
        return True
    if not failed(kept):
        return False
    words = [b for b in blocks_of(kept) if not (isinstance(b, dict) and b.get("type") == "toolCall")]
    return bool(essence(sent) == essence({**kept, "content": words}))


def rewritten(earlier: Any, later: Any) -> str | None:
    """Where a later request departs from what an earlier one carried, in words, or None."""
    for i, (before, now) in enumerate(zip(earlier, later, strict=False)):
        if now is not before and not same_message(now, before) and not same_message(before, now):
            return f"messages[{i}] was {described(before)}, and now it is {described(now)}"
    if len(later) < len(earlier):
        return f"messages[{len(later)}] is missing: {described(earlier[len(later)])}"
    return None


def unpaired(messages: Any, *, open_end: bool = False) -> str | None:
    """Why calls and results do not pair up, reply by reply and in order; None if they do.

    `open_end` allows the last reply's calls to be unanswered from some call on (a run that
    died in the middle of them).
    """
    if not isinstance(messages, (list, tuple)):
        return f"it is not a list but {type(messages).__name__}"
    i = 0
    while i < len(messages):
        message = messages[i]
        if role_of(message) == "toolResult":
            return f"messages[{i}]: a result for {message.get('tool_call_id')!r} that follows no call"
        calls = [] if failed(message) else calls_of(message)
        results: list[Any] = []
        while len(results) < len(calls) and i + 1 + len(results) < len(messages):
            following = messages[i + 1 + len(results)]
            if role_of(following) != "toolResult":
                break
            results.append(following)
        at_end = i + 1 + len(results) == len(messages)
        if len(results) < len(calls) and not (open_end and at_end):
            missing = calls[len(results)].get("id")
            return f"messages[{i}]: call {missing!r} has no result right after its reply"
        for place, result in enumerate(results):
            if result.get("tool_call_id") != calls[place].get("id"):
                return (
                    f"messages[{i + 1 + place}]: the result of {result.get('tool_call_id')!r} stands "
                    f"where the result of {calls[place].get('id')!r} belongs"
                )
        i += 1 + len(results)
    return None


def results_of(messages: Any, reply_index: int) -> list[Any]:
    """The results that stand right after the reply at this index."""
    found = []
    for message in messages[reply_index + 1 :]:
        if role_of(message) != "toolResult":
            break
        found.append(message)
    return found


def answered(trace: Trace) -> Iterator[tuple[Request, dict[str, Any], Any]]:
    """Each call of a delivered reply that did not fail, with the result that came to stand for
    it in the record (None if there is none): (request, call block, result)."""
    record = trace.record if isinstance(trace.record, (list, tuple)) else []
    at = 0
    for request in trace.requests:
        if request.reply is None:
            continue
        while at < len(record) and not _same_reply(record[at], request.reply):
            at += 1
        if failed(request.reply):
            continue
        results = results_of(record, at) if at < len(record) else []
        for place, call in enumerate(calls_of(request.reply)):
            named = [r for r in results if r.get("tool_call_id") == call.get("id")]
            there = results[place : place + 1]
            yield request, call, (named[:1] if len(named) == 1 else there or [None])[0]
        at += 1


def _same_reply(message: Any, reply: Any) -> bool:
    if role_of(message) != "assistant":
        return False
    return [essence_of_call(c) for c in calls_of(message)] == [
        essence_of_call(c) for c in calls_of(reply)
    ]
