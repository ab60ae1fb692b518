"""The official anthropic client against the wire provider: messages, whole and streamed."""

from __future__ import annotations

import json

import anthropic
import httpx2
import pytest

from strategies.script import ABSENT
from tests.wiring import (  # noqa: F401
    FRAGMENTS,
    RICH,
    STATUSES,
    Call,
    Crash,
    Odd,
    Raw,
    Reply,
    Say,
    Sent,
    script,
    server,
)  # fmt: skip

TOOLS = [{"name": "echo", "input_schema": {"type": "object", "properties": {}}}]
GO = [{"role": "user", "content": "Go."}]
LABELS = [
    ("stop", "end_turn"), ("toolUse", "tool_use"), ("length", "max_tokens"), ("error", "refusal"),
    ("tool_calls", "tool_calls"), ("", ""), (None, None), (ABSENT, None),
]  # fmt: skip


@pytest.fixture
def ask(server):  # noqa: F811
    """Open a run of these replies; what is given back asks it once."""
    opened = []

    def opening(*replies, retries=0, **how):
        run = server.open(script(*replies, **how.pop("script", {})), **how)
        client = anthropic.Anthropic(base_url=run.base_url, api_key="secret", max_retries=retries)
        opened.append((run, client))

        def asking(messages=GO, **more):
            body = {"model": "m", "max_tokens": 9, "messages": messages, "tools": TOOLS, **more}
            return client.messages.create(**{k: v for k, v in body.items() if v is not None})

        def streaming(messages=GO, **more):
            body = {"model": "m", "max_tokens": 9, "messages": messages, "tools": TOOLS, **more}
            with client.messages.stream(**body) as stream:
                return stream.get_final_message()

        asking.run, asking.client, asking.stream = run, client, streaming
        return asking

    yield opening
    for run, client in opened:
        client.close()
        run.close()


def of(message):
    """The blocks of a message, as plain data."""
    keys = {"text": ("text",), "tool_use": ("id", "name", "input"), "thinking": ("thinking", "signature")}
    return [{k: getattr(b, k) for k in ("type", *keys[b.type])} for b in message.content]


BLOCKS = [(), (Say("a"),), (Say("a"), Say("b")), RICH, (Call(),), (Odd(), Say("x")), (Call(), Say("x"))]


@pytest.mark.parametrize("blocks", BLOCKS, ids=repr)
def test_streamed_and_whole_say_the_same(ask, blocks) -> None:
    """The same reply, both ways, and both are what the script says."""
    asking = ask(Reply(blocks), Reply(blocks))
    whole = of(asking())
    assert of(asking.stream()) == whole
    assert [b["text"] for b in whole if b["type"] == "text"] == [b.text for b in blocks if isinstance(b, Say)]
    assert [b["input"] for b in whole if b["type"] == "tool_use"] == [b.arguments for b in blocks if isinstance(b, Call)]


@pytest.mark.parametrize("sent", FRAGMENTS, ids=repr)
def test_fragments_add_up(ask, sent) -> None:
    """However a reply is cut into parts, the official client makes the same message of it."""
    asking = ask(Reply(RICH, "toolUse", sent=sent), Reply(RICH, "toolUse"))
    found, plain = asking.stream(), asking()
    assert of(found) == of(plain)
    assert found.stop_reason == plain.stop_reason == "tool_use"


@pytest.mark.parametrize("sent", [Sent((1,), ids="late"), Sent((1,), ids="repeated"), Sent((1,), cumulative=True)], ids=repr)
def test_what_this_api_does_not_know_changes_nothing(ask, sent) -> None:
    """A call's id stands where its block is opened, and parts never repeat what came before."""
    asking = ask(Reply(RICH, sent=sent), Reply(RICH))
    assert of(asking.stream()) == of(asking())


def test_parts_take_turns(ask) -> None:
    """Interleaved indexes."""
    asking = ask(Reply((Call("c1"), Call("c2")), sent=Sent((1,), together=True)))
    order = [e.index for e in asking(stream=True) if e.type == "content_block_delta"]
    assert order == [0, 1, 0, 1]


@pytest.mark.parametrize(("label", "word"), LABELS, ids=repr)
def test_labels_lie_as_the_script_does(ask, label, word) -> None:
    """Whole and streamed."""
    asking = ask(Reply(RICH, label), Reply(RICH, label))
    assert asking().stop_reason == word
    assert asking.stream().stop_reason == word


@pytest.mark.parametrize("text", ["{bad", "", "null", "[1]", '{"a": 1}{"b": 2}', "NaN"])
def test_raw_arguments_go_out_as_they_are(ask, text) -> None:
    """Malformed JSON reaches the client: as a string in a whole reply, as it is in a stream."""
    asking = ask(*[Reply((Call("c1", "echo", Raw(text)),))] * 2)
    streamed = "".join(e.delta.partial_json for e in asking(stream=True) if e.type == "content_block_delta")
    assert streamed == text
    whole = asking.client.messages.with_raw_response.create(model="m", max_tokens=9, messages=GO, tools=TOOLS)
    given = json.loads(whole.text())["content"][0]["input"]
    assert given == text or text in {"null", "[1]", "NaN"}


def test_usage_is_the_scripts(ask) -> None:
    """Whole and streamed."""
    asking = ask(*[Reply((Say("a"),), usage={"input": 7, "output": 5})] * 2)
    for message in (asking(), asking.stream()):
        assert (message.usage.input_tokens, message.usage.output_tokens) == (7, 5)


@pytest.mark.parametrize("cut", [0, 1, 2, 5])
def test_a_cut_connection(ask, cut) -> None:
    """After so many events there is an error and no end."""
    asking = ask(Reply(RICH, sent=Sent((2,), cut=cut)))
    got = []
    with pytest.raises((anthropic.APIConnectionError, httpx2.HTTPError)):
        got.extend(iter(asking(stream=True)))
    assert len(got) <= cut
    (exchange,) = asking.run.exchanges
    assert (exchange.cut, exchange.sent_events) == (True, cut)


def test_a_cut_whole_reply(ask) -> None:
    """Half a body is no reply."""
    with pytest.raises((anthropic.APIConnectionError, httpx2.HTTPError)):
        ask(Reply(RICH, sent=Sent(cut=1)))()


def test_an_unclosed_stream_ends_without_its_closing_event(ask) -> None:
    """All content, no stop reason, and the stream ends properly."""
    events = list(ask(Reply(RICH, sent=Sent(unclosed=True)))(stream=True))
    assert events[-1].type == "content_block_stop"
    assert not [e for e in events if e.type in ("message_delta", "message_stop")]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_status_is_an_error_of_that_status(ask, status, streamed) -> None:
    """In the error shape of the API, whatever was asked for."""
    with pytest.raises(anthropic.APIStatusError) as caught:
        ask(Crash(text="too much", status=status))(stream=streamed)
    assert caught.value.status_code == status
    assert caught.value.body["type"] == "error"
    assert caught.value.body["error"]["message"] == "too much"


def test_a_client_that_tries_again_gets_the_next_reply(ask) -> None:
    """Retry-after is told, and followed; a closed connection is tried again, too."""
    asking = ask(Crash(status=529, retry_after=0.01), Crash(), Reply((Say("at last"),)), retries=2)
    assert asking().content[0].text == "at last"
    assert [e.status for e in asking.run.exchanges] == [529, None, 200]


def test_models_and_counts(ask) -> None:
    """Beside the script, and with the types of the client."""
    asking = ask(Reply((Say("first"),)))
    assert [m.id for m in asking.client.models.list()] == ["scripted"]
    assert asking.client.models.retrieve("x").id == "x"
    assert asking.client.messages.count_tokens(model="m", messages=GO).input_tokens > 0
    assert asking().content[0].text == "first"
    assert [e.kind for e in asking.run.exchanges] == ["models", "models", "count", "model"]
