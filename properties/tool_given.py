"""TOOL, what a tool is given: arguments that it changes, that do not parse, that do not fit its schema."""

from __future__ import annotations

from typing import Any

from adapters.normal import calls_of
from properties.checks import Violation, check, equal, shown
from properties.expected import marks
from properties.messages import listed
from properties.outcomes import outcomes
from properties.registry import FIELD, law
from properties.story import no_refusal, play, step
from strategies import tables
from strategies.conversations import with_failures
from strategies.script import Call, Changes, Conversation, Prompt, Raw, Reads, Reply, Say

NESTED = Conversation(
    (Prompt("Go.", (Reply((Call("c1", "look_up", {"a": {"b": [1, {"c": None}]}}, Changes("ok")),), "toolUse"),
                    Reply((Say("Done."),)))),),
    tables.TOOLS[3:4],
)  # fmt: skip


@law(
    "TOOL-08", tier=FIELD, needs=("record",), source="public reports of arguments edited in the record",
    after=("LOOP-13",), draws=with_failures(tables.kinds((Changes("ok"), None)), unknown=()),
    examples=(NESTED,),
    hint="Hand the tool a deep copy of the arguments.",
)  # fmt: skip
def recorded_arguments_do_not_change(script: Conversation, harness: Any) -> None:
    """The recorded call does not change when a tool changes its arguments, nested ones too.

    Catches tools that are given the very object that stands in the record.
    """
    trace = play(script, harness)
    kept = [c for m in listed(trace.record)[len(script.history) :] for c in calls_of(m)]
    sent = [c for r in trace.requests if r.reply for c in calls_of(r.reply)]
    if len(kept) != len(sent):
        raise Violation(f"{len(sent)} calls came and {len(kept)} are recorded", owner="LOOP-13")
    for found, wanted in zip(kept, sent, strict=True):
        equal(found.get("arguments"), wanted["arguments"], f"the recorded arguments of {wanted['id']!r}")


@law(
    "TOOL-09", tier=FIELD, needs=("loop", "raw-arguments"),
    source="public reports of arguments that do not parse", after=("LOOP-01",),
    draws=with_failures(tuple(((Raw(t), None) if t is not None else ({}, None))
                              for t in (*tables.UNPARSED, None)), unknown=()),
    hint="Arguments that are no JSON object: do not run the tool, say so, replay an object.",
)  # fmt: skip
def unparsed_arguments_are_one_error(script: Conversation, harness: Any) -> None:
    """Arguments that are no JSON object give one error result, no run, and replay as an object.

    Catches bad JSON replaced by {} and run, and histories no provider takes again.
    """
    trace = play(script, harness, refusals=True)
    no_refusal(trace)
    for request, call, _, result in outcomes(script, trace, harness):
        if not isinstance(call.arguments, Raw):
            continue
        check(result is not None and (result.get("is_error") or not marks(harness)),
              f"arguments {shown(call.arguments.text, 30)} gave no error result", step(request))  # fmt: skip
        ran = [e for e in trace.executions if e.does is call]
        check(not ran, f"a tool ran with arguments {shown(call.arguments.text, 30)}", step(request))


@law(
    "TOOL-10", tier=FIELD, needs=("loop",), source="public reports of schema-invalid arguments that throw",
    after=("TOOL-01",), draws=with_failures(
        tuple((given, Reads("text")) for given in (*tables.WRONG_OBJECTS, {"text": "a", "more": 1})),
        unknown=(),
    ),
    hint="Arguments that do not fit the schema are the model's to correct: one error result.",
    implied_by="TOOL-01 draws the same wrong arguments",
)  # fmt: skip
def invalid_arguments_are_one_error(script: Conversation, harness: Any) -> None:
    """Missing, mistyped and null arguments give one error result and no exception.

    Catches validation errors that end the run. A superfluous member may be accepted.
    """
    trace = play(script, harness)
    for request, call, must_fail, result in outcomes(script, trace, harness):
        check(result is not None, f"call {call.id!r} has no result", step(request))
        if must_fail and marks(harness):
            check(result.get("is_error"), f"arguments {shown(call.arguments)} gave no error result",
                  step(request))  # fmt: skip
