"""What the Messages API refuses: bodies that the official client lets through, one fault each."""

from __future__ import annotations

import anthropic
import pytest

from tests.test_wire_anthropic import GO, TOOLS, ask  # noqa: F401
from tests.wiring import Call, Reply, Say, server  # noqa: F401

USE = {"type": "tool_use", "id": "c1", "name": "echo", "input": {}}
DONE = {"type": "tool_result", "tool_use_id": "c1", "content": "ok"}
ASKED = {"role": "assistant", "content": [USE]}


def user(*blocks):
    """A user's turn."""
    return {"role": "user", "content": list(blocks)}


def uses(**changes):
    """The reply with a call that has these members; None leaves one out."""
    block = {key: value for key, value in {**USE, **changes}.items() if value is not None}
    return {"role": "assistant", "content": [block]}


SCHEMA = [
    ({"model": None}, "model: Field required"),
    ({"model": 3}, "model: Input should be a valid string"),
    ({"max_tokens": None}, "max_tokens: Field required"),
    ({"max_tokens": "many"}, "max_tokens: Input should be a valid integer"),
    ({"max_tokens": 0}, "max_tokens: Input should be greater than or equal to 1"),
    ({"messages": None}, "messages: Field required"),
    ({"messages": "Go."}, "messages: Input should be a valid list"),
    ({"messages": ["Go."]}, "messages.0: Input should be a valid dictionary"),
    ({"messages": [{"content": "Go."}]}, "messages.0.role: Field required"),
    ({"messages": [{"role": "tool", "content": "Go."}]}, "messages.0.role: Input should be 'user' or 'assistant'"),
    ({"messages": [{"role": "user"}]}, "messages.0.content: Field required"),
    ({"messages": [{"role": "user", "content": 3}]}, "messages.0.content: Input should be a valid list"),
    ({"messages": [user({"text": "a"})]}, "messages.0.content.0.type: Field required"),
    ({"messages": [user({"type": "text"})]}, "messages.0.content.0.text.text: Field required"),
    ({"messages": [*GO, uses(id=None)]}, "messages.1.content.0.tool_use.id: Field required"),
    ({"messages": [*GO, uses(name=None)]}, "messages.1.content.0.tool_use.name: Field required"),
    ({"messages": [*GO, uses(input=None)]}, "messages.1.content.0.tool_use.input: Field required"),
    ({"messages": [*GO, ASKED, user({"type": "tool_result"})]}, "tool_result.tool_use_id: Field required"),
    ({"messages": [*GO, ASKED, user({**DONE, "content": 3})]}, "tool_result.content: Input should be a valid list"),
    ({"messages": [user(USE)]}, "`tool_use` blocks can only be in `assistant` messages"),
    ({"messages": [*GO, {"role": "assistant", "content": [DONE]}]}, "`tool_result` blocks can only be in `user`"),
    ({"messages": [*GO, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}]}, "signature"),
    ({"system": 3}, "system: Input should be a valid string or list"),
    ({"system": [{"type": "image"}]}, "system.0.type: Input should be 'text'"),
    ({"tools": [{"name": "a"}]}, "tools.0.custom.input_schema: Field required"),
    ({"tools": [{"name": "a b", "input_schema": {"type": "object"}}]}, "tools.0.custom.name: String should match"),
    ({"tools": [{"name": "a", "input_schema": {"type": "array"}}]}, "input_schema.type: Input should be 'object'"),
    ({"tools": TOOLS * 2}, "Tool names must be unique"),
    ({"tools": None, "tool_choice": {"type": "auto"}}, "tool_choice may only be specified while providing tools"),
    ({"temperature": 1.5}, "temperature: range: 0..1"),
]
RULES = [
    (1, [*GO, ASKED]), (1, [*GO, ASKED, user({"type": "text", "text": "Look."}, DONE)]), (2, [*GO, user(DONE)]),
    (3, [*GO, ASKED, user(DONE, DONE)]), (4, [*GO, {"role": "assistant", "content": [USE, USE]}, user(DONE, DONE)]),
    (5, [*GO, ASKED, user(DONE), {"role": "assistant", "content": "x"}, user(DONE)]),
    (6, [*GO, uses(input="{bad"), user(DONE)]), (8, [*GO, {"role": "assistant", "content": []}]), (9, []),
    (10, [{"role": "assistant", "content": "Go."}]),
]  # fmt: skip
PICKY = [
    (13, [*GO, uses(name="no blanks"), user(DONE)]), (14, [*GO, uses(id="c 1"), user({**DONE, "tool_use_id": "c 1"})]),
    (15, [{"role": "user", "content": ""}]), (15, [user({"type": "text", "text": " \n"})]),
    (16, [*GO, {"role": "assistant", "content": "So "}]), (17, [{**GO[0], "id": 3}]),
    (17, [*GO, uses(secret=1), user(DONE)]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), SCHEMA, ids=[words for _, words in SCHEMA])
@pytest.mark.parametrize("streamed", [False, True])
def test_the_schema_refuses(ask, change, words, streamed) -> None:  # noqa: F811
    """With status 400 and the error shape of the API; the script stays where it is."""
    asking = ask(Reply((Say("first"),)))
    body = {"model": "m", "max_tokens": 9, "messages": GO, "tools": TOOLS, "stream": streamed, **change}
    body = {key: value for key, value in body.items() if value is not None}
    with pytest.raises(anthropic.BadRequestError) as caught:
        asking.client.post("/v1/messages", body=body, cast_to=object)
    error = caught.value.body
    assert (error["type"], error["error"]["type"]) == ("error", "invalid_request_error")
    assert words in error["error"]["message"]
    assert asking.run.exchanges[0].refusal == error["error"]["message"]
    assert asking().content[0].text == "first"


@pytest.mark.parametrize(("rule", "messages"), RULES, ids=[str(rule) for rule, _ in RULES])
def test_the_strict_providers_rules_hold(ask, rule, messages) -> None:  # noqa: F811
    """Each refuses what it forbids, and the script may switch it off."""
    asking = ask(Reply((Say("first"),)))
    with pytest.raises(anthropic.BadRequestError):
        asking(messages)
    assert asking.run.exchanges[0].rule == rule
    allowing = ask(Reply((Say("first"),)), script={"allowed": tuple(range(1, 13))})
    if rule != 9:
        assert allowing(messages).content[0].text == "first"


@pytest.mark.parametrize(("rule", "messages"), PICKY, ids=[str(rule) for rule, _ in PICKY])
def test_what_only_this_api_refuses(ask, rule, messages) -> None:  # noqa: F811
    """Is refused by a picky run, else told; the script may switch it off there, too."""
    picky = ask(Reply((Say("first"),)), picky=True)
    with pytest.raises(anthropic.BadRequestError):
        picky(messages)
    assert picky.run.exchanges[0].rule == rule
    for asking in (ask(Reply((Say("first"),))), ask(Reply((Say("first"),)), picky=True, script={"allowed": (rule,)})):
        assert asking(messages).content[0].text == "first"
        assert asking.run.exchanges[0].read.faults[0][0] == rule


def test_it_is_read_into_the_normal_form(ask) -> None:  # noqa: F811
    """System blocks, turns of several blocks, results that are errors."""
    asking = ask(Reply((Say("a"), Call())), Reply((Say("b"),)))
    first = asking(system=[{"type": "text", "text": "Be."}])
    failed = {**DONE, "is_error": True, "content": [{"type": "text", "text": "no"}]}
    asking([*GO, {"role": "assistant", "content": first.content}, user(failed, {"type": "text", "text": "Go on."})])
    one, two = (e.read for e in asking.run.exchanges)
    assert (one.system, one.messages) == ("Be.", GO)
    assert one.tools == [{"name": "echo", "description": "", "parameters": {"type": "object", "properties": {}}}]
    call = {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}}
    assert two.messages[1:] == [
        {"role": "assistant", "content": [{"type": "text", "text": "a"}, call]},
        {"role": "toolResult", "tool_call_id": "c1", "tool_name": "echo", "content": "no", "is_error": True},
        {"role": "user", "content": "Go on."},
    ]
    assert "secret" not in repr(asking.run.exchanges[0])
