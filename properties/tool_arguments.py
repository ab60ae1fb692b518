"""TOOL, the arguments of the harness's own tools: what a model may leave out and get wrong."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from adapters.normal import blocks_of, calls_of
from properties.checks import Violation, check, equal, shown
from properties.command_output import said as text_in
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from properties.story import play
from strategies.draws import pick
from strategies.own_calls import TEXTS, WHOLE, number_arguments, own_conversations, tool_arguments
from strategies.script import Conversation, Desk, Pager, Prompt, Reply, Use, message_of


def _only(script: Desk) -> Use:
    use = script.steps[0]
    assert isinstance(use, Use)
    return use


def _refused(result: Any, tool: str, wrong: list[str], given: dict[str, Any], wanted: str) -> None:
    """The result is an error that names one of these arguments."""
    text, name = text_in(result, tool), wrong[0]
    found = f"{shown(given[name], 40)}, not {wanted}" if name in given else "missing"
    what = f"{tool}: {name} is {found}"
    check(result.is_error, f"{what}, but the result is no error: {shown(text)}")
    told = any(name in text.lower() for name in wrong)
    check(told, f"{what}; the error does not name {' or '.join(wrong)}: {shown(text)}")


SCALARS = (str, int, float, type(None))


def coerces(policies: Any) -> bool:
    """Whether the harness declares that it takes "2" for 2 and the like."""
    return bool(policies.get("types") == "coerced")


@law(
    "TOOL-13", tier=COURSE, needs=("read",), draws=number_arguments(), source="the docstring of int_arg",
    hint="offset and limit may be left out or null, which means the default; anything else that is not a "
    "whole number is an error that names the argument.",
)  # fmt: skip
def optional_numbers(script: Desk, harness: Any) -> None:
    """Absent or null, an optional whole number has its default; a text, float or list is an error naming it.

    Catches "2" taken for 2, "" and 0.0 taken for the default, and null taken for a fault.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    given = _only(script).arguments
    result = desk.use("read", given)
    wrong: list[str] = [k for k in ("offset", "limit") if k in given and not _whole(given[k])]
    if wrong and coerces(harness.policies):
        return
    if wrong:
        _refused(result, "read", wrong, given, "a whole number")
    else:
        if result.is_error:
            raise Violation(f"read with {given} is an error: {shown(result.content)}", owner="READ-08")
        plain = {k: v for k, v in given.items() if v is not None}
        same = desk.use("read", plain).content
        equal(result.content, same, f"the result of read with {given}, compared with {plain},")


def _whole(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


@law(
    "TOOL-14", tier=COURSE, needs=("read", "write", "bash"), draws=tool_arguments(),
    source="the docstring of str_arg",
    hint="Check every text argument before anything happens: a missing or mistyped one is an error that "
    "names it, the empty text is a text like any other.",
)  # fmt: skip
def required_texts(script: Desk, harness: Any) -> None:
    """A required text that is missing or no text is an error naming it, and nothing is written or run.

    Catches numbers made into texts, null made into "None", and "" taken for missing.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    tool, given = _only(script).tool, _only(script).arguments
    result = desk.use(tool, given)
    wrong = [name for name in TEXTS[tool] if not isinstance(given.get(name), str)]
    spared = [name for name in wrong if isinstance(given.get(name, ()), SCALARS)]
    if coerces(harness.policies) and spared and spared == wrong:
        return
    if wrong:
        check(not desk.place.writes, f"write with {shown(given, 60)} wrote {shown(desk.place.writes)}")
        check(not desk.place.runs, f"bash with {shown(given, 60)} ran {shown(desk.place.runs)}")
        _refused(result, tool, wrong, given, "a text")
    else:
        _taken(desk.place, result, tool, given)


def _taken(place: Any, result: Any, tool: str, given: dict[str, Any]) -> None:
    """The call did what it was asked to; one of its texts is empty."""
    what = f'{tool} with {shown(given, 60)} ("" is a text)'
    check(not result.is_error, f"{what} is an error: {shown(result.content)}")
    if tool == "bash":
        check(given["command"] in place.runs, f"{what} ran nothing")
    if tool == "write" and given["path"] == "":  # an empty content is WRITE-01's
        check(place.writes, f"{what} wrote nothing")


NO_OBJECTS: tuple[Any, ...] = ([], None, "", ["a.txt"], 3, True, "a.txt")


@also(
    "TOOL-14", tier=FIELD, draws=st.tuples(pick(tuple(TEXTS)), pick(NO_OBJECTS)).map(
        lambda drawn: Desk({"a.txt": "1\n"}, {}, (Use(*drawn),))
    ),
)  # fmt: skip
def arguments_that_are_no_object(script: Desk, harness: Any) -> None:
    """Arguments that are no JSON object are an error that names an argument, or says that they are wrong.

    Catches errors in the words of the harness's own language.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    tool, given = _only(script).tool, _only(script).arguments
    result = desk.use(tool, given)
    what = f"{tool}, given {shown(given, 40)} as arguments,"
    text = text_in(result, tool)
    check(result.is_error, f"{what} is no error: {shown(text)}")
    told = any(word in text.lower() for word in (*TEXTS[tool], "argument"))
    check(told, f"{what} does not say what is wrong: {shown(text)}")


@also(
    "TOOL-14", tier=FIELD, draws=pick(tuple(
        Desk({"a.txt": "1\n"}, {}, (Use(tool, {**dict.fromkeys(names, "a.txt"), missing: None}),))
        for tool in ("write", "bash") for names in (TEXTS[tool],) for missing in names
    )),
    unless=lambda policies: "its tools take values of other types" if coerces(policies) else None,
)  # fmt: skip
def nothing_is_no_text(script: Desk, harness: Any) -> None:
    """Null where a text is required is an error naming the argument, and nothing is written or run.

    Catches files called null, and commands of that name.
    """
    required_texts(script, harness)


@law(
    "TOOL-15", tier=COURSE, needs=("loop", "record", "read", "write", "bash"), draws=own_conversations(),
    source="lesson 3, statement 2",
    hint="The record says what the model wrote: read the arguments, never write into them, not even a "
    "default.",
)  # fmt: skip
def own_tools_leave_arguments_alone(script: Conversation, harness: Any) -> None:
    """The harness's own tools leave the arguments of the recorded call as the model wrote them.

    Catches defaults, converted numbers and tidied paths that are written back into the call.
    """
    trace = play(script, harness)
    replies = [message_of(r) for p in script.prompts for r in _played(p)]
    wrote = {c["id"]: c["arguments"] for reply in replies for c in calls_of(reply)}
    for where, messages in [
        *((f"request {q.number + 1}", q.messages) for q in trace.requests), ("the record", trace.record),
    ]:  # fmt: skip
        for call in _calls(messages):
            now, then = _canonical(call.get("arguments")), _canonical(wrote.get(call.get("id")))
            if now != then:
                said = f"the model called {call.get('name')} with {shown(then)}; the call holds {shown(now)}"
                raise Violation(f"{said} in {where}", where, "LOOP-13")


def _played(prompt: Prompt) -> list[Reply]:
    replies = () if isinstance(prompt.replies, Pager) else prompt.replies
    return [reply for reply in replies if isinstance(reply, Reply)]


def _calls(messages: Any) -> list[dict[str, Any]]:
    found = messages if isinstance(messages, (list, tuple)) else []
    return [c for m in found if blocks_of(m) for c in calls_of(m) if isinstance(c.get("id"), str)]


def _canonical(value: Any) -> str:
    """JSON in one form, which tells 1, 1.0 and true apart."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


@law(
    "TOOL-18", tier=PRINCIPLE, needs=("read",), draws=number_arguments(good=WHOLE[:3], wrong=(True, False)),
    source="lesson 6, the same decisions",
    unless=lambda policies: "its tools take values of other types" if coerces(policies) else None,
    hint="In Python true is an int; the model did not send a number, so tell it.",
)  # fmt: skip
def true_is_not_a_number(script: Desk, harness: Any) -> None:
    """`true` and `false` are not whole numbers: as offset or limit each is an error naming the argument.

    Catches checks that take a boolean for an integer.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    given = _only(script).arguments
    wrong = [name for name in ("offset", "limit") if isinstance(given.get(name), bool)]
    result = desk.use("read", given)
    if wrong:
        _refused(result, "read", wrong, given, "a whole number")
