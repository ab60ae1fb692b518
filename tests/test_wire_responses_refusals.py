"""What the Responses API refuses: bodies that the official client lets through, one fault each."""

from __future__ import annotations

import openai
import pytest

from tests.test_wire_responses import GO, TOOLS, ask, official, server  # noqa: F401
from tests.wiring import Call, Odd, Reply, Say

CALL = {"type": "function_call", "call_id": "c1", "name": "echo", "arguments": "{}"}
DONE = {"type": "function_call_output", "call_id": "c1", "output": "ok"}
SAID = {"role": "assistant", "content": "Hm."}
SCHEMA = [
    ({"model": None}, "Missing required parameter: 'model'", "missing_required_parameter", "model"),
    ({"model": 3}, "Invalid type for 'model': expected a string", "invalid_type", "model"),
    ({"input": None}, "Missing required parameter: 'input'", "missing_required_parameter", "input"),
    ({"input": 3}, "Invalid type for 'input': expected one of", "invalid_type", "input"),
    ({"input": ["Go."]}, "Invalid type for 'input[0]': expected an object", "invalid_type", "input[0]"),
    ({"input": [{"content": "a"}]}, "'input[0].type'", "missing_required_parameter", "input[0].type"),
    ({"input": [{"type": "dream"}]}, "Invalid value: 'dream'. Supported values are: 'message',", "invalid_value", "input[0].type"),
    ({"input": [{"role": "tool", "content": "a"}]}, "Invalid value: 'tool'", "invalid_value", "input[0].role"),
    ({"input": [{"role": "user"}]}, "'input[0].content'", "missing_required_parameter", "input[0].content"),
    ({"input": [{"role": "user", "content": 3}]}, "expected one of an array of objects or string", "invalid_type", "input[0].content"),
    ({"input": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]}, "Invalid value: 'text'", "invalid_value", "input[0].content[0]"),
    ({"input": [*GO, {"role": "assistant", "content": [{"type": "input_text", "text": "a"}]}]},
     "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.", "invalid_value", "input[1].content[0]"),
    ({"input": [*GO, {**CALL, "call_id": None}]}, "'input[1].call_id'", "missing_required_parameter", "input[1].call_id"),
    ({"input": [*GO, {**CALL, "arguments": {}}]}, "'input[1].arguments': expected a string, but got an object", "invalid_type", "input[1].arguments"),
    ({"input": [*GO, CALL, {**DONE, "output": None}]}, "'input[2].output'", "missing_required_parameter", "input[2].output"),
    ({"input": [*GO, CALL, {**DONE, "output": 3}]}, "'input[2].output'", "invalid_type", "input[2].output"),
    ({"input": [*GO, {"type": "reasoning", "id": "rs_1"}, SAID]}, "'input[1].summary'", "missing_required_parameter", "input[1].summary"),
    ({"instructions": ["a"]}, "Invalid type for 'instructions'", "invalid_type", "instructions"),
    ({"messages": GO}, "Unsupported parameter: 'messages'.", "unsupported_parameter", "messages"),
    ({"previous_response_id": "resp_1"}, "Previous response with id 'resp_1' not found.", "previous_response_not_found", "previous_response_id"),
    ({"tools": [{"type": "function"}]}, "'tools[0].name'", "missing_required_parameter", "tools[0].name"),
    ({"tools": [{"type": "function", "name": "no blanks"}]}, "does not match pattern", "invalid_value", "tools[0].name"),
    ({"tools": [{"type": "function", "name": "a", "parameters": {"type": "array"}}]}, "type: \"object\"", "invalid_function_parameters", "tools[0].parameters"),
]
RULES = [
    (1, [*GO, CALL], "No tool output found for function call c1."),
    (2, [*GO, DONE], "No tool call found for function call output with call_id c1."),
    (3, [*GO, CALL, DONE, DONE], "2 toolResults"),
    (4, [*GO, CALL, CALL, DONE, DONE], "stands 2 times in one reply"),
    (4, [*GO, {**CALL, "id": "fc_9"}, DONE, {**CALL, "id": "fc_9", "call_id": "c2"}, {**DONE, "call_id": "c2"}], "Duplicate item found with id fc_9."),
    (1, [*GO, CALL, *GO, DONE], "has no toolResult"),
    (5, [*GO, CALL, DONE, *GO, DONE], "does not follow its call's reply directly"),
    (6, [*GO, {**CALL, "arguments": "{bad"}, DONE], "arguments must be an object"),
    (8, [*GO, {"role": "assistant", "content": []}], "empty array"),
    (9, [], "One of \"input\""),
    (10, [SAID, *GO], "must be a user message"),
    (12, [{"role": "developer", "content": "Be."}, *GO, {"role": "system", "content": "Be."}], "system prompt is given twice"),
]
PICKY = [
    (13, [*GO, {**CALL, "name": "no blanks"}, DONE]),
    (14, [*GO, {"type": "reasoning", "id": "rs_x", "summary": []}, *GO]),
    (15, [*GO, {**CALL, "call_id": "c" * 65}, {**DONE, "call_id": "c" * 65}]),
]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("change", "words", "code", "param"), SCHEMA, ids=[words for _, words, _, _ in SCHEMA])
def test_the_schema_refuses(ask, change, words, code, param, streamed) -> None:  # noqa: F811
    """With status 400 and the error shape of the API; the script stays where it is."""
    asking = ask(Reply((Say("first"),)))
    body = {"model": "m", "input": GO, "tools": TOOLS, "stream": streamed, **change}
    with pytest.raises(openai.BadRequestError) as caught:
        asking.client.post("/responses", body={k: v for k, v in body.items() if v is not None}, cast_to=object)
    error = caught.value.body
    assert words in error["message"]
    assert (error["type"], error["code"], error["param"]) == ("invalid_request_error", code, param)
    assert asking().output_text == "first"


@pytest.mark.parametrize(("rule", "items", "words"), RULES, ids=[words for _, _, words in RULES])
def test_the_strict_providers_rules_hold(ask, rule, items, words) -> None:  # noqa: F811
    """Each refuses what it forbids, in the words of the API where it has some."""
    asking = ask(Reply((Say("first"),)))
    with pytest.raises(openai.BadRequestError) as caught:
        asking(items)
    assert words in caught.value.body["message"]
    assert asking.run.exchanges[0].rule == rule
    allowing = ask(Reply((Say("first"),)), script={"allowed": tuple(range(1, 13))})
    if rule != 9:
        assert allowing(items).output_text == "first"


@pytest.mark.parametrize(("rule", "items"), PICKY, ids=[str(rule) for rule, _ in PICKY])
def test_what_only_this_api_refuses(ask, rule, items) -> None:  # noqa: F811
    """Is refused by a picky run, else told."""
    with pytest.raises(openai.BadRequestError):
        ask(Reply((Say("first"),)), picky=True)(items)
    asking = ask(Reply((Say("first"),)))
    assert asking(items).output_text == "first"
    assert asking.run.exchanges[0].read.faults[0][0] == rule


def test_what_is_not_kept_is_not_found(ask) -> None:  # noqa: F811
    """Conversations and references to items: nothing is kept between requests."""
    asking = ask(Reply((Say("first"),)))
    with pytest.raises(openai.NotFoundError, match="Conversation with id 'conv_1' not found"):
        asking(conversation="conv_1")
    with pytest.raises(openai.NotFoundError, match="Item with id 'msg_1' not found"):
        asking([{"type": "item_reference", "id": "msg_1"}])
    with pytest.raises(openai.NotFoundError):
        asking.client.responses.retrieve("resp_1")


def test_it_is_read_into_the_normal_form(ask) -> None:  # noqa: F811
    """Instructions, a developer's message, parts, thoughts, results in parts, and a picture between."""
    asking = ask(Reply((Odd(text="so"), Say("a"), Call())), Reply((Say("b"),)))
    lead = {"role": "developer", "content": [{"type": "input_text", "text": "Briefly."}]}
    picture = {"type": "input_image", "image_url": "data:,"}
    asked = {"role": "user", "content": [{"type": "input_text", "text": "Look."}, picture]}
    first = asking([lead, asked], instructions="Be.")
    output = {**DONE, "output": [{"type": "input_text", "text": "o"}, {"type": "input_text", "text": "k"}]}
    asking([lead, asked, *first.output, output, {"role": "developer", "content": "Go on."}], instructions="Be.")
    read = asking.run.exchanges[1].read
    assert read.system == ["Be.", "Briefly."]
    assert read.tools == [{"name": "echo", "description": "", "parameters": {"type": "object", "properties": {}}}]
    assert read.messages == [
        {"role": "user", "content": [{"type": "text", "text": "Look."}, picture]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "so"}, {"type": "text", "text": "a"},
            {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}},
        ]},
        {"role": "toolResult", "tool_call_id": "c1", "content": "ok", "tool_name": "echo"},
        {"role": "user", "content": "Go on."},
    ]  # fmt: skip
    assert len(read.odd) == 2


CALLS = [{**CALL, "call_id": f"c{k}", "id": f"fc_1_{k}"} for k in (1, 2)]
DONES = [{**DONE, "call_id": f"c{k}"} for k in (1, 2)]


def shape_of(asking, items):
    """Roles and call ids of what is read."""
    asking(items)
    messages = asking.run.exchanges[0].read.messages
    return [[b.get("id", "t") for b in m["content"]] if m["role"] == "assistant" else m["role"][:1] for m in messages]


def test_results_between_the_calls_of_one_reply(ask) -> None:  # noqa: F811
    """Item ids tell that the calls are one reply's; without them the items are taken as they come."""
    mixed = [*GO, CALLS[0], DONES[0], CALLS[1], DONES[1]]
    assert shape_of(ask(Reply()), mixed) == ["u", ["c1", "c2"], "t", "t"]
    bare = [{k: v for k, v in item.items() if k != "id"} for item in mixed]
    assert shape_of(ask(Reply()), bare) == ["u", ["c1"], "t", ["c2"], "t"]


def test_two_replies_in_a_row(ask) -> None:  # noqa: F811
    """Are two where their ids say so, else one."""
    said = [{"type": "message", "role": "assistant", "id": f"msg_{n}_0", "content": "a"} for n in (1, 2)]
    assert shape_of(ask(Reply()), [*GO, *said]) == ["u", ["t"], ["t"]]
    assert shape_of(ask(Reply()), [*GO, SAID, SAID]) == ["u", ["t", "t"]]
