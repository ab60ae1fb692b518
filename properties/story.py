"""What must have happened, told from what the provider delivered and the tools did.

A trace is compared with its own story: the replies that were really delivered decide what
should follow, so that one early fault is not blamed on everything after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adapters.contract import Unplayable
from adapters.normal import blocks_of, calls_of, essence, failed, role_of, short
from adapters.trace import Ending, Event, Execution, Request, Trace
from properties.checks import Violation, shown
from strategies.script import Conversation, Prompt, Reply


class Crashed(Violation):
    """run_agent broke by itself; `key` is the same wherever this one fault shows."""

    def __init__(self, sentence: str, key: str, owner: str = "") -> None:
        super().__init__(sentence, "", owner)
        self.key = key


OWNERS = {
    1: "LOOP-03", 2: "LOOP-03", 3: "LOOP-03", 4: "LOOP-16", 5: "LOOP-03", 6: "LOOP-13", 7: "TOOL-07",
    8: "LIMIT-04", 9: "LOOP-06", 10: "LOOP-06", 11: "LOOP-11", 12: "LOOP-11",
}  # fmt: skip


CUT_OFF = ("length", "content_filter")  # labels of replies that were cut off


def play(
    script: Conversation, harness: Any, *, refusals: bool = False, cut_off: bool = False
) -> Trace:  # fmt: skip
    """Play a conversation and judge what would spoil every judgement.

    An exception that no script asked for is a violation by itself; so is a refused request,
    which belongs to the property that forbids it. With `refusals` the caller judges those.
    Calls in replies that were cut off are passed over where the harness declares that it does not simply run
    them, unless the caller judges what becomes of them (`cut_off`).
    """
    own_way = harness.policies.get("cut-off-calls", "run") == "other"
    if own_way and not cut_off and any(map(_cut_off, replies_of(script))):
        raise Unplayable("it declares that calls of a reply that was cut off are not simply run")
    trace: Trace = harness.converse(script)
    no_crash(trace, script, harness.policies)
    only_messages(trace)
    if not refusals:
        no_refusal(trace)
    return trace


def replies_of(script: Conversation) -> Iterator[Any]:
    """What is played in a conversation, in order; a pager's replies are not known before."""
    for prompt in script.prompts:
        yield from prompt.replies if isinstance(prompt.replies, tuple) else ()


def _cut_off(reply: Any) -> bool:
    return isinstance(reply, Reply) and bool(reply.calls) and reply.label in CUT_OFF


def only_messages(trace: Trace) -> None:
    """Raise a violation if something that is no message stands in the record."""
    for ending in trace.endings:
        for i, message in enumerate(ending.record):
            if role_of(message) == "?":
                said = f"messages[{i}] of the record is no message but {shown(message)}"
                raise Violation(said, step(ending), "LOOP-07")


def no_crash(trace: Trace, script: Conversation | None = None, policies: Any = None) -> None:
    """Raise Crashed if the loop broke by itself, or let a tool's ordinary exception out.

    `policies` may say that an exception is how the turn limit, or a refusal of the provider's, is told.
    """
    for ending in trace.endings:
        problem = ending.problem
        if problem is None:
            continue
        if script is not None and problem.key is None and _is_told_so(script, trace, ending, policies):
            continue
        at = f" ({problem.where})" if problem.where else ""
        if problem.key is None:
            raise Crashed(
                f"run_agent itself broke with {problem.type}: {problem.text}{at}",
                f"crash:{problem.type}:{problem.where}",
            )
        if problem.key.startswith("tool") and problem.is_exception:
            raise Crashed(
                f"an exception in a tool ({problem.type}: {shown(problem.text, 60)}) came out of run_agent "
                "instead of becoming an error result", "tool-exception", "TOOL-01",
            )  # fmt: skip


def forgotten(policies: Any) -> str | None:
    """Why later requests of this harness need not hold a run that broke off, None if they have to."""
    left_out = policies.get("broken-runs") == "nothing"
    return "it leaves runs that broke off out of the history" if left_out else None


def at_limit(script: Conversation, trace: Trace, ending: Ending) -> bool:
    """Whether as many replies as the prompt may have had come when this prompt ended."""
    return len(trace.rounds(ending.prompt)) == script.prompts[ending.prompt].max_turns


def raised_at_limit(script: Conversation, trace: Trace, prompt: int, harness: Any) -> bool:
    """Whether the turn limit ended this prompt by an exception, where that is how it is shown."""
    ending = trace.endings[prompt]
    by_itself = ending.problem is not None and ending.problem.key is None
    return by_itself and harness.policies["turn-limit"] == "raise" and at_limit(script, trace, ending)


def _is_told_so(script: Conversation, trace: Trace, ending: Ending, policies: Any) -> bool:
    """Whether this exception is the stop at the turn limit or a refusal, where those are raised."""
    rounds = trace.rounds(ending.prompt)
    if policies.get("turn-limit") == "raise" and at_limit(script, trace, ending):
        return True
    refused = rounds[-1].request.refusal if rounds else None
    own = policies.get("keeps", "callers-list") != "callers-list"
    return bool(own and refused and ending.problem and refused in ending.problem.text)


@dataclass(frozen=True)
class Item:
    """One message that must be there: handed in, a prompt, a reply, the result of a call."""

    kind: str
    value: Any
    marked: bool = True  # whether results of this harness say if they are errors

    def text(self) -> str:
        """This message in words."""
        if self.kind == "result":
            return f"the result of call {self.value.get('id')}"
        if self.kind == "prompt":
            return f"the prompt {shown(self.value, 40)}"
        named = "a message that was handed in" if self.kind == "given" else "the reply"
        return f"{named} {short(self.value)}"

    def fits(self, message: Any) -> bool:
        """True if this message can stand for it; content of replies and results is not compared."""
        if self.kind == "given":
            same = _essence(message, self.marked) == _essence(self.value, self.marked)
            return message is self.value or bool(same)
        if self.kind == "prompt":
            return role_of(message) == "user" and message.get("content") == self.value
        if self.kind == "result":
            return role_of(message) == "toolResult"
        same_calls = [essence_of_call(c) for c in calls_of(message)] == [
            essence_of_call(c) for c in calls_of(self.value)
        ]
        return role_of(message) == "assistant" and (same_calls or failed(self.value))


def essence_of_call(call: dict[str, Any]) -> tuple[Any, Any]:
    """What makes a call this call: its id and the tool's name."""
    return call.get("id"), call.get("name")


def before_each(script: Conversation, trace: Trace, harness: Any) -> Iterator[tuple[Any, list[Item]]]:
    """Each event of the trace with the items that the record must hold at that moment."""
    items = [Item("given", m, marks(harness)) for m in script.history]
    prompt = -1
    results: list[Item] = []
    for event in trace.events:
        if event.prompt != prompt:
            prompt = event.prompt
            items.append(Item("prompt", script.prompts[prompt].text))
            results = []
        if isinstance(event, Execution):
            if event.call is not None:  # a run that no call asked for says nothing of the record
                yield event, items + results[: event.call]
            continue
        interrupted = isinstance(event, Ending) and event.problem is not None and _in_tool(event)
        if not interrupted:
            items = items + results
        else:
            items = items + results[: _place(trace, event)]
        results = []
        yield event, items
        if isinstance(event, Ending) and _stopped(script, event, items):
            items = [*items, Item("given", event.record[-1])]
        if isinstance(event, Request) and event.reply is not None:
            items = [*items, Item("reply", event.reply)]
            if not failed(event.reply):
                results = [Item("result", c) for c in calls_of(event.reply)]


def due(event: Event, harness: Any) -> bool:
    """Whether the record has to be complete at this moment; some keep one of their own, turn by turn."""
    keeps = harness.policies.get("keeps", "callers-list")
    if keeps not in ("turns", "runs"):
        return True
    over = isinstance(event, Ending) and event.kind == "returned"
    return over or (keeps == "turns" and isinstance(event, Request))


def marks(harness: Any) -> bool:
    """Whether results of this harness say if they are errors; a harness that declares nothing has to."""
    return bool(harness.policies.get("marks", "yes") == "yes")


def handed_in(message: Any, harness: Any) -> Any:
    """What has to be left of a message that was handed in: all of it if the record is the caller's list."""
    if harness.policies.get("keeps", "callers-list") == "callers-list":
        return message
    return _essence(message, marks(harness))


def _essence(message: Any, marked: bool) -> Any:
    """What of a message travels, without the mark on results where a harness has none."""
    kept = essence(message)
    if not marked and isinstance(kept, dict):
        kept.pop("is_error", None)
    return kept


def _stopped(script: Conversation, ending: Ending, items: list[Item]) -> bool:
    """True if the harness itself wrote a last, failed message: the stop at a turn limit."""
    limit = script.prompts[ending.prompt].max_turns
    record = ending.record
    one_more = isinstance(record, list) and len(record) == len(items) + 1
    return isinstance(limit, int) and one_more and failed(record[-1])


def _in_tool(ending: Ending) -> bool:
    assert ending.problem is not None
    return bool(ending.problem.key and ending.problem.key.startswith("tool"))


def _place(trace: Trace, ending: Any) -> int:
    """Which call of the last reply was running when the interrupt came."""
    last = [e for e in trace.executions if e.prompt == ending.prompt][-1]
    return last.call or 0


def first_difference(items: list[Item], messages: Any) -> str | None:
    """Where a list departs from the story, in words; None if it does not."""
    if not isinstance(messages, (list, tuple)):
        return f"it is not a list but {type(messages).__name__}"
    for index, item in enumerate(items):
        if index >= len(messages):
            return f"{item.text()} is missing (it holds {len(messages)} messages, not {len(items)})"
        if not item.fits(messages[index]):
            return f"messages[{index}] should be {item.text()}, but it is {_said(messages[index])}"
    if len(messages) > len(items):
        return f"messages[{len(items)}] is one too many: {_said(messages[len(items)])}"
    return None


def listed(messages: Any) -> list[Any]:
    """A request's or record's messages; none if it is no list, which the provider's refusal tells."""
    return list(messages) if isinstance(messages, (list, tuple)) else []


def _said(message: Any) -> str:
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
            return f"messages[{i}] was {_said(before)}, and now it is {_said(now)}"
    if len(later) < len(earlier):
        return f"messages[{len(later)}] is missing: {_said(earlier[len(later)])}"
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


def no_refusal(trace: Trace) -> None:
    """Raise a violation if the strict provider refused a request."""
    for request in trace.requests:
        if request.refusal:
            owner = OWNERS.get(request.rule, "")
            raise Violation(f"the provider refused a request: {request.refusal}", step(request), owner)


def step(event: Any) -> str:
    """A trace event in words, as the first bad step of a message."""
    prompt = f"prompt {event.prompt + 1}, " if event.prompt else ""
    if isinstance(event, Request):
        return f"{prompt}request {event.number + 1}"
    if isinstance(event, Execution):
        return f"{prompt}tool {event.tool} run after request {event.request + 1}"
    return f"end of prompt {event.prompt + 1}"


def turns(prompt: Prompt) -> int:
    """How many model calls a prompt's replies are good for; a pager has no number of its own."""
    replies = prompt.replies
    return sum(getattr(r, "times", 1) for r in replies) if isinstance(replies, tuple) else 0
