"""LOOP, what makes it go round again: when the model is called, what runs, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.normal import blocks_of, calls_of, essence, failed, role_of, short
from adapters.trace import Ending, Trace
from properties.checks import Violation, check, equal, fail, shown
from properties.refusals import turned_down
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import at_limit, no_refusal, play, raised_at_limit, step, turns
from strategies import tables
from strategies.conversations import (
    PLAIN,
    SENDABLE,
    End,
    conversations,
    emptied,
    pairs,
    relabelled,
    repeated,
)  # fmt: skip
from strategies.draws import pick
from strategies.replies import call_specs
from strategies.script import ABSENT, Call, Conversation, Crash, Pair, Prompt, Raises, Reply, Say

LESSON_3 = conversations(ends=PLAIN)
ODD_CALLS = tuple(
    Call(f"c{n}", "echo", given) for n, given in enumerate((
        {"text": None}, {}, {"text": ""}, {"text": {"a": [1, {"b": None}]}}, {"text": "a"},
        {"text": "a", "x": 0}, {"text": True}, {"text": 1.5}, {"text": []}, {"": ""},
    ))
)  # fmt: skip
LONG_RUN = repeated(200, glance=True)
DEEP_RUN = repeated(1100, glance=True)
NO_TOOLS = ((),)
DONE = Reply((Say("Done."),))
STRANGE = (ABSENT, False, 0)  # labels of the wrong type, or none
TURNS_ABOUT = Conversation(
    (Prompt("Go.", (*(Reply((Call(f"c{n}", ("echo", "add")[n % 2]),), "toolUse") for n in range(6)), DONE)),),
    tables.TOOLS[:2],
)
SMALL = conversations(ends=SENDABLE, max_rounds=1, extras=tables.ONCE, systems=tables.SYSTEMS)
SMALL_3 = conversations(ends=PLAIN, max_rounds=1, extras=tables.ONCE)


@law(
    "LOOP-01", tier=COURSE, needs=("loop",), source="lesson 3, statements 1, 4 and 6",
    draws=conversations(ends=SENDABLE, max_rounds=3, extras=tables.ONCE), lesson3=LESSON_3,
    examples=(
        Conversation((Prompt("Go.", (Reply((Call(),), "toolUse", "429 rate limit"), DONE)),)),
        Conversation((Prompt("Go.", (Reply((Say("All done!"), Call()), "stop"), DONE)),)),
        TURNS_ABOUT,
        Conversation((Prompt("Go.", (DONE,)), Prompt("Go.", (Reply((Say(" "),)),))), ()),
        Conversation((Prompt("Go.", (Reply((Say(""),)),)), Prompt("Go.", (Reply((Say("\n"),), None),))), ()),
    ),
    hint="Ask the content, not the label: go round again exactly when the reply holds a tool call.",
)  # fmt: skip
def goes_round_exactly_when_asked(script: Conversation, harness: Any) -> None:
    """The model is called again if and only if the last reply holds a call and did not fail.

    Catches loops that follow the stop label, the text, or a counter.
    """
    trace = play(script, harness)
    for prompt, given in enumerate(script.prompts):
        limit = given.max_turns if isinstance(given.max_turns, int) else None
        rounds = trace.rounds(prompt)
        check(rounds or limit is not None, "the model was never called", f"prompt {prompt + 1}")
        for one in rounds:
            reply = one.request.reply
            asks = reply is not None and calls_of(reply) and not failed(reply)
            label = _label(reply)
            if asks and one.last and limit is None:
                fail(f"a reply that holds a call ({label}) ended the run", step(one.request))
            if reply is not None and not asks and not one.last:
                what = "failed" if failed(reply) else "holds no call"
                fail(f"the model was called again after a reply that {what} ({label})",
                     step(one.request))  # fmt: skip


def _label(reply: Any) -> str:
    """What a reply says about itself, for a message."""
    said = f"label {shown(reply.get('stop_reason'))}" if reply else "no reply"
    more = f", error_message {shown(reply['error_message'])}" if reply and "error_message" in reply else ""
    return said + more


@law(
    "LOOP-02", tier=COURSE, needs=("loop",), source="lesson 3, the label on the box",
    draws=relabelled(conversations(ends=(*PLAIN, End.FAILED_TEXT), extras=tables.ONCE, max_rounds=2)),
    lesson3=relabelled(LESSON_3),
    after=("LOOP-01",),
    implied_by="LOOP-01, LOOP-05, LOOP-06, LOOP-07 and LOOP-13 draw labels that say anything",
    hint="The stop label is a note about how the writing ended; nothing may depend on it.",
)  # fmt: skip
def labels_change_nothing(script: Any, harness: Any) -> None:
    """Rewriting every stop label but "error" changes no execution, no request and no record.

    Catches harnesses that treat a label as an instruction.
    """
    first = play(script.conversation, harness)
    second = play(script.second(), harness)
    when = "with other stop labels"
    equal(len(second.requests), len(first.requests), f"{when}, the number of requests")
    equal(_ran(second, harness), _ran(first, harness), f"{when}, what the tools were asked")
    equal(_bare(second.record), _bare(first.record), f"{when}, the record")
    for one, two in zip(first.requests, second.requests, strict=True):
        equal([short(m) for m in two.messages], [short(m) for m in one.messages],
              f"{when}, what was sent", step(one))  # fmt: skip
    last_one, last_two = first.requests[-1], second.requests[-1]
    equal(_bare(last_two.messages), _bare(last_one.messages), f"{when}, what was sent", step(last_one))


def _ran(trace: Trace, harness: Any) -> list[Any]:
    """What the tools were asked, in order; where calls run side by side, in no order of theirs."""
    ran = [(e.tool, e.arguments) for e in trace.executions]
    return sorted(ran, key=repr) if harness.policies["calls"] == "parallel" else ran


def _bare(messages: Any) -> Any:
    return [essence(m) for m in messages] if isinstance(messages, (list, tuple)) else messages


@also(
    "LOOP-02", tier=PRINCIPLE,
    draws=relabelled(conversations(ends=PLAIN, label_table=(ABSENT, "stop", None))),
)  # fmt: skip
def a_missing_label_changes_nothing(script: Any, harness: Any) -> None:
    """A reply without the key stop_reason is played like any other.

    Catches `reply["stop_reason"]` where the key may be absent.
    """
    labels_change_nothing(script, harness)


@law(
    "LOOP-05", tier=COURSE, needs=("loop",), source="lesson 3, statements 4 and 7",
    after=("LOOP-03",), lesson3=LESSON_3,
    draws=conversations(
        ends=(*PLAIN, End.LIMIT, End.FAILED_TEXT), unknown=tables.UNKNOWN[:4],
        calls=call_specs(kinds=tables.kinds(tables.MIXED), slots=4),
    ),
    examples=(
        repeated(1, calls=40), repeated(30),
        Conversation((Prompt("Go.", (Reply(ODD_CALLS, "toolUse"), DONE)),)),
    ),
    hint="Run every call of the reply, once each, in the order written, with its own arguments.",
)  # fmt: skip
def each_call_runs_once_in_order(script: Conversation, harness: Any) -> None:
    """Every call of a known tool in a reply that did not fail runs exactly once, in order.

    Catches calls that are skipped, merged, cached, repeated, reordered, or get other arguments.
    """
    trace = play(script, harness)
    known = {getattr(t, "name", None) for t in script.tools}
    not_run = turned_down(script, trace, harness)
    for prompt in range(len(script.prompts)):
        for one in trace.rounds(prompt):
            if one.last and not one.executions and raised_at_limit(script, trace, prompt, harness):
                continue  # the exception says that the run is not done
            reply, number = one.request.reply, one.request.number
            wanted = [] if reply is None or failed(reply) else calls_of(reply)
            asked = [(c["name"], c["arguments"]) for i, c in enumerate(wanted)
                     if c["name"] in known and (number, i) not in not_run]  # fmt: skip
            ran = [(e.tool, e.arguments) for e in one.executions]
            failing = any(e.does and isinstance(e.does.does, Raises) for e in one.executions)
            _same_runs(ran, asked, harness, step(one.request), "TOOL-04" if failing else "")


def _same_runs(ran: list[Any], asked: list[Any], harness: Any, where: str, owner: str) -> None:
    if harness.policies["calls"] == "parallel":
        ran, asked = sorted(ran, key=repr), sorted(asked, key=repr)
    if len(ran) != len(asked):
        said = f"the reply asked for {len(asked)} runs of known tools, and {len(ran)} took place"
        raise Violation(said, where, owner)
    for number, (found, wanted) in enumerate(zip(ran, asked, strict=True), 1):
        equal(found, wanted, f"run {number} (tool, arguments)", where)


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
    "LOOP-09", tier=COURSE, needs=("loop",), source="lesson 3, statement 8",
    after=("LOOP-01", "LOOP-03"), examples=(LONG_RUN, DEEP_RUN),
    lesson3=LESSON_3, lesson3_examples=(LONG_RUN, DEEP_RUN),
    draws=conversations(ends=PLAIN, max_prompts=1, min_rounds=1, max_rounds=2, max_calls=1,
                        extras=(*tables.TIMES, tables.EXTRAS[0])),
    hint="The loop has no turn count of its own; the model decides how long the job is.",
)  # fmt: skip
def has_no_turn_limit_of_its_own(script: Conversation, harness: Any) -> None:
    """Without max_turns, N replies with calls and an answer cost exactly N+1 requests.

    Catches hidden turn caps, loop detectors, and recursion that runs out of stack.
    """
    trace = play(script, harness)
    due, made = sum(map(turns, script.prompts)), len(trace.requests)
    check(made == due, f"{due - 1} replies with calls and an answer took {made} requests, not {due}")
    check(trace.left_over == 0, f"{trace.left_over} replies were never asked for")


@law(
    "LOOP-10", tier=COURSE, needs=("loop",), source="lesson 3, statement 9", after=("LOOP-01",),
    draws=conversations(max_rounds=0, toolsets=NO_TOOLS), implied_by="LOOP-01",
    lesson3=conversations(max_rounds=0, toolsets=NO_TOOLS),
    hint="With no tools and a plain answer there is nothing to go round for.",
)  # fmt: skip
def a_plain_answer_is_one_request(script: Conversation, harness: Any) -> None:
    """With no tools and a plain answer, a prompt costs one request.

    Catches loops that always ask once more.
    """
    trace = play(script, harness)
    for prompt in range(len(script.prompts)):
        made = len(trace.rounds(prompt))
        check(made == 1, f"a plain answer took {made} requests", f"prompt {prompt + 1}")


@law(
    "LOOP-14", tier=COURSE, needs=("loop",), source="lesson 3, one list for the whole server",
    after=("LOOP-01",), draws=pairs(first=SMALL, second=SMALL),
    lesson3=pairs(first=SMALL_3, second=SMALL_3),
    hint="Keep nothing between runs: no module-level lists, no mutable default arguments.",
)  # fmt: skip
def runs_share_nothing(script: Pair, harness: Any) -> None:
    """Two runs on two lists in one process have nothing to do with each other.

    Catches conversations, counters and caches kept outside the caller's list.
    """
    alone = play(script.second, harness)
    play(script.first, harness)
    again = play(script.second, harness)
    for request in () if _own_system(harness) else (*alone.requests, *again.requests):
        what = f"the system text of a run is {shown(request.system)}, not {shown(script.second.system)}"
        if request.system != script.second.system:
            raise Violation(what, step(request), "LOOP-11")
    _same_trace(alone, again, "after another conversation in the same process", harness)


@law(
    "LOOP-15", tier=PRINCIPLE, needs=("loop",), source="lesson 3, what green tests hold still",
    after=("LOOP-14",), draws=conversations(
        ends=SENDABLE, max_rounds=2, unknown=tables.UNKNOWN,
        calls=call_specs(kinds=tables.kinds(tables.MIXED), slots=4),
    ),
    hint="The loop decides nothing by chance, clock or order of a set.",
)  # fmt: skip
def the_same_script_gives_the_same_trace(script: Conversation, harness: Any) -> None:
    """The same script played twice gives the same trace, extra keys aside.

    Catches random ids, clocks and sets that reach what the model is sent.
    """
    _same_trace(play(script, harness), play(script, harness), "played a second time", harness)


def _own_system(harness: Any) -> bool:
    """Whether the system prompt is the harness's own, in which the time of the day may stand."""
    return bool(harness.policies.get("system") == "own")


def _same_trace(one: Trace, two: Trace, when: str, harness: Any) -> None:
    equal(len(two.requests), len(one.requests), f"{when}, the number of requests")
    for first, second in zip(one.requests, two.requests, strict=True):
        if second.messages != first.messages:
            equal(_bare(second.messages), _bare(first.messages), f"{when}, what was sent", step(first))
        if not _own_system(harness):
            equal((second.system, second.tools), (first.system, first.tools),
                  f"{when}, the system text and tools", step(first))  # fmt: skip
    equal(_ran(two, harness), _ran(one, harness), f"{when}, what the tools were asked")
    equal(_bare(two.record), _bare(one.record), f"{when}, the record")
    ends = [(e.kind, e.problem and e.problem.type) for e in one.endings]
    equal([(e.kind, e.problem and e.problem.type) for e in two.endings], ends, f"{when}, how it ended")


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
        same = before.prompt == now.prompt and _bare(before.messages) == _bare(now.messages)
        check(not same or before.refusal, "the same request was sent twice in a row", step(now))


def _other_errors(policies: Any) -> str | None:
    told = policies["provider-errors"]
    return "it declares another policy for provider errors" if told == "other" else None


@law(
    "LOOP-20", tier=COURSE, needs=("loop", "record"), source="lesson 6, warm-up 2",
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
        check((ending.problem.key or "").startswith("crash"),
              f"{request.crashed} went in, but {ending.problem.type} came out", step(request))  # fmt: skip
        equal(_bare(ending.record), _bare(request.record), "the record after the exception", step(ending))


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
