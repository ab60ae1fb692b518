"""What chat completions refuse: bodies that the official client lets through, one fault each."""

from __future__ import annotations

import openai
import pytest

from tests.test_wire_chat import GO, TOOLS, ask  # noqa: F401
from tests.wiring import Call, Reply, Say, server  # noqa: F401

CALL = {"id": "c1", "type": "function", "function": {"name": "echo", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "ok"}


def calls(**changes):
    """The reply with a call that has these members."""
    return {**ASKED, "tool_calls": [{**CALL, **changes}]}


SCHEMA = [
    ({"model": ""}, "you must provide a model"),
    ({"model": 3}, "Invalid type for 'model': expected a string"),
    ({"messages": None}, "Missing required parameter: 'messages'"),
    ({"messages": "Go."}, "Invalid type for 'messages': expected an array of objects, but got a string"),
    ({"messages": ["Go."]}, "Invalid type for 'messages[0]': expected an object"),
    ({"messages": [{"content": "Go."}]}, "Missing required parameter: 'messages[0].role'"),
    ({"messages": [{"role": "robot", "content": "Go."}]}, "Invalid value: 'robot'. Supported values are"),
    ({"messages": [{"role": "user"}]}, "expected a string, got null"),
    ({"messages": [{"role": "user", "content": 3}]}, "expected one of a string or array of objects"),
    ({"messages": [{"role": "user", "content": []}]}, "empty array"),
    ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "'messages[0].content[0].text'"),
    ({"messages": [*GO, ASKED, {**RESULT, "tool_call_id": None}]}, "'messages[2].tool_call_id'"),
    ({"messages": [*GO, {**ASKED, "tool_calls": []}]}, "Invalid 'messages[1].tool_calls': empty array"),
    ({"messages": [*GO, calls(id=None)]}, "'messages[1].tool_calls[0].id'"),
    ({"messages": [*GO, calls(type="method")]}, "Invalid value: 'method'"),
    ({"messages": [*GO, calls(function={"name": "echo", "arguments": {}})]}, "expected a string, but got an object"),
    ({"messages": [*GO, calls(function={"arguments": "{}"})]}, "function.name"),
    ({"tools": []}, "Invalid 'tools': empty array"),
    ({"tools": [{"type": "function"}]}, "'tools[0].function'"),
    ({"tools": [{"type": "function", "function": {"name": "no blanks"}}]}, "does not match pattern"),
    ({"tools": [{"type": "function", "function": {"name": "a", "parameters": {"type": "array"}}}]}, "type: \"object\""),
    ({"temperature": 3}, "decimal out of range"),
    ({"temperature": "hot"}, "expected a decimal"),
    ({"max_tokens": 0}, "integer below minimum"),
    ({"max_completion_tokens": 1.5}, "expected an integer, but got a decimal"),
    ({"stream_options": {"include_usage": True}}, "only allowed when 'stream' is enabled"),
    ({"tools": None, "tool_choice": "auto"}, "only allowed when 'tools' are specified"),
]
RULES = [
    (1, [*GO, ASKED]), (2, [*GO, RESULT]), (3, [*GO, ASKED, RESULT, RESULT]),
    (4, [*GO, {**ASKED, "tool_calls": [CALL, CALL]}, RESULT, RESULT]),
    (5, [*GO, ASKED, RESULT, *GO, RESULT]), (6, [*GO, calls(function={"name": "echo", "arguments": "{bad"}), RESULT]),
    (8, [*GO, {"role": "assistant", "content": None}]), (9, []), (10, [{"role": "assistant", "content": "Go."}]),
    (12, [{"role": "system", "content": "Be."}, *GO, {"role": "system", "content": "Be."}]),
]  # fmt: skip


BOTH = [
    pytest.param(change, words, streamed, id=f"{words} {streamed}")
    for change, words in SCHEMA for streamed in (False, True) if not (streamed and "stream_options" in change)
]  # fmt: skip


@pytest.mark.parametrize(("change", "words", "streamed"), BOTH)
def test_the_schema_refuses(ask, change, words, streamed) -> None:  # noqa: F811
    """With status 400 and the error shape of the API; the script stays where it is."""
    asking = ask(Reply((Say("first"),)))
    body = {"model": "m", "messages": GO, "tools": TOOLS, "stream": streamed, **change}
    body = {key: value for key, value in body.items() if value is not None}
    with pytest.raises(openai.BadRequestError) as caught:
        asking.client.post("/chat/completions", body=body, cast_to=object)
    error = caught.value.body
    assert words in error["message"]
    assert (error["type"], error["code"]) == ("invalid_request_error", None)
    assert asking.run.exchanges[0].refusal == error["message"]
    assert asking().choices[0].message.content == "first"


@pytest.mark.parametrize(("rule", "messages"), RULES, ids=[str(rule) for rule, _ in RULES])
def test_the_strict_providers_rules_hold(ask, rule, messages) -> None:  # noqa: F811
    """Each refuses what it forbids, and not where the script switches it off."""
    asking = ask(Reply((Say("first"),)))
    with pytest.raises(openai.BadRequestError):
        asking(messages)
    assert asking.run.exchanges[0].rule == rule
    allowing = ask(Reply((Say("first"),)), script={"allowed": (rule, 10) if rule == 9 else (rule,)})
    if rule in {3, 9}:  # the normal form of these breaks another rule, or none is left to hold
        return
    assert allowing(messages).choices[0].message.content == "first"


def test_a_body_that_is_no_json(ask) -> None:  # noqa: F811
    """Is refused with rule 11."""
    asking = ask()
    with pytest.raises(openai.BadRequestError, match="could not parse the JSON body"):
        asking.client.post("/chat/completions", body=None, options={"headers": {}}, cast_to=object, content=b"{bad")
    assert asking.run.exchanges[0].rule == 11


def test_an_unknown_path(ask) -> None:  # noqa: F811
    """Is not found, and told."""
    asking = ask()
    with pytest.raises(openai.NotFoundError, match="Unknown request URL"):
        asking.client.post("/audio/speech", body={"model": "m"}, cast_to=object)
    assert asking.run.exchanges[0].kind == "unknown"


def test_names_of_calls_are_looked_at_where_asked_for(ask) -> None:  # noqa: F811
    """What one API refuses and others take is refused by a picky run, else told as odd."""
    bad = calls(function={"name": "no blanks", "arguments": "{}"})
    picky = ask(Reply((Say("first"),)), picky=True)
    with pytest.raises(openai.BadRequestError, match="does not match pattern"):
        picky([*GO, bad, RESULT])
    easy = ask(Reply((Say("first"),)))
    assert easy([*GO, bad, RESULT]).choices[0].message.content == "first"
    assert easy.run.exchanges[0].read.faults[0][0] == 13


def test_it_is_read_into_the_normal_form(ask) -> None:  # noqa: F811
    """System text, roles, results, tools."""
    asking = ask(Reply((Call(),)), Reply((Say("b"),)))
    first = asking([{"role": "developer", "content": "Be."}, *GO]).choices[0].message
    asking([{"role": "system", "content": "Be."}, *GO, first.to_dict(), {**RESULT, "content": [{"type": "text", "text": "ok"}]}])
    one, two = (e.read for e in asking.run.exchanges)
    assert (one.system, one.messages) == ("Be.", [{"role": "user", "content": "Go."}])
    assert one.tools == [{"name": "echo", "description": "", "parameters": {"type": "object", "properties": {}}}]
    call = {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}}
    result = {"role": "toolResult", "tool_call_id": "c1", "tool_name": "echo", "content": "ok"}
    assert two.messages[1:] == [{"role": "assistant", "content": [call]}, result]
    assert asking.run.exchanges[0].headers["authorization"] == "(hidden)"
