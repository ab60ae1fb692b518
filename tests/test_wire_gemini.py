"""The official google-genai client against the wire provider: generateContent, whole and streamed."""

from __future__ import annotations

import json

import httpx2
import pytest
from google import genai
from google.genai import errors, types

from adapters.contract import AdapterError, Unplayable
from adapters.wire.dialects.gemini import DIALECT
from strategies.script import ABSENT
from tests.wiring import FRAGMENTS, RICH, STATUSES, Call, Crash, Odd, Raw, Reply, Say, Sent, Server, script

DECLARED = types.FunctionDeclaration(name="echo", parameters_json_schema={"type": "object", "properties": {}})
TOOL = {"functionDeclarations": [{"name": "echo"}]}
MANUAL = types.AutomaticFunctionCallingConfig(disable=True)
CONFIG = types.GenerateContentConfig(
    tools=[types.Tool(function_declarations=[DECLARED])], automatic_function_calling=MANUAL
)
GO = [{"role": "user", "parts": [{"text": "Go."}]}]
LABELS = [
    ("stop", "STOP"), ("toolUse", "STOP"), ("length", "MAX_TOKENS"), ("error", "SAFETY"), ("RECITATION", "RECITATION"),
    ("end_turn", "end_turn"), ("", ""), (None, None), (ABSENT, None),
]  # fmt: skip
ODDITIES = pytest.mark.filterwarnings("ignore:.*is not a valid FinishReason")  # the client says so and goes on


@pytest.fixture(scope="module")
def server():
    """The provider with this dialect."""
    with Server(wires=("gemini",)) as started:
        yield started


@pytest.fixture(scope="module")
def lines():
    """The connections of all clients; making some takes as long as a hundred requests."""
    with httpx2.Client() as client:
        yield client


@pytest.fixture
def ask(server, lines):
    """Open a run of these replies; what is given back asks it once."""
    opened = []

    def opening(*replies, retries=1, **how):
        run = server.open(script(*replies, **how.pop("script", {})), **how)
        options = types.HttpOptions(
            base_url=run.base_url, api_version="v1beta", httpx_client=lines,
            retry_options=types.HttpRetryOptions(attempts=retries, initial_delay=0.01, jitter=0.0),
        )  # fmt: skip
        client = genai.Client(api_key="secret", http_options=options)
        opened.append(run)

        def asking(contents=GO, config=CONFIG):
            return client.models.generate_content(model="m", contents=contents, config=config)

        def streaming(contents=GO, config=CONFIG):
            return list(client.models.generate_content_stream(model="m", contents=contents, config=config))

        def raw(body, verb="generateContent"):
            return lines.post(f"{run.base_url}/v1beta/models/m:{verb}", json={"tools": [TOOL], **body})

        asking.run, asking.client, asking.stream, asking.raw = run, client, streaming, raw
        return asking

    yield opening
    for run in opened:
        run.close()


def of(*responses):
    """What the parts of these responses say, texts that follow each other as one."""
    found: list[tuple] = []
    for response in responses:
        for part in response.candidates[0].content.parts or ():
            if part.function_call:
                call = part.function_call
                found.append(("call", call.id, call.name, call.args))
            elif found and found[-1][0] == bool(part.thought):
                found[-1] = (found[-1][0], found[-1][1] + part.text)
            else:
                found.append((bool(part.thought), part.text))
    return found


def wanted(blocks):
    """The same of the blocks of a script."""
    return [("call", b.id, b.name, b.arguments) if isinstance(b, Call) else (isinstance(b, Odd), b.text) for b in blocks]


BLOCKS = [(), (Say("a"),), RICH, (Call(),), (Odd(), Say("x")), (Call(), Say("x")), (Say(""),)]


@pytest.mark.parametrize("blocks", BLOCKS, ids=repr)
def test_streamed_and_whole_say_the_same(ask, blocks) -> None:
    """The same reply, both ways, and both are what the script says."""
    asking = ask(Reply(blocks), Reply(blocks))
    assert of(asking()) == of(*asking.stream()) == wanted(blocks)


@pytest.mark.parametrize("sent", [*FRAGMENTS, Sent((1,), ids="late"), Sent((1,), ids="repeated"), Sent((1,), cumulative=True)], ids=repr)
def test_fragments_add_up(ask, sent) -> None:
    """However a reply is cut into parts, they add up to the same."""
    chunks = ask(Reply(RICH, "toolUse", sent=sent)).stream()
    assert of(*chunks) == wanted(RICH)
    assert [c.candidates[0].finish_reason for c in chunks] == [None] * (len(chunks) - 1) + ["STOP"]


def test_calls_come_whole_one_an_event_or_together(ask) -> None:
    """A call is never cut; calls that stand next to each other share an event where that is asked for."""
    calls = (Call("c1", "echo", {"text": "abc"}), Call("c2"))
    apart, joined = (ask(Reply(calls, sent=Sent((1,), together=t))).stream() for t in (False, True))
    assert [len(c.candidates[0].content.parts) for c in apart] == [1, 1]
    assert [len(c.candidates[0].content.parts) for c in joined] == [2]


def test_texts_never_take_turns(ask) -> None:
    """Parts have no index: texts that took turns would be another text."""
    reply = Reply((Say("abc"), Call(), Say("def")), sent=Sent((1,), together=True))
    assert of(*ask(reply).stream()) == wanted(reply.blocks)


@ODDITIES
@pytest.mark.parametrize(("label", "word"), LABELS, ids=repr)
def test_labels_lie_as_the_script_does(ask, label, word) -> None:
    """Whole and streamed."""
    asking = ask(Reply(RICH, label), Reply(RICH, label))
    assert asking().candidates[0].finish_reason == word
    assert asking.stream()[-1].candidates[0].finish_reason == word


@pytest.mark.parametrize("id_", ["", ABSENT])
def test_a_call_without_an_id(ask, id_) -> None:
    """Has none on the wire, as it is with many models of this API."""
    (call,) = ask(Reply((Call(id_),)))().function_calls
    assert (call.id, call.name, call.args) == (None, "echo", {})


@pytest.mark.parametrize("given", [Raw("{bad"), Raw("{}"), None, [], "text"], ids=repr)
def test_arguments_that_are_no_object_cannot_be_said(ask, given) -> None:
    """The dialect says so itself, whole and streamed; asking for it over the wire is a fault of the suite's."""
    reply = Reply((Call("c1", "echo", given),))
    for say in (DIALECT.whole, DIALECT.events):
        with pytest.raises(Unplayable, match="an object on the gemini wire"):
            say(reply, 1, DIALECT.read({"contents": GO}, DIALECT.route("POST", "v1beta/models/m:generateContent")))
    asking = ask(reply)
    with pytest.raises(errors.ServerError):
        asking()
    with pytest.raises((AdapterError, Unplayable)):
        asking.run.close()
    asking.run.broken.clear()


def test_usage_is_the_scripts(ask) -> None:
    """Whole and streamed."""
    asking = ask(*[Reply((Say("a"),), usage={"input": 7, "output": 5})] * 2)
    for response in (asking(), asking.stream()[-1]):
        used = response.usage_metadata
        assert (used.prompt_token_count, used.candidates_token_count, used.total_token_count) == (7, 5, 12)


@pytest.mark.parametrize("cut", [0, 1, 2, 5])
def test_a_cut_connection(ask, cut) -> None:
    """After so many events there is an error and no end."""
    asking = ask(Reply(RICH, sent=Sent((2,), cut=cut)))
    got = []
    with pytest.raises(httpx2.HTTPError):
        got.extend(asking.client.models.generate_content_stream(model="m", contents=GO, config=CONFIG))
    (exchange,) = asking.run.exchanges
    assert (exchange.cut, exchange.sent_events) == (True, cut)


def test_a_cut_whole_reply(ask) -> None:
    """Half a body is no reply."""
    with pytest.raises(httpx2.HTTPError):
        ask(Reply(RICH, sent=Sent(cut=1)))()


def test_an_unclosed_stream_ends_without_a_finish_reason(ask) -> None:
    """All content, and the stream ends properly."""
    chunks = ask(Reply(RICH, sent=Sent(unclosed=True))).stream()
    assert of(*chunks) == wanted(RICH)
    assert {c.candidates[0].finish_reason for c in chunks} == {None}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_status_is_an_error_of_that_status(ask, status, streamed) -> None:
    """In the error shape of the API, whatever was asked for."""
    asking = ask(Crash(text="too much", status=status))
    with pytest.raises(errors.APIError) as caught:
        asking.stream() if streamed else asking()
    assert (caught.value.code, caught.value.message) == (status, "too much")
    assert caught.value.status == DIALECT.failure(status, "")["error"]["status"]


def test_a_client_that_tries_again_gets_the_next_reply(ask) -> None:
    """After a status, and after a closed connection."""
    asking = ask(Crash(status=429, retry_after=0.01), Crash(status=503), Reply((Say("at last"),)), retries=3)
    assert asking().text == "at last"
    assert [e.status for e in asking.run.exchanges] == [429, 503, 200]


def test_an_error_says_when_to_ask_again(ask) -> None:
    """In the header, and in the details of the error."""
    with pytest.raises(errors.ClientError) as caught:
        ask(Crash(text="slowly", status=429, retry_after=2.5))()
    assert caught.value.response.headers["retry-after"] == "2.5"
    (detail,) = caught.value.details["error"]["details"]
    assert (detail["@type"].rpartition(".")[2], detail["retryDelay"]) == ("RetryInfo", "2.5s")


def test_a_closed_connection(ask) -> None:
    """Nothing is answered."""
    asking = ask(Crash())
    with pytest.raises(httpx2.HTTPError):
        asking()
    assert asking.run.exchanges[0].cut


@pytest.mark.parametrize("sent", [*FRAGMENTS, Sent(unclosed=True)], ids=repr)
def test_a_stream_that_is_one_array(ask, sent) -> None:
    """Where server-sent events are not asked for, the events are the members of one JSON array."""
    asking = ask(Reply(RICH, sent=sent), Reply((), sent=sent))
    for blocks in (RICH, ()):
        answer = asking.raw({"contents": GO}, "streamGenerateContent")
        assert answer.headers["content-type"] == "application/json"
        parts = [p for each in json.loads(answer.text) for p in each["candidates"][0]["content"].get("parts", ())]
        assert "".join(p.get("text", "") for p in parts) == "".join(b.text for b in blocks if isinstance(b, Say))
        assert [p["functionCall"]["id"] for p in parts if "functionCall" in p] == [b.id for b in blocks if isinstance(b, Call)]


def test_tokens_are_counted_and_models_listed(ask) -> None:
    """What stands beside the model calls."""
    asking = ask()
    assert [m.name for m in asking.client.models.list()] == ["models/scripted"]
    assert asking.client.models.get(model="m").name == "models/m"
    assert asking.client.models.count_tokens(model="m", contents="a").total_tokens > 0
    assert [e.kind for e in asking.run.exchanges] == ["models", "other", "count"]


def test_a_chat_keeps_what_was_said(ask) -> None:
    """The client's own record of a streamed turn, one content an event, is read as one reply."""
    asking = ask(Reply((Say("abc"), Call()), "toolUse", sent=Sent((1,))), Reply((Say("Done."),)))
    chat = asking.client.chats.create(model="m", config=CONFIG)
    list(chat.send_message_stream("Go."))
    list(chat.send_message_stream(types.Part.from_function_response(name="echo", response={"result": "ok"})))
    assert asking.run.exchanges[1].refusal is None
    assert asking.run.exchanges[1].read.messages[1:] == [
        {"role": "assistant", "content": [
            {"type": "text", "text": "abc"}, {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}},
        ]},
        {"role": "toolResult", "tool_call_id": "c1", "tool_name": "echo", "content": "ok"},
    ]  # fmt: skip
