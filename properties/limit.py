"""LIMIT, knowing when to stop: turn limits, failed replies, and exits that can be continued."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adapters.normal import blocks_of, calls_of, empty, essence, failed, role_of
from adapters.trace import Ending
from properties.checks import check, equal, fail, shown
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import CUT_OFF, listed, no_refusal, play, step, turns, unpaired, view
from strategies import tables
from strategies.conversations import (
    FAILED_HISTORY,
    PLAIN,
    SENDABLE,
    End,
    conversations,
    cut_off,
    repeated,
    retried,
    with_failures,
)  # fmt: skip
from strategies.draws import pick
from strategies.script import Call, Conversation, Prompt, Raw, Reply, Returns, Say

LIMITED = (End.LIMIT, End.LIMIT_EXACT, End.LIMIT_ROOM, End.LIMIT_NONE)


def _limited(turns: int, limit: int | None) -> Conversation:
    """`turns` replies with a call and an answer, under a turn limit."""
    one = repeated(turns, glance=True)
    return replace(one, prompts=(replace(one.prompts[0], max_turns=limit), Prompt("Again.")))


BEYOND_DEFAULTS = (_limited(120, 101), _limited(101, None), _limited(1, 0), _limited(60, 60))
ASKING_TOO_MUCH = Conversation((
    Prompt("Go.", (Reply(tuple(Call(f"c{n}", "echo", {}, Returns(f"r{n}")) for n in range(1, 6)), "toolUse"),
                   Reply((Call("d1", "echo", {}, Returns("r6")),)), Reply((Say("Done."),))), 3),
))  # fmt: skip
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


def _other_limit(policies: Any) -> str | None:
    told = policies["turn-limit"]
    return None if told == "failed-reply" else "it declares another way of showing the turn limit"


@law(
    "LIMIT-01", tier=COURSE, needs=("max-turns",), source="lesson 5, max_turns model calls",
    after=("LOOP-01", "LOOP-09"), draws=conversations(ends=LIMITED, max_prompts=3),
    examples=(*BEYOND_DEFAULTS, ASKING_TOO_MUCH),
    hint="Count model calls, in this run only, and check before the call.",
)  # fmt: skip
def at_most_max_turns_requests(script: Conversation, harness: Any) -> None:
    """With max_turns=N there are at most N requests, exactly N when the model wants more.

    Finishing on the N-th is no error; None is no limit. Catches off-by-ones, tool calls counted
    as turns, and counters that run on over several prompts.
    """
    trace = play(script, harness)
    for prompt, given in enumerate(script.prompts):
        limit = given.max_turns
        made = len(trace.rounds(prompt))
        wanted = turns(given)
        due = min(wanted, limit) if isinstance(limit, int) else wanted
        where = f"prompt {prompt + 1} with max_turns={limit}"
        check(made == due, f"the model was called {made} times, not {due}", where)
        answered = not given.replies[-1].calls  # type: ignore[index, union-attr]
        if answered and due == wanted:
            ending = trace.endings[prompt]
            back, problem = ending.returned, ending.problem
            if problem is not None and problem.key is None:
                fail(f"the model was done after {wanted} turns, but the run raised {problem.type}", where)
            enough = not (failed(back) and not failed(_last(given)))
            check(enough, f"the model was done after {wanted} turns, but the run ended as failed", where)


def _last(prompt: Prompt) -> Any:
    last: Any = prompt.replies[-1]  # type: ignore[index]
    return {"role": "assistant", "stop_reason": getattr(last, "label", None)}


def _stops(script: Conversation, trace: Any) -> list[tuple[Ending, int]]:
    """The endings of prompts that the turn limit ended, each with its limit."""
    found = []
    for ending in trace.endings:
        limit = script.prompts[ending.prompt].max_turns
        rounds = trace.rounds(ending.prompt)
        asks = not rounds or bool(rounds[-1].request.reply and calls_of(rounds[-1].request.reply))
        sound = not rounds or not failed(rounds[-1].request.reply)
        if isinstance(limit, int) and len(rounds) == limit and asks and sound:
            found.append((ending, limit))
    return found


@law(
    "LIMIT-02", tier=COURSE, needs=("max-turns", "record"), source="lesson 5; lesson 6, warm-up 1",
    after=("LIMIT-01", "LOOP-07"), draws=conversations(ends=(End.LIMIT, End.LIMIT_EXACT), max_prompts=2),
    examples=BEYOND_DEFAULTS, unless=_other_limit,
    hint="Write the stop into the list as error_message(...) and return it; do not raise.",
)  # fmt: skip
def the_stop_is_written_down(script: Conversation, harness: Any) -> None:
    """A stop at the limit is in the record as a failed reply with a non-empty error_message.

    Catches runs that just end, raise, or note the stop anywhere but in the list.
    """
    trace = play(script, harness)
    for ending, limit in _stops(script, trace):
        where = f"{step(ending)}, max_turns={limit}"
        check(ending.kind == "returned", "the run did not return a message at the limit", where)
        last = ending.record[-1] if ending.record else None
        if not failed(last):
            fail(f"the record ends on {shown(last)}, not on a failed reply that says why", where)
        said = last.get("error_message") if isinstance(last, dict) else None
        check(isinstance(said, str) and said.strip(), f"the stop's error_message is {shown(said)}", where)
        before = ending.record[-2] if len(ending.record) > 1 else {}
        check(role_of(before) in ("toolResult", "user"),
              "a reply was bought and then thrown away at the limit", where)  # fmt: skip


@also("LIMIT-02", tier=PRINCIPLE, draws=conversations(ends=(End.LIMIT,), max_prompts=2), unless=_other_limit)
def the_stop_says_the_number(script: Conversation, harness: Any) -> None:
    """The message of a stop at the limit says the limit's number.

    Catches stops that leave the caller guessing which limit it was.
    """
    trace = play(script, harness)
    for ending, limit in _stops(script, trace):
        said = str(ending.record[-1].get("error_message")) if ending.record else ""
        check(str(limit) in said, f"the stop at max_turns={limit} says {shown(said)}", step(ending))


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
    "LIMIT-04", tier=COURSE, needs=("error-reply", "record"), source="lesson 5 and 6, context_for_model",
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
        given = [_texts(m) for m in sent if failed(m) and _texts(m)]
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


def _texts(message: Any) -> list[Any]:
    return [b for b in blocks_of(message) if isinstance(b, dict) and b.get("type") == "text"]


@law(
    "LIMIT-05", version=2, tier=PRINCIPLE, needs=("record",),
    source="lesson 5, every exit leaves a transcript", after=("LOOP-12", "TOOL-06"), draws=conversations(
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
    "LIMIT-06", tier=FIELD, needs=("loop", "max-turns", "error-reply"),
    source="public reports of cut answers that look like finished ones", after=("LIMIT-02", "LIMIT-03"),
    draws=conversations(ends=(End.ANSWER,), max_prompts=1, max_rounds=2, min_rounds=1, extras=tables.ONCE,
                        label_table=("stop", "toolUse", "end_turn")),
    hint="The caller must be able to tell done, cut, limit, failed and cancelled apart.",
    implied_by="LOOP-08, LOOP-13, LOOP-20 and LIMIT-02 say what each of these endings looks like",
)  # fmt: skip
def the_outcome_says_why(script: Conversation, harness: Any) -> None:
    """Why a run ended is told apart in the outcome: done, cut by length, limit, failed, cancelled.

    Catches outcomes that drop the label or the reason.
    """
    seen: dict[Any, str] = {}
    for why, variant in _variants(script).items():
        ending = play(variant, harness).endings[-1]
        back = ending.returned if isinstance(ending.returned, dict) else {}
        label = back.get("stop_reason")
        face = (ending.kind, ending.problem and ending.problem.type,
                label if label in ("length", "error") else "other", back.get("error_message"))  # fmt: skip
        check(face not in seen, f"a run that ended by {why} looks like one that ended by {seen.get(face)}")
        seen[face] = why


def _variants(script: Conversation) -> dict[str, Conversation]:
    """The same conversation with each way of ending."""
    prompt = script.prompts[0]
    rounds: tuple[Any, ...] = prompt.replies[:-1]  # type: ignore[index]
    turns = sum(r.times for r in rounds)

    def ending(*last: Any, limit: Any = prompt.max_turns) -> Conversation:
        return replace(script, prompts=(replace(prompt, replies=(*rounds, *last), max_turns=limit),))

    from strategies.script import Crash

    return {
        "an answer": ending(Reply((Say("Done."),), "stop")),
        "a cut answer": ending(Reply((Say("Do"),), "length")),
        "the turn limit": ending(limit=turns),
        "a failed reply": ending(Reply((), "error", "overloaded")),
        "a cancel": ending(Crash("KeyboardInterrupt", "")),
    }


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
    trace = play(script, harness)
    calm = replace(script, prompts=tuple(
        replace(p, replies=tuple(r for r in p.replies if isinstance(r, Reply)))  # type: ignore[union-attr]
        for p in script.prompts
    ))  # fmt: skip
    once = play(calm, harness)
    equal([essence(m) for m in trace.record], [essence(m) for m in once.record], "the record after a retry")
    equal([(e.tool, e.arguments) for e in trace.executions], [(e.tool, e.arguments) for e in once.executions],
          "what the tools were asked after a retry")  # fmt: skip
