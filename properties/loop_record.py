"""LOOP, what the run leaves behind: the caller's own list, complete at every moment."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of, essence, failed, role_of
from adapters.trace import Ending, Trace
from properties.checks import Violation, check, equal, fail
from properties.expected import before_each, due, first_difference, handed_in
from properties.laid_out import same_result
from properties.loop_requests import MIXED_BATCHES
from properties.refusals import turned_down
from properties.registry import COURSE, FIELD, law
from properties.story import play, step
from strategies import tables
from strategies.altered import meddled
from strategies.conversations import PLAIN, SENDABLE, End, conversations
from strategies.replies import COLLIDING, call_specs
from strategies.script import Call, Changes, Conversation, Crash, Odd, Prompt, Reply, Returns, Say

DYING = (*SENDABLE[:6], End.INTERRUPT, End.CRASH, End.INTERRUPT)
LESSON_3_DYING = (*PLAIN, End.INTERRUPT, End.CRASH)


@law(
    "LOOP-07", tier=COURSE, needs=("record",), source="lesson 3, statement 3 and what a run leaves behind",
    after=("LOOP-05",),
    draws=conversations(ends=SENDABLE, last_ends=DYING, max_rounds=2),
    lesson3=conversations(ends=PLAIN, last_ends=LESSON_3_DYING, max_rounds=2),
    examples=(
        Conversation((
            Prompt("Go.", (Reply((), "error", "overloaded"),)),
            Prompt("Go.", (Reply((Say("The bug"),), "error", "overloaded"),)), Prompt("Well?", (Crash(),)),
        )),
        Conversation((Prompt("Go."), Prompt("Go."))),
    ),
    hint="Append to the caller's list the moment something exists; never copy, never tidy up.",
)  # fmt: skip
def the_record_is_the_callers_list(script: Conversation, harness: Any) -> None:
    """The caller's list holds each message by the next request or execution, once, in order.

    Catches private copies, messages recorded late, and runs that roll back when they die.
    """
    trace = play(script, harness)
    retried = {r.prompt for r in trace.requests if r.crashed}
    before: list[Any] = []
    for event, items in before_each(script, trace, harness):
        if event.prompt in retried and harness.policies["provider-errors"] == "other":
            break  # what a retry leaves is judged by LIMIT-08
        if not due(event, harness):
            continue
        record = event.record
        stopped = isinstance(event, Ending) and isinstance(record, list) and _stopped(record, items)
        wrong = first_difference(items, record[:-1] if stopped else record)
        if wrong:
            raise Violation(f"the caller's list is not complete: {wrong}", step(event), "LOOP-06")
        kept = record[: len(before)]
        if kept != before:  # extra keys may come and go, what travels may not
            equal([essence(m) for m in kept], [essence(m) for m in before],
                  "what already stood in the caller's list", step(event))  # fmt: skip
        before = record


def _stopped(record: list[Any], items: list[Any]) -> bool:
    """True if the list ends on a failed reply that the harness wrote itself (a turn limit)."""
    return len(record) == len(items) + 1 and failed(record[-1])


@law(
    "LOOP-13", tier=COURSE, version=2, needs=("record",), source="lesson 3, statement 3",
    after=("LOOP-03", "LOOP-07"), draws=conversations(ends=SENDABLE[:6], max_rounds=3),
    lesson3=conversations(ends=PLAIN), examples=(
        Conversation((Prompt("Go.", (
            Reply((Say("Let"), Call("c1", "echo", {"text": "a"}, Returns("r1")), Say(" me"), Odd(),
                   Call("c2", "echo", {"text": "b"}, Returns("r2")), Say("")), "length", "odd",
                  {"input": 3, "output": 4}),
            Reply((Say("It is"), Say(" "), Say("0.")), "end_turn", None, {"input": 9, "output": 2}),
        )),)),
        Conversation((Prompt("Go."), Prompt("Go."))),
    ),
    hint="Record the reply as it came: every block, its label, its error_message and its usage.",
)  # fmt: skip
def replies_are_recorded_as_they_came(script: Conversation, harness: Any) -> None:
    """A recorded reply equals the one that came: all blocks, label, error_message and usage.

    Catches text beside calls that is dropped, blocks merged or reordered, labels corrected.
    """
    trace = play(script, harness)
    late = harness.policies.get("keeps") == "runs"  # a run that raises was not recorded yet
    came = [
        r for r in trace.requests
        if r.reply is not None and not (late and trace.endings[r.prompt].kind != "returned")
    ]  # fmt: skip
    record = trace.record if isinstance(trace.record, list) else []
    own = [m for m in record[len(script.history) :] if role_of(m) == "assistant"]
    at, wanted = 0, sum(due(trace.endings[r.prompt], harness) for r in came)
    for request in came:
        reply: Any = request.reply
        while at < len(own) and _is_stop(own[at], reply):
            at += 1
        if due(trace.endings[request.prompt], harness):
            wanted -= 1
        elif len(own) - at <= wanted or own[at].get("content") != reply["content"]:
            continue  # its run broke off before the record was written; what was lost is LIMIT-05's affair
        if at >= len(own):
            fail("a reply is missing from the record", step(request))
        kept = own[at]
        _same_content(kept.get("content"), request)
        for key in ("stop_reason", "error_message", "usage"):
            if key in reply and _kept_as_it_is(key, reply, kept, harness):
                equal(kept.get(key), reply[key], f"{key} of a recorded reply", step(request))
        at += 1


def _same_content(kept: Any, request: Any) -> None:
    """Raise a Violation unless this is what came; where a tool edited its arguments, that is TOOL-08's."""
    try:
        equal(kept, request.reply["content"], "the content of a recorded reply", step(request))
    except Violation as wrong:
        edited = request.played and any(isinstance(c.does, Changes) for c in request.played.calls)
        raise Violation(str(wrong), wrong.step, "TOOL-08" if edited else wrong.owner) from None


def _kept_as_it_is(key: str, reply: Any, kept: Any, harness: Any) -> bool:
    """Whether this key of a reply has a place in the record of a harness with labels of its own."""
    labels = harness.policies.get("labels", "any")
    if labels == "none":
        return key == "usage" and key in kept
    if labels == "closed":
        return reply[key] in ("length", "error") if key == "stop_reason" else key in kept
    return True


def _is_stop(kept: Any, reply: Any) -> bool:
    """True if this is the harness's own failed message (a turn limit), not the reply."""
    if not failed(kept) or kept.get("content"):
        return False
    return bool(reply["content"]) or "max_turns" in str(kept.get("error_message"))


@law(
    "LOOP-16", tier=FIELD, needs=("loop",), source="public reports of calls keyed by their ids",
    after=("LOOP-01",), draws=conversations(
        ids=COLLIDING, ends=PLAIN, calls=call_specs(kinds=tables.kinds(tables.WELL_BEHAVED[:3])),
        allowed=(3, 4)),
    examples=(
        Conversation((Prompt("Go.", (
            Reply((Call("c1", "echo", {"text": "a"}, Returns("r1")),
                   Call("c1", "echo", {"text": "b"}, Returns("r2"))), "toolUse"), Reply((Say("Done."),)),
        )),), allowed=(3, 4)),
        Conversation((Prompt("Go.", (
            Reply((Call("c1", "echo", {"text": "null"}, Returns("r1")),
                   Call("c2", "echo", {"text": "True"}, Returns("r2"))), "toolUse"), Reply((Say("Done."),)),
        )),)),
    ),
    hint="Count calls by their place, never by their id, name or arguments.",
)  # fmt: skip
def calls_never_collapse(script: Conversation, harness: Any) -> None:
    """N calls give N executions and N results, whatever their ids, names and arguments.

    Catches dictionaries keyed by call id, and caches keyed by arguments.
    """
    trace = play(script, harness)
    not_run = turned_down(script, trace, harness)
    for prompt in range(len(script.prompts)):
        for one in trace.rounds(prompt):
            calls = calls_of(one.request.reply) if one.request.reply else []
            meant = [i for i in range(len(calls)) if (one.request.number, i) not in not_run]
            ran = len(one.executions)
            check(ran == len(meant), f"{len(meant)} calls gave {ran} executions", step(one.request))
            asked = sorted(((calls[i]["name"], calls[i]["arguments"]) for i in meant), key=repr)
            got = sorted(((e.tool, e.arguments) for e in one.executions), key=repr)
            equal(got, asked, "what the tools were asked", step(one.request))
            if one.last:
                continue
            following = trace.requests[one.request.number + 1].messages
            given = len(following) - len(one.request.messages) - 1
            check(given == len(calls), f"{len(calls)} calls gave {given} results", step(one.request))
            told = [m.get("content") for m in following[len(following) - given :]]
            played = one.request.played.calls if one.request.played else ()
            wanted = [c.does.text for c in played if isinstance(c.does, Returns)]
            same = len(wanted) != len(told) or all(same_result(told[i], wanted[i], harness) for i in meant)
            if not same:
                equal([told[i] for i in meant], [wanted[i] for i in meant], "the texts of the results",
                      step(one.request))  # fmt: skip


@law(
    "LOOP-18", tier=FIELD, needs=("loop",), source="public reports of caller's lists and tools edited",
    after=("LOOP-06",), draws=MIXED_BATCHES,
    unless=lambda policies: "nothing but prompts is handed in" if policies.get("system") == "own" else None,
    hint="What was handed in is not yours to edit; append to the list and touch nothing else.",
)  # fmt: skip
def nothing_handed_in_is_changed(script: Conversation, harness: Any) -> None:
    """System, tools, the messages already there and earlier requests stay as they were.

    Catches in-place edits of old messages, tools and requests already sent.
    """
    trace: Trace = harness.converse(script, watch=True)
    for number, index in trace.changed_requests:
        fail(f"messages[{index}] of request {number + 1} was changed after it was sent")
    pairs = zip(trace.tools_before, script.tools, strict=True)
    before = [{**shown_, **getattr(tool, "private", {})} for shown_, tool in pairs]
    equal(trace.tools_after, before, "the tools after the run")
    given = list(script.history)
    record = trace.record if isinstance(trace.record, list) else []
    kept = [handed_in(m, harness) for m in record[: len(given)]]
    equal(kept, [handed_in(m, harness) for m in given], "the messages that were handed in")


@law(
    "LOOP-21", tier=COURSE, needs=("record",), source="lesson 6, the listing's context_for_model",
    after=("LOOP-07",), draws=meddled(conversations(ends=SENDABLE, max_rounds=2)),
    hint="Hand the provider a list of its own, never the caller's list itself.",
)  # fmt: skip
def the_request_is_not_the_record(script: Conversation, harness: Any) -> None:
    """A provider that empties or extends the list it was handed changes nothing in the record.

    Catches the caller's own list handed out as the request.
    """
    trace = play(script, harness)
    for request in trace.requests:
        check(not request.aliased, "the provider was handed the caller's list itself", step(request))
    for event, items in before_each(script, trace, harness):
        if not due(event, harness):
            continue
        wrong = first_difference(items, event.record[: len(items)])
        check(not wrong, f"in the record, {wrong}", step(event))
