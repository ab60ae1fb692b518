"""LOOP, what the model is sent: the whole list as it stands, paired, plain and unchanged."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of, essence, failed, role_of
from adapters.strict import unwritable
from adapters.trace import Request
from properties.checks import Violation, check, equal, fail, shown
from properties.expected import before_each, first_difference
from properties.messages import listed, results_of, rewritten, same_message, unpaired, view
from properties.registry import COURSE, PRINCIPLE, also, law
from properties.story import forgotten, play, step
from strategies import tables
from strategies.conversations import (
    FAILED_HISTORY,
    HISTORIES,
    PLAIN,
    SENDABLE,
    End,
    conversations,
    repeated,
)  # fmt: skip
from strategies.replies import call_specs
from strategies.script import Call, Conversation, Crash, Prompt, Raises, Reply, Returns, Say

ANY_CALLS = call_specs(kinds=tables.kinds(tables.MIXED), slots=4)
MIXED_BATCHES = conversations(ends=SENDABLE, unknown=tables.UNKNOWN, calls=ANY_CALLS)
LESSON_3 = conversations(ends=PLAIN)
BATCH = Conversation(
    (Prompt("Go.", (Reply(tuple(Call(f"c{n}", "echo", {"text": str(n)}, Returns(f"r{n}"))
                                for n in range(1, 31)), "toolUse"), Reply((Say("Done."),)))),)
)  # fmt: skip
ONE_ID = Conversation(tuple(
    Prompt("Go.", (Reply((Call("c1", tool),), "toolUse"), Reply((Say("Done."),)))) for tool in ("echo", "add")
), tables.TOOLS[:2])  # fmt: skip
AT_THE_LIMIT = Conversation((
    Prompt("Go.", (Reply((Call("c1"), Call("c2", "nope")), "toolUse"),), 1), Prompt("And now?"),
))  # fmt: skip
MISNAMED = Conversation((
    Prompt("Go.", (Reply((Call("c1"), Call("c2", "nope"), Call("c3")), "toolUse"), Reply((Say("Done."),)))),
))  # fmt: skip
UNKNOWN_CALL = Conversation(
    (Prompt("Go.", (Reply((Say("Let me look."), Call("c1", "nope")), "toolUse"), Reply((Say("Done."),)))),)
)
MANY_PROMPTS = Conversation(
    tuple(Prompt(f"Prompt {n}", repeated(2).prompts[0].replies) for n in range(25))
)
LONG_CALLS = (
    Call("c1", "echo", {"text": "a" * 400}, Returns("b " * 2000)),
    Call("c2", "echo", {}, Raises("ValueError", "boom")),
)  # fmt: skip
LONG_AND_OLD = Conversation((
    Prompt("Go. " * 90, (Reply((Say("I look. " * 50), *LONG_CALLS), "toolUse"), Reply((Say("So. " * 90),)))),
    Prompt("Again."), Prompt("And again."),
))  # fmt: skip


@law(
    "LOOP-03", tier=COURSE, version=2, needs=("loop",),
    source="lesson 3, statement 7; the provider's refusals",
    after=("LOOP-01",), draws=MIXED_BATCHES, examples=(BATCH, AT_THE_LIMIT, MISNAMED), lesson3=LESSON_3,
    lesson3_examples=(BATCH,),
    hint="One call in, exactly one result out, right after its reply and in call order.",
)  # fmt: skip
def each_call_has_its_result(script: Conversation, harness: Any) -> None:
    """In every request and at rest, each call is followed directly by its one result, in order.

    Catches results that are missing, doubled, late, or in another order than the calls.
    """
    trace = play(script, harness, refusals=True)
    for request in trace.requests:
        wrong = unpaired(request.messages)
        check(not wrong, f"in what was sent, {wrong}", step(request))
    for ending in trace.endings:
        wrong = unpaired(ending.record, open_end=ending.kind != "returned")
        check(not wrong, f"in the record, {wrong}", step(ending))


@law(
    "LOOP-04", tier=COURSE, needs=("loop",), source="lesson 3, the listing's result message",
    after=("LOOP-03",), draws=MIXED_BATCHES, examples=(ONE_ID,), lesson3=LESSON_3,
    hint="A result carries the id and the tool name of the call it answers.",
)  # fmt: skip
def results_name_their_call(script: Conversation, harness: Any) -> None:
    """A result carries the id and the tool name of its call.

    Catches names and ids that are missing, normalised, or taken from another call.
    """
    trace = play(script, harness)
    for request in trace.requests:
        for i, message in enumerate(listed(request.messages)):
            for call, result in _answers(request.messages, i, message):
                equal(result.get("tool_call_id"), call["id"], "a result's tool_call_id", step(request))
                equal(result.get("tool_name"), call["name"], "a result's tool_name", step(request))


def _answers(messages: Any, i: int, message: Any) -> list[tuple[dict[str, Any], Any]]:
    calls = [] if failed(message) else calls_of(message)
    return list(zip(calls, results_of(messages, i), strict=False)) if calls else []


def same_call(own: Any, sent: Any) -> bool:
    """Whether these are two results of one call."""
    return role_of(own) == role_of(sent) and own.get("tool_call_id") == sent.get("tool_call_id")


@law(
    "LOOP-06", tier=COURSE, needs=("loop",), source="lesson 3, statement 2",
    after=("LOOP-03",), lesson3=LESSON_3, lesson3_examples=(MANY_PROMPTS,),
    draws=conversations(ends=SENDABLE, max_prompts=3, max_rounds=2,
                        histories=(*HISTORIES, FAILED_HISTORY)),
    examples=(MANY_PROMPTS, repeated(60), LONG_AND_OLD, UNKNOWN_CALL),
    hint="Send the whole list as it stands on every turn: nothing shortened, merged or left out.",
)  # fmt: skip
def each_request_is_the_whole_list(script: Conversation, harness: Any) -> None:
    """Every request is the caller's list as it stands, with nothing rewritten or dropped.

    Replies that both failed and are empty are left out. Catches windows, summaries, stripped
    prompts, merged messages and results that are forgotten after a while.
    """
    trace = play(script, harness)
    before: list[Any] = []
    for event, items in before_each(script, trace, harness):
        if not isinstance(event, Request):
            continue
        due = [i for i in items if i.kind not in ("reply", "given") or view([i.value], harness)]
        wrong = first_difference(due, event.messages)
        check(not wrong, f"in what was sent, {wrong}", step(event))
        wrong = rewritten(before, event.messages)
        check(not wrong, f"in what was sent, {wrong}", step(event))
        before = event.messages
        for own, sent in zip(view(event.record, harness), event.messages, strict=False):
            if role_of(own) != "toolResult" or not same_call(own, sent):
                continue  # what is missing or elsewhere is told above, or by LOOP-07
            if essence(own) != essence(sent):
                said = f"a result was sent as {shown(essence(sent))}, recorded as {shown(essence(own))}"
                raise Violation(said, step(event))
        for item, sent in zip(due, event.messages, strict=True):
            if item.kind == "reply" and not same_message(sent, item.value):
                said = f"a reply was sent as {shown(essence(sent))}, not as it came"
                raise Violation(said, step(event), "LOOP-13")


@also(
    "LOOP-06", tier=PRINCIPLE,
    draws=conversations(ends=(End.CRASH, End.ANSWER), last_ends=PLAIN, max_prompts=3, extras=tables.ONCE),
    unless=forgotten,
)  # fmt: skip
def a_crash_drops_no_prompt(script: Conversation, harness: Any) -> None:
    """After an exception out of the provider every prompt so far is still sent, in order.

    Catches views that drop a prompt which got no answer.
    """
    trace = play(script, harness, refusals=True)
    for request in trace.requests:
        said = "\n".join(str(m.get("content")) for m in listed(request.messages) if role_of(m) == "user")
        at = 0
        for number, prompt in enumerate(script.prompts[: request.prompt + 1], 1):
            found = said.find(prompt.text, at)
            lost = f"prompt {number}, {shown(prompt.text, 40)}, is not in what was sent"
            check(found >= 0, lost, step(request))
            at = found + len(prompt.text)


@law(
    "LOOP-11", tier=COURSE, needs=("loop",), source="lesson 3, warm-up and build notes",
    draws=conversations(
        systems=tables.SYSTEMS, ends=(*PLAIN, End.FAILED_TEXT, End.LIMIT, End.CRASH), max_rounds=2
    ),
    lesson3=conversations(systems=tables.SYSTEMS, ends=PLAIN, max_rounds=2), after=("LOOP-01",),
    examples=(
        Conversation((Prompt("Go.", (Crash(),)), Prompt("And now?"), Prompt("Well?", (Crash(),)), Prompt())),
    ),
    hint="Send the system text you were given and, of each tool, name, description and parameters.",
)  # fmt: skip
def system_and_specs_travel_whole_and_alone(script: Conversation, harness: Any) -> None:
    """Every request carries the given system text once, and of each tool exactly three keys.

    Catches the SYSTEM constant, a system message in the list, functions and private keys sent.
    """
    trace = play(script, harness, refusals=True)
    for request in trace.requests:
        where = step(request)
        own = harness.policies.get("system") == "own"
        if not own:
            equal(request.system, script.system, "the system text sent", where)
        twice = [m for m in listed(request.messages) if role_of(m) == "system"]
        check(not twice, "the system text was sent a second time, as a message", where)
        if own and harness.policies.get("specs") == "own":
            continue  # its prompt and its tools are its own affair
        if not isinstance(request.tools, (list, tuple)):
            fail(f"the tools sent are {shown(request.tools)}, not a list", where)
        equal(len(request.tools), len(script.tools), "the number of tools sent", where)
        for sent, wanted in zip(request.tools, trace.tools_before, strict=True):
            equal(sorted(sent) if isinstance(sent, dict) else sent, sorted(wanted),
                  "the keys of a tool sent", where)  # fmt: skip
            if harness.policies.get("specs") == "completed":
                sent = _without(sent, wanted)
            equal(sent, wanted, f"the tool {wanted['name']!r} as sent", where)
        wrong = unwritable([request.messages, request.tools])
        check(not wrong, f"the request is {wrong}", where)


def _without(sent: Any, wanted: Any) -> Any:
    """What was sent without the members that a harness adds to what it was given."""
    if not isinstance(sent, dict) or not isinstance(wanted, dict):
        return sent
    return {key: _without(sent[key], wanted[key]) for key in sent if key in wanted}


@law(
    "LOOP-12", tier=COURSE, needs=("loop", "record"), source="lesson 3, statement 5",
    after=("LOOP-03", "LIMIT-02", "LIMIT-04"), lesson3=LESSON_3,
    implied_by="whatever a provider refuses in the next request is forbidden by a property of its own",
    draws=conversations(ends=SENDABLE, max_prompts=4, max_rounds=2, max_calls=2),
    examples=(MANY_PROMPTS,),
    hint="Every way out of a run must leave a list that the next prompt can be sent on top of.",
)  # fmt: skip
def the_list_takes_another_prompt(script: Conversation, harness: Any) -> None:
    """After a run ended by an answer, a limit or a failure, the same list takes another prompt.

    Catches records that a strict provider refuses on the next turn.
    """
    trace = play(script, harness)
    equal(len(trace.endings), len(script.prompts), "the number of prompts that were run")
