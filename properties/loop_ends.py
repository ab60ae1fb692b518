"""LOOP, how a run ends: what is given back, empty replies, endless asking, and what the provider raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.normal import blocks_of, calls_of, essence, failed, role_of
from adapters.trace import Ending
from properties.checks import check, equal, fail, shown
from properties.messages import bare
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import at_limit, no_refusal, play, step
from strategies import tables
from strategies.altered import emptied
from strategies.conversations import PLAIN, SENDABLE, End, conversations
from strategies.draws import pick
from strategies.script import ABSENT, Call, Conversation, Crash, Prompt, Reply, Say

LESSON_3 = conversations(ends=PLAIN)
STRANGE = (ABSENT, False, 0)  # labels of the wrong type, or none


@law(
    "LOOP-08", tier=COURSE, needs=("loop", "record"), source="lesson 3, statement 10",
    after=("LOOP-01", "LIMIT-02", "LIMIT-03"), lesson3=LESSON_3, draws=conversations(ends=SENDABLE),
    hint="run_agent returns the last message of the list: the one that asked for nothing more.",
)  # fmt: skip
def returns_the_last_message(script: Conversation, harness: Any) -> None:
    """What is returned is the record's last message, and holds no call unless it failed.

    Catches runs that return None, the text, the first reply, or a copy of something else.
    """
    trace = play(script, harness)
    for ending in trace.endings:
        if ending.kind != "returned" or not ending.record:
            continue
        if harness.policies["turn-limit"] == "other" and at_limit(script, trace, ending):
            continue  # what is given back at the limit is its own affair
        back, last = ending.returned, ending.record[-1]
        if role_of(back) == "?":
            fail(f"run_agent returned {shown(back)} instead of a message", step(ending))
        told = _answer(harness)
        if told is not _words or not _words(last).endswith(_words(back)):
            equal(told(back), told(last), "what run_agent returned", step(ending))
        check(failed(back) or not calls_of(back), "the message returned still asks for tools",
              step(ending))  # fmt: skip


def _answer(harness: Any) -> Callable[[Any], Any]:
    """What of a message a run gives back: all of it, or the words alone (the last ones at least)."""
    return _words if harness.policies.get("answer") == "text" else _labelled


def _words(message: Any) -> str:
    return "".join(str(b.get("text", "")) for b in blocks_of(message) if isinstance(b, dict))


def _labelled(message: Any) -> Any:
    about = ("stop_reason", "error_message", "usage")
    given = message if isinstance(message, dict) else {}
    return essence(message), {key: given[key] for key in about if key in given}


@law(
    "LOOP-17", tier=FIELD, needs=("loop",),
    source="public reports of replies that hold neither text nor call",
    after=("LOOP-01",), draws=emptied(conversations(ends=PLAIN)),
    unless=lambda policies: (
        "it asks again where a reply is empty" if policies.get("empty-replies") == "again" else None
    ),
    hint="An empty reply ends the run, is shown to the caller, and is never sent back.",
)  # fmt: skip
def an_empty_reply_ends_visibly(script: Conversation, harness: Any) -> None:
    """A reply with neither text nor call ends the run, is visible, and spoils no later request.

    Catches empty assistant messages that are replayed, swallowed, or asked about for ever.
    """
    trace = play(script, harness, refusals=True)
    no_refusal(trace)
    for request in trace.requests:
        blocks = [] if request.reply is None else blocks_of(request.reply)
        if request.reply is None or any(b.get("type") in ("text", "toolCall") for b in blocks):
            continue
        ending = trace.endings[request.prompt]
        if trace.rounds(request.prompt)[-1].request is not request:
            check("retry" in harness.capabilities, "an empty reply did not end the run", step(request))
            continue  # it is asked for again, as often as the provider has patience
        seen = ending.kind == "raised" or role_of(ending.returned) == "assistant"
        check(seen, "an empty reply left nothing for the caller to see", step(ending))
        if ending.kind == "returned" and "record" in harness.capabilities:
            told = _answer(harness)
            kept = told(ending.record[-1] if ending.record else None)
            what = "the end of the record after an empty reply"
            equal(kept, told(ending.returned), what, step(ending))


@law(
    "LOOP-19", tier=FIELD, needs=("loop",),
    source="public reports of labels of the wrong type and of endless nudges",
    after=("LOOP-01",), draws=conversations(
        ends=SENDABLE, label_table=(*tables.LABELS, *STRANGE, "tool_calls")
    ),
    examples=tuple(Conversation((Prompt("Go.", (Reply((Say("Done."),), label),)),)) for label in STRANGE),
    hint="Nothing new to say means nothing to send: never send the same request twice.",
)  # fmt: skip
def no_request_is_sent_twice(script: Conversation, harness: Any) -> None:
    """The number of requests is bounded by the script: no request equals the one before it.

    Catches retries and nudges that a label sets off.
    """
    trace = play(script, harness)
    check(not any(r.extra for r in trace.requests), "the model was called after the script was over")
    for before, now in zip(trace.requests, trace.requests[1:], strict=False):
        same = before.prompt == now.prompt and bare(before.messages) == bare(now.messages)
        check(not same or before.refusal, "the same request was sent twice in a row", step(now))


def _other_errors(policies: Any) -> str | None:
    told = policies["provider-errors"]
    return "it declares another policy for provider errors" if told == "other" else None


COPIED = "TimeoutError"  # Python's asyncio hands on a new one where it comes out of another thread


@law(
    "LOOP-20", tier=COURSE, version=2, needs=("loop", "record"), source="lesson 6, warm-up 2",
    after=("LOOP-01", "LOOP-07"), draws=conversations(ends=PLAIN, last_ends=(End.CRASH,)),
    lesson3=conversations(ends=PLAIN, last_ends=(End.CRASH,)),
    unless=_other_errors,
    hint="Do not catch what model.complete raises: the caller holds the list and handles it.",
)  # fmt: skip
def provider_errors_come_out(script: Conversation, harness: Any) -> None:
    """An exception out of the provider comes out of the run as it is, the record as it stood.

    Catches loops that swallow, wrap or retry it, or that tidy the record up afterwards.
    """
    trace = harness.converse(script)
    for request in trace.requests:
        if request.crashed is None:
            continue
        ending: Ending = trace.endings[request.prompt]
        check(ending.kind == "raised", f"{request.crashed} out of the provider did not come out of run_agent",
              step(request))  # fmt: skip
        assert ending.problem is not None
        copied = request.crashed == ending.problem.type == COPIED and _raised(script, ending.problem.text)
        check(copied or (ending.problem.key or "").startswith("crash"),
              f"{request.crashed} went in, but {ending.problem.type} came out", step(request))  # fmt: skip
        equal(bare(ending.record), bare(request.record), "the record after the exception", step(ending))


def _raised(script: Conversation, text: str) -> bool:
    """Whether the provider raised such an error with these words."""
    replies = [reply for p in script.prompts if isinstance(p.replies, tuple) for reply in p.replies]
    return any(isinstance(r, Crash) and (r.type, r.text) == (COPIED, text) for r in replies)


ASKS = Reply((Call("c1", "echo", {"text": "a"}),), "toolUse")


@also(
    "LOOP-20", tier=PRINCIPLE, draws=pick(tuple(
        Conversation((Prompt("Go.", (*before, Crash(kind, ""))), *after))
        for kind in tables.INTERRUPTS for before in ((), (ASKS,)) for after in ((), (Prompt("Well?"),))
    )),
    unless=_other_errors,
)  # fmt: skip
def an_interrupt_comes_out_of_the_provider(script: Conversation, harness: Any) -> None:
    """Ctrl-C while the model is asked comes out of the run as it is, the record as it stood.

    Catches loops that turn it into a reply or a result.
    """
    provider_errors_come_out(script, harness)
