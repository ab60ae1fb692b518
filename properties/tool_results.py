"""TOOL, one call in, exactly one result out: failing tools, their words, their siblings."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of, failed, role_of
from properties.checks import Violation, check, equal, shown
from properties.expected import marks
from properties.laid_out import same_result
from properties.outcomes import outcomes
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import play, step
from strategies import tables
from strategies.conversations import with_failures
from strategies.draws import pick
from strategies.script import (
    ABSENT,
    Call,
    Conversation,
    Prompt,
    Reads,
    Reply,
    Returns,
    Say,
)  # fmt: skip

RAISING = tables.kinds((tables.FAILING[0], None, *tables.FAILING[1:]))
WRONG = tuple(
    (given, Reads("text"))
    for given in (*tables.WRONG_OBJECTS, *tables.WRONG_ARGUMENTS, ABSENT, {"text": "a"})
)
RAISING_OR_WRONG = (*RAISING[:2], *WRONG, *RAISING[len(tables.ARGUMENTS) :])


def fixed_words(policies: Any) -> str | None:
    """Why error results of this harness need not say what went wrong, None if they have to."""
    return "it keeps what exceptions say from the model" if policies.get("error-words") == "fixed" else None


@law(
    "TOOL-01", tier=COURSE, needs=("loop",), source="lesson 4, one call in, exactly one result out",
    after=("LOOP-01", "LOOP-05", "LOOP-07"), draws=with_failures(RAISING_OR_WRONG, allowed=(6,)),
    hint="run_tool turns every Exception, and every unknown name, into one error result.",
)  # fmt: skip
def failures_become_error_results(script: Conversation, harness: Any) -> None:
    """An unknown tool, a tool that raises, and wrong arguments give one error result each.

    The run goes on. Catches exceptions that come out of the run, failures that pass for
    success, and runs that stop after one.
    """
    trace = play(script, harness)
    for request, call, must_fail, result in outcomes(script, trace, harness):
        if isinstance(call.arguments, str) and "raw-arguments" in harness.capabilities:
            continue  # there a text is what came over the wire, and may well be an object
        what = f"call {call.id!r} of {call.name!r}"
        check(result is not None, f"{what} has no result", step(request))
        if must_fail and marks(harness):
            check(result.get("is_error"), f"{what} failed, but its result is not marked as an error",
                  step(request))  # fmt: skip
    for prompt in range(len(script.prompts)):
        last = trace.rounds(prompt)[-1].request
        asks = last.reply is not None and calls_of(last.reply) and not failed(last.reply)
        check(not asks, "the run did not go on after the tools were run", step(last))


@law(
    "TOOL-02", tier=COURSE, version=2, needs=("loop",),
    source="lesson 4; reports of errors replaced by a sentence",
    after=("TOOL-01",), draws=with_failures(RAISING),
    hint="Put str(exception), or the unknown name, into the result: it is all the model can act on.",
)  # fmt: skip
def an_error_result_says_what_went_wrong(script: Conversation, harness: Any) -> None:
    """An error result contains the exception's text, or the unknown name or its repr.

    Catches generic sentences that keep the reason from the model.
    """
    trace = play(script, harness)
    names = {t.name for t in script.tools}
    for request, call, must_fail, result in outcomes(script, trace, harness):
        if not must_fail or result is None or (call.name in names and fixed_words(harness.policies)):
            continue
        wanted = call.does.text if call.name in names else call.name
        content = result.get("content")
        said = isinstance(content, str) and (wanted in content or repr(wanted)[1:-1] in content)
        kind = "the exception's text" if call.name in names else "the unknown tool's name"
        check(said, f"the error result of call {call.id!r} lacks {kind}, {shown(wanted)}: it is "
                    f"{shown(content)}", step(request))  # fmt: skip


@also(
    "TOOL-02", tier=FIELD,
    draws=pick(tuple(
        Conversation((Prompt("Go.", (Reply((*words, Call("c1", name)), "toolUse"), Reply((Say("Done."),)))),
                      Prompt("And now?")))
        for name in tables.INHERITED for words in ((), (Say("Let me look."),))
    )),
)  # fmt: skip
def a_name_that_objects_have_is_unknown(script: Conversation, harness: Any) -> None:
    """A tool's name that every object has for something else is as unknown as any other.

    Catches tools that are looked up as members of an object.
    """
    trace = play(script, harness)
    for request, call, _, result in outcomes(script, trace, harness):
        said = f"the call of {call.name!r}, which is no tool's name, has no result"
        check(result is not None, said, step(request))
    an_error_result_says_what_went_wrong(script, harness)


@law(
    "TOOL-03", tier=COURSE, needs=("loop",), source="lesson 4, is_error means the tool could not do its job",
    after=("LOOP-05", "LOOP-07"), draws=with_failures(
        tables.kinds((None, *tables.FAILING[:6], *map(Returns, tables.RESULTS)), tables.ARGUMENTS[:5])
    ),
    unless=lambda policies: (
        "its results do not say whether they are errors" if policies.get("marks") == "no" else None
    ),
    hint="is_error is True or False, and True only when the tool could not do its job.",
)  # fmt: skip
def success_is_not_marked(script: Conversation, harness: Any) -> None:
    """A success is not marked as an error, and the mark is a real boolean.

    Catches marks that are missing, texts, None, or guessed from the words of a result.
    """
    trace = play(script, harness)
    for request, call, must_fail, result in outcomes(script, trace, harness):
        if result is None:
            continue
        mark = result.get("is_error")
        check(isinstance(mark, bool), f"is_error is {shown(mark)}, not True or False", step(request))
        check(mark == must_fail, f"call {call.id!r} {'failed' if must_fail else 'succeeded'}, but "
                                 f"is_error is {mark}", step(request))  # fmt: skip


@law(
    "TOOL-04", tier=COURSE, needs=("loop",), source="lesson 4; reports of batches lost to one failure",
    after=("LOOP-05", "TOOL-01"), draws=with_failures(tables.kinds(tables.MIXED)),
    hint="One failing call changes its own result and nothing else.",
)  # fmt: skip
def a_failure_is_its_own(script: Conversation, harness: Any) -> None:
    """A failing call changes only its own result; its siblings run and are answered.

    Catches batches that stop, or are discarded, at the first failure.
    """
    trace = play(script, harness)
    ran = {(e.request, e.call) for e in trace.executions}
    for request, call, must_fail, result in outcomes(script, trace, harness):
        if must_fail or result is None or request.played is None:
            continue
        place = request.played.calls.index(call)
        check((request.number, place) in ran, f"call {call.id!r}, a sibling of a failing call, was not run",
              step(request))  # fmt: skip
        kept, wanted = result.get("content"), getattr(call.does, "text", None)
        if not same_result(kept, wanted, harness):
            said = f"the result of call {call.id!r} is {shown(kept)}, not {shown(wanted)}"
            raise Violation(said, step(request), "TOOL-16")


@law(
    "TOOL-05", tier=PRINCIPLE, needs=("loop",), source="lesson 4, a failure the model can read",
    after=("TOOL-01",), draws=with_failures(tables.kinds(tables.TEXTLESS), unknown=()),
    unless=fixed_words,
    hint="When an exception has no text, say its type.",
)  # fmt: skip
def a_wordless_failure_still_speaks(script: Conversation, harness: Any) -> None:
    """An exception without text, or whose text raises, still gives a result naming its type.

    Catches empty error results and loops that die on str(exception).
    """
    trace = play(script, harness)
    names = {"NoText": "ValueError"}
    for request, call, must_fail, result in outcomes(script, trace, harness):
        if not must_fail or result is None:
            continue
        kind = names.get(call.does.type, call.does.type)
        content = result.get("content")
        check(isinstance(content, str) and kind in content,
              f"the result of a tool that raised {kind} without text is {shown(content)}",
              step(request))  # fmt: skip


@law(
    "TOOL-12", tier=FIELD, needs=("loop",), source="public reports of results in completion order",
    after=("LOOP-01",), draws=with_failures(tables.kinds(tables.MIXED), max_calls=6),
    hint="However the calls were run, their results stand in call order.",
)  # fmt: skip
def results_stand_in_call_order(script: Conversation, harness: Any) -> None:
    """Results stand in the order of their calls in the next request, however they were run.

    Catches completion order, and failures sorted to one end.
    """
    trace = play(script, harness)
    for before, now in zip(trace.requests, trace.requests[1:], strict=False):
        if before.prompt != now.prompt or before.reply is None or failed(before.reply):
            continue
        calls = [c["id"] for c in calls_of(before.reply)]
        results = now.messages[-len(calls) :] if calls else []
        if not all(role_of(m) == "toolResult" for m in results):
            raise Violation(f"of {len(calls)} calls not every one has a result", step(now), "LOOP-03")
        given = [m.get("tool_call_id") for m in results]
        equal(given, calls, "the order of the results", step(now))
