"""LIMIT, exits that can be continued: failed replies, replies that were cut off, crashes and retries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapters.normal import blocks_of, empty, essence, failed, role_of
from properties.checks import check, equal, shown
from properties.messages import listed, unpaired, view
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import CUT_OFF, no_refusal, play, step
from strategies import tables
from strategies.altered import cut_off, retried
from strategies.conversations import FAILED_HISTORY, PLAIN, SENDABLE, End, conversations, with_failures
from strategies.draws import pick
from strategies.script import Call, Conversation, Prompt, Raw, Reply, Returns, Say

FAILED_WITH_CALLS = tuple(
    Conversation((Prompt("Go.", (Reply((Say("I will"), Call("f1"), Call("f2", "nope")), "error", said),)),))
    for said in (None, "", "429 rate limit", "tool_use")
)
CUT_SHORT = tuple(
    Conversation((*before, Prompt("Go.", (Reply((*words, *calls), label),)), Prompt("And now?")))
    for label in CUT_OFF
    for calls in ((Call("c1", "echo", {"text": "a"}),), (Call("c1"), Call("c2", "echo", {"text": "b"})))
    for words in ((), (Say("I will look."),))
    for before in ((), (Prompt("Hello."),))
)


@law(
    "LIMIT-03", tier=COURSE, needs=("error-reply", "record"),
    source="lesson 5, a failed reply is never acted on",
    after=("LOOP-01", "LOOP-13"), draws=conversations(
        ends=(End.FAILED_EMPTY, End.FAILED_TEXT),
        last_ends=(End.FAILED_CALLS, End.FAILED_TEXT, End.FAILED_CALLS, End.FAILED_EMPTY),
        max_rounds=2,
    ),
    examples=FAILED_WITH_CALLS,
    hint='stop_reason "error" is the failure: record the reply, return it, run nothing in it.',
)  # fmt: skip
def a_failed_reply_is_not_acted_on(script: Conversation, harness: Any) -> None:
    """A failed reply is recorded, returned, ends the run, and nothing in it is acted on.

    Catches calls of a failed reply that run, retries nobody asked for, and failures judged by
    error_message.
    """
    trace = play(script, harness)
    for prompt in range(len(script.prompts)):
        for one in trace.rounds(prompt):
            reply = one.request.reply
            if reply is None or not failed(reply):
                continue
            where = step(one.request)
            check(not one.executions, "a call of a failed reply was run", where)
            check(one.last, "the model was called again after a failed reply", where)
            ending = trace.endings[prompt]
            last = ending.record[-1] if ending.record else None
            equal(_words(last), _words(reply), "the record's last message after a failed reply", where)
            equal(_words(ending.returned), _words(reply), "what was returned after a failed reply", where)


def _words(message: Any) -> Any:
    label = message.get("stop_reason") if isinstance(message, dict) else None
    return essence(message), label


@law(
    "LIMIT-04", tier=COURSE, version=2, needs=("error-reply", "record"),
    source="lesson 5 and 6, context_for_model",
    after=("LIMIT-03", "LIMIT-02"), draws=conversations(
        ends=(End.FAILED_EMPTY, End.FAILED_TEXT, End.LIMIT), last_ends=(*PLAIN, End.FAILED_EMPTY),
        max_prompts=3, max_rounds=1, histories=((), FAILED_HISTORY), extras=tables.ONCE,
    ),
    examples=tuple(
        Conversation((Prompt("Go.", (Reply((), "error", said),)), Prompt("And now?")))
        for said in ("overloaded", None, "", "429 rate limit")
    ),
    hint="Keep an empty failed reply in the record, and leave it out of what is sent.",
)  # fmt: skip
def empty_failures_are_kept_and_not_sent(script: Conversation, harness: Any) -> None:
    """A reply both failed and empty stays recorded and is never sent; a failed text is sent.

    Catches empty messages that a provider refuses, and failures that vanish from the record.
    """
    trace = play(script, harness, refusals=True)
    for request in trace.requests:
        sent = listed(request.messages)
        for i, message in enumerate(sent):
            check(not (failed(message) and empty(message)),
                  f"messages[{i}] is a failed reply with nothing in it, and was sent",
                  step(request))  # fmt: skip
        wanted = [_texts(m) for m in view(request.record, harness) if failed(m) and _texts(m)]
        if any(isinstance(m, dict) and "stop_reason" in m for m in sent):
            given = [_texts(m) for m in sent if failed(m) and _texts(m)]
        else:  # the request has no labels, and blank words need not be sent
            wanted = [texts for texts in wanted if any(str(b.get("text")).strip() for b in texts)]
            given = _found(wanted, [_texts(m) for m in sent if role_of(m) == "assistant"])
        equal(given, wanted, "the words of failed replies as sent", step(request))
    kept = [m for m in trace.record if failed(m) and empty(m)]
    came = [m for m in (*script.history, *(r.reply for r in trace.requests)) if failed(m) and empty(m)]
    check(len(kept) >= len(came), f"{len(came)} empty failed replies came, {len(kept)} are recorded")


@also(
    "LIMIT-04", tier=PRINCIPLE,
    draws=conversations(
        ends=(End.FAILED_CALLS,), last_ends=PLAIN, max_prompts=2, max_rounds=1, extras=tables.ONCE
    ),
)  # fmt: skip
def words_beside_failed_calls_are_sent(script: Conversation, harness: Any) -> None:
    """The words of a failed reply are sent when it holds calls, too.

    Catches views that leave out the whole reply because of its calls.
    """
    trace = play(script, harness, refusals=True)
    for request in trace.requests:
        replies = [m for m in listed(request.messages) if role_of(m) == "assistant"]
        sent = [block.get("text") for reply in replies for block in _texts(reply)]
        for message in view(request.record, harness):
            for block in _texts(message) if failed(message) else ():
                said = f"the words {shown(block.get('text'))} of a failed reply were not sent"
                check(block.get("text") in sent, said, step(request))


def _found(wanted: list[Any], there: list[Any]) -> list[Any]:
    """Those of the wanted that are there, each as often as it is, in order."""
    left = list(there)
    found = []
    for one in wanted:
        if one in left:
            left.remove(one)
            found.append(one)
    return found


def _texts(message: Any) -> list[Any]:
    return [b for b in blocks_of(message) if isinstance(b, dict) and b.get("type") == "text"]


@law(
    "LIMIT-05", tier=PRINCIPLE, version=2, needs=("record",),
    source="lesson 5, every exit leaves a transcript",
    after=("LOOP-12", "TOOL-06"), draws=conversations(
        ends=(End.FAILED_CALLS, End.CRASH, End.INTERRUPT, *SENDABLE), last_ends=PLAIN, max_prompts=4,
        max_rounds=2, extras=tables.ONCE,
    ),
    examples=tuple(
        Conversation((
            Prompt("Go.", (Reply((*words, Call("f1", "echo", {}, Returns("r1"))), "error", "overloaded"),)),
            Prompt("Well?"),
        ))
        for words in ((), (Say("I will look."),))
    ),
    hint="Ask of every way out: could the next prompt be sent on top of this list?",
)  # fmt: skip
def every_exit_can_be_continued(script: Conversation, harness: Any) -> None:
    """Every exit, crashes and failed calls included, leaves a record that takes another prompt.

    Catches calls of a failed reply that are sent again without results.
    """
    trace = play(script, harness, refusals=True)
    no_refusal(trace)
    record = [essence(m) for m in trace.record]
    asked = [p.text for p in script.prompts]
    found = [m.get("content") for m in record[len(script.history) :] if role_of(m) == "user"]
    equal(found, asked, "the prompts in the record")


@also("LIMIT-05", tier=PRINCIPLE, draws=pick(CUT_SHORT))
def a_reply_cut_off_can_be_continued(script: Conversation, harness: Any) -> None:
    """Calls of a reply that was cut off are answered or taken back, run or not; the next prompt can be sent.

    Catches calls that are not run because of the label, and stay open in the record.
    """
    trace = play(script, harness, refusals=True, cut_off=True)
    no_refusal(trace)
    for ending in trace.endings:
        wrong = unpaired(ending.record)
        check(not wrong, f"in the record, {wrong}", step(ending))


@law(
    "LIMIT-07", tier=FIELD, needs=("raw-arguments",), source="public reports of cut calls that were executed",
    after=("TOOL-09",), draws=with_failures(
        tuple((Raw(text), None) for text in tables.CUT_SHORT), unknown=(), max_calls=2
    ).map(cut_off),
    hint="A reply cut by length may hold half a call: never run what does not parse.",
)  # fmt: skip
def a_cut_call_has_no_effect(script: Conversation, harness: Any) -> None:
    """A reply cut by length whose call arguments are incomplete has no side effect.

    Catches half a call that is repaired, defaulted to {} and run.
    """
    trace = play(script, harness)
    for run in trace.executions:
        cut = run.does is not None and isinstance(run.does.arguments, Raw)
        check(not cut, "a call that was cut off in the middle was run", step(run))


@law(
    "LIMIT-08", tier=FIELD, needs=("retry",), source="public reports of retries that store a prompt twice",
    after=("LOOP-01",),
    draws=retried(conversations(ends=PLAIN, max_prompts=2, max_rounds=2, extras=tables.ONCE)),
    hint="A retry repeats the request, never the history and never a tool.",
)  # fmt: skip
def a_retry_leaves_one_try(script: Conversation, harness: Any) -> None:
    """A provider failure that is retried leaves the history of one try; no tool runs twice.

    Catches prompts stored twice, and tools run again after a failed request.
    """
    if "exit-status" in harness.capabilities:  # a program may give up: it is judged by what it sends again
        return
    trace = play(script, harness)
    calm = replace(script, prompts=tuple(
        replace(p, replies=tuple(r for r in p.replies if isinstance(r, Reply)))  # type: ignore[union-attr]
        for p in script.prompts
    ))  # fmt: skip
    once = play(calm, harness)
    equal([essence(m) for m in trace.record], [essence(m) for m in once.record], "the record after a retry")
    equal([(e.tool, e.arguments) for e in trace.executions], [(e.tool, e.arguments) for e in once.executions],
          "what the tools were asked after a retry")  # fmt: skip
