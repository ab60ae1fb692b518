"""TOOL, interrupts: what Ctrl-C out of a tool does to the run, and to what is sent afterwards."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of, essence, role_of
from properties.checks import check, equal, fail, shown
from properties.expected import due
from properties.messages import listed, results_of, unpaired
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import forgotten, no_refusal, play, step
from strategies import tables
from strategies.conversations import PLAIN, End, conversations
from strategies.script import Call, Conversation, Interrupts, Prompt, Reply, Returns

GIVEN = {"text": "a"}  # arguments that no check turns down


@law(
    "TOOL-06", tier=PRINCIPLE, needs=("loop", "record"), source="lesson 5, every exit leaves a transcript",
    after=("TOOL-17", "LOOP-12"),
    draws=conversations(ends=(End.INTERRUPT, *PLAIN), last_ends=PLAIN, max_prompts=3, max_rounds=2,
                        extras=tables.ONCE),
    examples=(
        Conversation((
            Prompt("Go.", (Reply((Call("c1", "echo", GIVEN, Returns("r1")),
                                  Call("c2", "echo", GIVEN, Interrupts())), "toolUse"),)),
            Prompt("Well?"),
        )),
    ),
    hint="Before the next request, answer the calls that an interrupt left open.",
)  # fmt: skip
def an_interrupted_record_can_be_continued(script: Conversation, harness: Any) -> None:
    """The record that a KeyboardInterrupt or SystemExit out of a tool leaves can be continued.

    Catches records that end on calls nobody answered.
    """
    no_refusal(play(script, harness, refusals=True))


@also(
    "TOOL-06", tier=PRINCIPLE,
    draws=conversations(ends=(End.INTERRUPT, *PLAIN), last_ends=PLAIN, max_prompts=3, extras=tables.ONCE),
    examples=(
        Conversation((
            Prompt("Go.", (Reply((Call("c1", "echo", GIVEN, Returns("r1")),
                                  Call("c2", "echo", GIVEN, Interrupts()),
                                  Call("c3", "echo", GIVEN, Returns("r3"))), "toolUse"),)),
            Prompt("Well?"),
        )),
    ),
)  # fmt: skip
def an_interrupted_batch_stays_in_order(script: Conversation, harness: Any) -> None:
    """In a request after an interrupt, too, each call is followed by its one result, in order, with its name.

    Catches results made up for open calls that stand before the real ones, name no tool, or pass for
    a success.
    """
    trace = play(script, harness, refusals=True)
    for request in trace.requests:
        wrong = unpaired(request.messages)
        check(not wrong, f"in what was sent, {wrong}", step(request))
        for i, message in enumerate(listed(request.messages)):
            for call, result in zip(calls_of(message), results_of(request.messages, i), strict=False):
                equal(result.get("tool_name"), call.get("name"), "a result's tool_name", step(request))
        real = [essence(m) for m in listed(request.record) if role_of(m) == "toolResult"]
        sent = [essence(m) for m in listed(request.messages) if role_of(m) == "toolResult"]
        if not due(request, harness):  # the record does not hold this run yet, whose calls were all run
            run = [r.reply for r in trace.requests if r.prompt == request.prompt]
            own = [call.get("id") for reply in run for call in calls_of(reply)]
            sent = [result for result in sent if result.get("tool_call_id") not in own]
        for made_up in [result for result in sent if result not in real]:
            mark = made_up.get("is_error")
            marked = f"is_error is {shown(mark)} in the result made up for a call that did not end"
            check(mark is True or not _marks(sent), marked, step(request))
        for result in real:
            if any(result.get("tool_call_id") == other.get("tool_call_id") for other in sent):
                check(result in sent, f"the result {shown(result)} was sent with other words", step(request))


def _marks(results: list[Any]) -> bool:
    """Whether this harness says of results if they are errors."""
    return any(isinstance(result.get("is_error"), bool) for result in results)


@also(
    "TOOL-06", tier=FIELD,
    draws=conversations(ends=(End.INTERRUPT, *PLAIN), last_ends=PLAIN, max_prompts=3, extras=tables.ONCE),
    examples=(
        Conversation((
            Prompt("Go.", (Reply((Call("c1", "echo", GIVEN, Interrupts()),), "toolUse"),)), Prompt("Well?"),
        )),
        Conversation((
            Prompt("Go.", (Reply((Call("c1", "echo", GIVEN, Returns("r1")),
                                  Call("c2", "echo", GIVEN, Interrupts())), "toolUse"),)),
            Prompt("Well?"),
        )),
    ),
    unless=forgotten,
)  # fmt: skip
def what_was_run_is_not_forgotten(script: Conversation, harness: Any) -> None:
    """After an interrupt the model still sees every call that was run, the interrupted one included.

    Catches histories without the interrupted turn, after which its side effects are asked for again.
    """
    trace = play(script, harness, refusals=True)
    answered = harness.policies.get("broken-runs") == "answered"  # calls that did not end are left out
    for request in trace.requests:
        sent = [c.get("id") for m in listed(request.messages) for c in calls_of(m)]
        for run in trace.executions:
            if run.does is None or (answered and isinstance(run.does.does, Interrupts)):
                continue
            if run.request < request.number:
                lost = f"call {run.does.id!r} was run before, and is not in what was sent"
                check(run.does.id in sent, lost, step(request))


@law(
    "TOOL-17", tier=COURSE, needs=("loop", "record"), source="lesson 4, run_tool catches Exception only",
    after=("LOOP-01", "LOOP-07"), draws=conversations(ends=PLAIN, last_ends=(End.INTERRUPT,), max_rounds=2),
    lesson3=conversations(ends=PLAIN, last_ends=(End.INTERRUPT,), max_rounds=2),
    hint="Catch Exception, nothing wider: Ctrl-C must come out of the run.",
)  # fmt: skip
def interrupts_come_out(script: Conversation, harness: Any) -> None:
    """KeyboardInterrupt and SystemExit out of a tool come out of the run; the record stays.

    Catches bare excepts, and records that are rolled back or tidied up on the way out.
    """
    trace = play(script, harness)
    for run in trace.executions:
        if run.does is None or not isinstance(run.does.does, Interrupts):
            continue
        ending = trace.endings[run.prompt]
        kind = run.does.does.type
        if ending.kind != "raised" or ending.problem is None:
            fail(f"a {kind} out of a tool did not come out of run_agent", step(run))
        equal(ending.problem.type, kind, "what came out of run_agent", step(ending))
        then, now = [essence(m) for m in run.record], [essence(m) for m in ending.record]
        later = harness.policies.get("keeps") in ("turns", "runs")  # what ran before may come in at the end
        same = now[: len(then)] == then if later else now == then
        check(same, f"the record changed between the interrupt ({len(run.record)} messages) and the end "
                    f"({len(ending.record)} messages)", step(ending))  # fmt: skip
