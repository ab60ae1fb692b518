"""What generateContent refuses, and what it makes of calls and results with and without ids."""

from __future__ import annotations

import httpx2
import pytest
from google.genai import errors, types

from tests.test_wire_gemini import GO, TOOL, ask, lines, server  # noqa: F401
from tests.wiring import Call, Odd, Reply, Say


def call(id_="c1", name="echo", **more):
    """A part with a call; one without an id if that is None."""
    held = {"name": name, "args": {}, **more, **({"id": id_} if id_ is not None else {})}
    return {"functionCall": held}


def done(id_="c1", name="echo", **more):
    """A part with a result."""
    held = {"name": name, "response": {"output": "ok"}, **more, **({"id": id_} if id_ is not None else {})}
    return {"functionResponse": held}


def model(*parts):
    """A content of the model's."""
    return {"role": "model", "parts": list(parts)}


def user(*parts):
    """A content of the user's."""
    return {"role": "user", "parts": list(parts)}


COUNTS = "number of function response parts is equal to the number of function call parts"
SCHEMA = [
    ({"contents": ["Go."]}, "Invalid value at 'contents[0]' (type.googleapis.com/google.protobuf.Struct), \"Go.\""),
    ({"contents": [{"role": "assistant", "parts": [{"text": "a"}]}]}, "Please use a valid role: user, model."),
    ({"contents": [{"role": 3, "parts": [{"text": "a"}]}]}, "Invalid value at 'contents[0].role' (TYPE_STRING), 3"),
    ({"contents": [user()]}, "contents[0].parts: contents.parts must not be empty"),
    ({"contents": [user({})]}, "contents[0].parts[0].data: required oneof field 'data' must have one initialized field"),
    ({"contents": [user({"txt": "a"})]}, "Unknown name \"txt\" at 'contents[0].parts[0]': Cannot find field."),
    ({"contents": [user({"text": 3})]}, "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 3"),
    ({"contents": [*GO, model(call(args="{}")), user(done())]}, "function_call.args' (type.googleapis.com"),
    ({"contents": [*GO, model(call()), user(done(response="ok"))]}, "function_response.response' (type.googleapis.com"),
    ({"contents": [*GO, model(call(), done())]}, "can not be mixed with function_response parts"),
    ({"contents": [user(call())]}, "function call turn comes immediately after a user turn"),
    ({"systemInstruction": "Be."}, "Invalid value at 'system_instruction'"),
    ({"tools": [{"functionDeclarations": [{"name": "no blanks"}]}]}, "function_declarations[0].name: Invalid function name"),
    ({"tools": [{"functionDeclarations": [{"name": "a"}, {"name": "a"}]}]}, "Duplicate function declaration found: a"),
    ({"tools": [{"functionDeclarations": [{"name": "a", "parameters": {}, "parametersJsonSchema": {}}]}]}, "must not both be set"),
]
RULES = [
    (1, [*GO, model(call())], COUNTS),
    (1, [*GO, model(call("c1"), call("c2")), user(done("c1"))], COUNTS),
    (2, [*GO, user(done())], "function response turn comes immediately after a function call turn"),
    (3, [*GO, model(call()), user(done(), done())], COUNTS),
    (4, [*GO, model(call(), call()), user(done(), done())], "stands 2 times in one reply"),
    (1, [*GO, model(call()), user(done("c9"))], "toolCall c1 has no toolResult"),
    (8, [*GO, model(), *GO], "contents[1].parts: contents.parts must not be empty"),
    (9, [], "contents is not specified"),
    (10, [model(call()), user(done())], "function call turn comes immediately after a user turn"),
    (10, [model({"text": "a"}), *GO], "must be a user message"),
]  # fmt: skip
PICKY = [
    (13, [*GO, model(call(name="")), user(done(name=""))]),
    (16, [*GO, model(call("c1"), call("c2")), user(done("c1")), user(done("c2"))]),
]


@pytest.mark.parametrize("verb", ["generateContent", "streamGenerateContent?alt=sse"])
@pytest.mark.parametrize(("change", "words"), SCHEMA, ids=[words for _, words in SCHEMA])
def test_the_schema_refuses(ask, change, words, verb) -> None:  # noqa: F811
    """With status 400 and the error shape of the API; the script stays where it is."""
    asking = ask(Reply((Say("first"),)))
    answer = asking.raw({"contents": GO, **change}, verb)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert words in error["message"]
    with pytest.raises(errors.APIError) as caught:
        errors.APIError.raise_for_response(answer)
    assert caught.value.status == "INVALID_ARGUMENT"
    assert asking().text == "first"


@pytest.mark.parametrize(("rule", "contents", "words"), RULES, ids=[f"{rule} {words}" for rule, _, words in RULES])
def test_the_strict_providers_rules_hold(ask, rule, contents, words) -> None:  # noqa: F811
    """Each refuses what it forbids, in the words of the API where it has some."""
    asking = ask(Reply((Say("first"),)))
    answer = asking.raw({"contents": contents})
    assert words in answer.json()["error"]["message"]
    assert asking.run.exchanges[0].rule == rule
    allowing = ask(Reply((Say("first"),)), script={"allowed": tuple(range(1, 13))})
    assert rule == 9 or allowing.raw({"contents": contents}).status_code == 200


@pytest.mark.parametrize(("rule", "contents"), PICKY, ids=[str(rule) for rule, _ in PICKY])
def test_what_only_this_api_refuses(ask, rule, contents) -> None:  # noqa: F811
    """Is refused by a picky run, else told."""
    assert ask(Reply((Say("first"),)), picky=True).raw({"contents": contents}).status_code == 400
    asking = ask(Reply((Say("first"),)))
    assert asking.raw({"contents": contents}).status_code == 200
    assert rule in [number for number, _ in asking.run.exchanges[0].read.faults]


def test_an_unknown_path_and_a_body_that_is_no_json(ask, lines) -> None:  # noqa: F811
    """Are refused, and told."""
    asking = ask(Reply())
    assert asking.raw({"contents": GO}, "dream").status_code == 404
    url = f"{asking.run.base_url}/v1beta/models/m:generateContent"
    assert lines.post(url, content=b"{bad").status_code == 400
    assert isinstance(lines, httpx2.Client)
    assert [(e.kind, e.rule) for e in asking.run.exchanges] == [("unknown", 0), ("model", 11)]


def ids_of(ask, *contents):  # noqa: F811
    """The ids of calls and of results that are read, and what refused them."""
    asking = ask(Reply((Say("first"),)))
    asking.raw({"contents": [*GO, *contents]})
    (exchange,) = asking.run.exchanges
    messages = exchange.read.messages
    calls = [b["id"] for m in messages if m["role"] == "assistant" for b in m["content"] if b["type"] == "toolCall"]
    return calls, [m["tool_call_id"] for m in messages if m["role"] == "toolResult"], exchange.refusal


def test_ids_pair_where_both_have_one(ask) -> None:  # noqa: F811
    """In any order."""
    found = ids_of(ask, model(call("a"), call("b")), user(done("b"), done("a")))
    assert found == (["a", "b"], ["b", "a"], None)


def test_names_and_order_pair_where_there_are_no_ids(ask) -> None:  # noqa: F811
    """A call is named by its place: the turn, and the call of the turn; the same in every request."""
    turn = [model(call(None), call(None, "add")), user(done(None, "add"), done(None))]
    assert ids_of(ask, *turn) == (["#1.1", "#1.2"], ["#1.2", "#1.1"], None)
    assert ids_of(ask, *turn, *turn)[0] == ["#1.1", "#1.2", "#2.1", "#2.2"]


def test_results_with_ids_of_the_clients_own(ask) -> None:  # noqa: F811
    """Calls came without ids, and the client made some up for the results alone."""
    found = ids_of(ask, model(call(None), call(None)), user(done("made-1"), done("made-2")))
    assert found == (["#1.1", "#1.2"], ["#1.1", "#1.2"], None)


def test_results_without_ids_for_calls_with_ids(ask) -> None:  # noqa: F811
    """The client dropped the ids of results."""
    found = ids_of(ask, model(call("a"), call("b", "add")), user(done(None, "add"), done(None)))
    assert found == (["a", "b"], ["b", "a"], None)


def test_a_result_of_a_tool_that_was_not_called(ask) -> None:  # noqa: F811
    """Pairs with nothing."""
    calls, results, refusal = ids_of(ask, model(call(None)), user(done(None, "add")))
    assert (calls, results) == (["#1.1"], ["#1?1"])
    assert "has no toolResult" in refusal


RESULTS = [
    ({"output": "a"}, "a", False), ({"error": "a"}, "a", True), ({"result": "a"}, "a", None), ({"content": "a"}, "a", None),
    ({"output": {"b": 1}}, '{"b": 1}', False), ({"b": 1, "c": "é"}, '{"b": 1, "c": "é"}', None), ({}, "{}", None),
    ({"output": "a", "error": "b"}, "a", False),
]  # fmt: skip


@pytest.mark.parametrize(("response", "content", "marked"), RESULTS, ids=repr)
def test_a_result_is_read_as_the_documentation_has_it(ask, response, content, marked) -> None:  # noqa: F811
    """"output" is what came out, "error" is marked, a single member of any name is its text, else all of it."""
    asking = ask(Reply())
    asking.raw({"contents": [*GO, model(call()), user(done(response=response))]})
    result = asking.run.exchanges[0].read.messages[2]
    assert (result["content"], result.get("is_error")) == (content, marked)


def test_it_is_read_into_the_normal_form(ask) -> None:  # noqa: F811
    """Names as protocol buffers have them, a single part, thoughts and signatures, texts beside results, a schema."""
    asking = ask(Reply((Odd(text="so"), Say("a"), Call())), Reply((Say("b"),)))
    first = asking()
    schema = {"type": "OBJECT", "properties": {"type": {"type": "STRING"}, "n": {"type": "ARRAY", "items": {"type": "NUMBER"}}}}
    signed = {"text": "", "thoughtSignature": "AA=="}
    asking.raw({
        "system_instruction": {"parts": [{"text": "Be."}]},
        "tools": [{"function_declarations": [{"name": "echo", "description": "Say.", "parameters": schema}]}],
        "contents": [
            {"parts": {"text": "Go."}},
            model(*first.model_dump(mode="json", exclude_none=True)["candidates"][0]["content"]["parts"], signed),
            {"role": "function", "parts": [done(), {"text": "Go on."}]},
        ],
    })  # fmt: skip
    read = asking.run.exchanges[1].read
    assert read.system == "Be."
    lower = {"type": "object", "properties": {"type": {"type": "string"}, "n": {"type": "array", "items": {"type": "number"}}}}
    assert read.tools == [{"name": "echo", "description": "Say.", "parameters": lower}]
    assert read.messages == [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "so"}, {"type": "text", "text": "a"},
            {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}},
        ]},
        {"role": "toolResult", "tool_call_id": "c1", "tool_name": "echo", "content": "ok", "is_error": False},
        {"role": "user", "content": "Go on."},
    ]  # fmt: skip
    assert len(read.odd) == 1


def test_the_clients_own_loop_is_played(ask) -> None:  # noqa: F811
    """The official client calls a Python function by itself, and what it sends is sound."""

    def echo(text: str) -> str:
        """Give the text back."""
        return text

    asking = ask(Reply((Call("c1", "echo", {"text": "日本"}),), "toolUse"), Reply((Say("Done."),)))
    answer = asking(config=types.GenerateContentConfig(tools=[echo]))
    assert answer.text == "Done."
    assert asking.run.exchanges[1].read.messages[2]["content"] == "日本"
