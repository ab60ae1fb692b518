"""LOOP, what makes it go round again: when the model is called, and what runs."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of, failed
from properties.checks import Violation, check, equal, fail, shown
from properties.refusals import turned_down
from properties.registry import COURSE, law
from properties.story import play, raised_at_limit, step, turns
from strategies import tables
from strategies.conversations import PLAIN, SENDABLE, End, conversations, repeated
from strategies.replies import call_specs
from strategies.script import Call, Conversation, Prompt, Raises, Reply, Say

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
TURNS_ABOUT = Conversation(
    (Prompt("Go.", (*(Reply((Call(f"c{n}", ("echo", "add")[n % 2]),), "toolUse") for n in range(6)), DONE)),),
    tables.TOOLS[:2],
)


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
