"""TOOL, what a tool gives back: any text unchanged, and anything else made into text."""

from __future__ import annotations

from typing import Any

from adapters.normal import essence
from adapters.strict import unwritable
from adapters.trace import Trace
from properties.checks import check, equal, shown
from properties.laid_out import same_result
from properties.outcomes import outcomes
from properties.registry import COURSE, FIELD, law
from properties.story import no_refusal, play, step
from strategies import tables
from strategies.conversations import with_failures
from strategies.script import Call, Conversation, Gives, Prompt, Reply, Returns, Say


@law(
    "TOOL-07", tier=FIELD, needs=("loop",), source="public reports of results that are not text",
    after=("TOOL-01",), draws=with_failures(
        tables.kinds((Gives("None"), *(Gives(k) for k in tables.ODD_VALUES[1:]), None)), unknown=()
    ),
    examples=tuple(
        Conversation((Prompt("Go.", (Reply((Call("c1", "echo", {"text": "a"}, Gives(kind)),), "toolUse"),
                                     Reply((Say("Done."),)))),))
        for kind in (*tables.ODD_VALUES, "huge")
    ),
    hint="Whatever a tool returns has to become text, or an error result that says what it was.",
)  # fmt: skip
def any_return_value_becomes_text(script: Conversation, harness: Any) -> None:
    """Whatever a tool returns becomes valid text or an error result, and the run goes on.

    Catches None, bytes, dicts and lone surrogates put into a message as they are, and errors without a word.
    """
    trace = play(script, harness, refusals=True)
    for request, call, _, result in outcomes(script, trace, harness):
        if not isinstance(call.does, Gives):
            continue
        check(result is not None, f"call {call.id!r} has no result", step(request))
        content = result.get("content")
        wrong = "not text" if not isinstance(content, str) else unwritable(content)
        check(not wrong, f"a tool that gave back {call.does.kind} left {shown(content)} in its result: "
                         f"{wrong}", step(request))  # fmt: skip
        told = result.get("is_error") is not True or content.strip() not in ("", "None")
        check(told, f"a tool gave back {call.does.kind}, and its error result says no more than "
                    f"{shown(content)}", step(request))  # fmt: skip
    no_refusal(trace)


@law(
    "TOOL-11", tier=FIELD, needs=("loop",), source="public reports of results encoded twice or cleaned",
    after=("LOOP-05", "LOOP-07"), draws=with_failures(
        tables.kinds((None, *map(Returns, tables.EXOTIC))), unknown=()
    ),
    examples=tuple(
        Conversation((Prompt("Go.", (Reply((Call("c1", "echo", {}, Returns(text)),), "toolUse"),
                                     Reply((Say("Done."),)))),))
        for text in tables.EXOTIC
    ),
    hint="A text result is the tool's own words: do not clean, decode or encode it.",
)  # fmt: skip
def exotic_text_is_unchanged(script: Conversation, harness: Any) -> None:
    """An exotic text result reaches the model unchanged: CRLF, NUL, ANSI, BOM, joined emoji.

    Catches normalised line endings, stripped escapes, and JSON encoded twice.
    """
    _texts_unchanged(script, play(script, harness), harness)


@law(
    "TOOL-16", tier=COURSE, version=2, needs=("loop",), source="lesson 6, never cut without saying so",
    after=("LOOP-05", "LOOP-07"), draws=with_failures(
        tables.kinds((None, *map(Returns, tables.RESULTS), *map(Returns, tables.LONG_RESULTS))), unknown=()
    ),
    lesson3=with_failures(tables.kinds(tables.WELL_BEHAVED), unknown=()),
    examples=tuple(
        Conversation((Prompt("Go.", (Reply((Call("c1", "echo", {}, Returns(text)),), "toolUse"),
                                     Reply((Say("Done."),)))),))
        for text in ("x" * 1_000_001, "line\n" * 40_000, "\tpadded \n")
    ),
    hint="run_tool passes a tool's text on as it is: no stripping, no cutting.",
)  # fmt: skip
def text_results_are_unchanged(script: Conversation, harness: Any) -> None:
    """Any text a tool returns is recorded and sent unchanged: empty, padded, blank, very long.

    Catches stripping, placeholders for empty results, and silent cuts.
    """
    _texts_unchanged(script, play(script, harness), harness)


def _texts_unchanged(script: Conversation, trace: Trace, harness: Any) -> None:
    for request, call, _, result in outcomes(script, trace, harness):
        if not isinstance(call.does, Returns) or result is None:
            continue
        kept = result.get("content")
        if not same_result(kept, call.does.text, harness):
            equal(kept, call.does.text, f"the recorded result of call {call.id!r}", step(request))
        later = [r for r in trace.requests if r.number > request.number and r.prompt == request.prompt]
        if later:
            place = request.played.calls.index(call)
            first = len(request.messages) + 1 + place
            sent = later[0].messages[first : first + 1]
            content = [essence(m).get("content") for m in sent if isinstance(m, dict)]
            if len(content) == 1 and same_result(content[0], call.does.text, harness):
                continue
            equal(content, [call.does.text], f"the result of call {call.id!r} as sent", step(later[0]))
