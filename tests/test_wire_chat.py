"""The official openai client against the wire provider: chat completions, whole and streamed."""

from __future__ import annotations

import json

import openai
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

TOOLS = [{"type": "function", "function": {"name": "echo", "parameters": {"type": "object", "properties": {}}}}]
GO = [{"role": "user", "content": "Go."}]
LABELS = [
    ("stop", "stop"), ("toolUse", "tool_calls"), ("length", "length"), ("error", "content_filter"), ("", ""),
    ("end_turn", "end_turn"), (None, None), (ABSENT, None), ("STOP", "STOP"),
]  # fmt: skip


@pytest.fixture
def ask(server):  # noqa: F811
    """Open a run of these replies; what is given back asks it once."""
    opened = []

    def opening(*replies, retries=0, **how):
        run = server.open(script(*replies, **how.pop("script", {})), **how)
        client = openai.OpenAI(base_url=run.v1, api_key="secret", max_retries=retries)
        opened.append((run, client))

        def asking(messages=GO, **more):
            body = {"model": "m", "messages": messages, "tools": TOOLS, **more}
            return client.chat.completions.create(**{k: v for k, v in body.items() if v is not None})

        asking.run, asking.client = run, client
        return asking

    yield opening
    for run, client in opened:
        client.close()
        run.close()


def told(chunks):
    """Text, calls and finish reason of a stream, put together as the API has it."""
    text, calls, label = "", {}, None
    for chunk in chunks:
        for choice in chunk.choices:
            text += choice.delta.content or ""
            label = choice.finish_reason or label
            for part in choice.delta.tool_calls or ():
                call = calls.setdefault(part.index, {"id": None, "name": None, "arguments": ""})
                call["id"] = part.id or call["id"]
                call["name"] = part.function.name or call["name"]
                call["arguments"] += part.function.arguments or ""
    return text, [calls[at] for at in sorted(calls)], label


def of(message):
    """The same of a whole message."""
    calls = [{"id": c.id, "name": c.function.name, "arguments": c.function.arguments} for c in message.tool_calls or ()]
    return message.content or "", calls


@pytest.mark.parametrize("blocks", [(), (Say("a"),), (Say("a"), Say("b")), RICH, (Call(),), (Odd(), Say("x"))], ids=repr)
def test_streamed_and_whole_say_the_same(ask, blocks) -> None:
    """The same reply, both ways, and both are what the script says."""
    asking = ask(Reply(blocks), Reply(blocks))
    whole = of(asking().choices[0].message)
    text, calls, label = told(asking(stream=True))
    assert (text, calls) == whole
    assert label == "stop"
    assert text == "".join(b.text for b in blocks if isinstance(b, Say))
    assert [json.loads(c["arguments"]) for c in calls] == [b.arguments for b in blocks if isinstance(b, Call)]


@pytest.mark.parametrize("sent", FRAGMENTS, ids=repr)
def test_fragments_add_up(ask, sent) -> None:
    """However a reply is cut into parts, the official client makes the same message of it."""
    asking = ask(Reply(RICH, "toolUse", sent=sent), Reply(RICH, "toolUse"))
    with asking.client.chat.completions.stream(model="m", messages=GO, tools=TOOLS) as stream:
        found = stream.get_final_completion().choices[0]
    plain = asking().choices[0]
    assert of(found.message) == of(plain.message)
    assert found.finish_reason == plain.finish_reason == "tool_calls"


@pytest.mark.parametrize("ids", ["first", "late", "repeated"])
def test_ids_stand_where_they_are_wanted(ask, ids) -> None:
    """With the first part, with the last, or with each."""
    asking = ask(Reply((Call("c1", "echo", {"text": "abc"}),), sent=Sent((5,), ids=ids)))
    chunks = list(asking(stream=True))
    places = [p.id for c in chunks for p in c.choices[0].delta.tool_calls or ()]
    wanted = {"first": ["c1", None, None], "late": [None, None, "c1"], "repeated": ["c1"] * 3}
    assert places == wanted[ids]
    assert told(chunks)[1] == [{"id": "c1", "name": "echo", "arguments": '{"text":"abc"}'}]


def test_parts_take_turns(ask) -> None:
    """Interleaved indexes."""
    asking = ask(Reply((Call("c1"), Call("c2")), sent=Sent((1,), together=True)))
    order = [p.index for c in asking(stream=True) for p in c.choices[0].delta.tool_calls or ()]
    assert order == [0, 1, 0, 1]


def test_snapshots_repeat_what_came_before(ask) -> None:
    """Cumulative parts."""
    asking = ask(Reply((Say("abc"),), sent=Sent((1,), cumulative=True)))
    assert [c.choices[0].delta.content for c in asking(stream=True)][1:-1] == ["a", "ab", "abc"]


def test_text_is_cut_inside_a_character(ask) -> None:
    """A network write ends in the middle of a character, and the event is whole all the same."""
    asking = ask(Reply((Say("🚀" * 20),), sent=Sent(chunk=5)))
    assert told(asking(stream=True))[0] == "🚀" * 20


@pytest.mark.parametrize(("label", "word"), LABELS, ids=repr)
@pytest.mark.parametrize("streamed", [False, True])
def test_labels_lie_as_the_script_does(ask, label, word, streamed) -> None:
    """A reply with calls may say that it stopped, and unknown words go through."""
    found = ask(Reply(RICH, label))(stream=streamed)
    if streamed:
        last = [c.choices[0].finish_reason for c in found if c.choices][-1]
    else:
        last = found.choices[0].finish_reason
    assert last == word


@pytest.mark.parametrize("text", ["{bad", "", "null", "[1]", '{"a": 1}{"b": 2}', "NaN"])
@pytest.mark.parametrize("streamed", [False, True])
def test_raw_arguments_go_out_as_they_are(ask, text, streamed) -> None:
    """Malformed JSON reaches the client."""
    found = ask(Reply((Call("c1", "echo", Raw(text)),)))(stream=streamed)
    calls = told(found)[1] if streamed else of(found.choices[0].message)[1]
    assert calls[0]["arguments"] == text


def test_usage_is_the_scripts(ask) -> None:
    """Whole, and streamed where it is asked for."""
    asking = ask(*[Reply((Say("a"),), usage={"input": 7, "output": 5})] * 3)
    assert asking().usage.total_tokens == 12
    assert [c.usage for c in asking(stream=True) if c.usage] == []
    last = list(asking(stream=True, stream_options={"include_usage": True}))[-1]
    assert (last.usage.prompt_tokens, last.usage.completion_tokens, last.choices) == (7, 5, [])


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_a_cut_connection(ask, cut) -> None:
    """After so many events there is an error and no end."""
    asking = ask(Reply(RICH, sent=Sent((2,), cut=cut)))
    got = []
    with pytest.raises((openai.APIConnectionError, openai.APIError)):
        got.extend(iter(asking(stream=True)))
    assert len(got) <= cut
    (exchange,) = asking.run.exchanges
    assert exchange.cut
    assert exchange.sent_events == cut


def test_a_cut_whole_reply(ask) -> None:
    """Half a body is no reply."""
    with pytest.raises(openai.APIConnectionError):
        ask(Reply(RICH, sent=Sent(cut=1)))()


def test_an_unclosed_stream_ends_without_its_closing_event(ask) -> None:
    """All content, no finish reason, and the stream ends properly."""
    asking = ask(Reply(RICH, sent=Sent(unclosed=True)))
    text, calls, label = told(asking(stream=True))
    assert (text, len(calls), label) == (RICH[0].text, 2, None)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_status_is_an_error_of_that_status(ask, status, streamed) -> None:
    """In the error shape of the API, whatever was asked for."""
    with pytest.raises(openai.APIStatusError) as caught:
        ask(Crash(text="too much", status=status))(stream=streamed)
    assert caught.value.status_code == status
    assert caught.value.body["message"] == "too much"
    assert caught.value.response.headers.get("retry-after") is None


def test_a_client_that_tries_again_gets_the_next_reply(ask) -> None:
    """Retry-after is told, and followed; a closed connection is tried again, too."""
    asking = ask(Crash(status=429, retry_after=0.01), Crash(), Reply((Say("at last"),)), retries=2)
    assert asking().choices[0].message.content == "at last"
    assert [e.status for e in asking.run.exchanges] == [429, None, 200]


def test_a_closed_connection(ask) -> None:
    """Nothing is answered."""
    asking = ask(Crash())
    with pytest.raises(openai.APIConnectionError):
        asking()
    assert asking.run.exchanges[0].cut


def test_models_are_listed(ask) -> None:
    """And one by one."""
    asking = ask()
    assert [m.id for m in asking.client.models.list()] == ["scripted"]
    assert asking.client.models.retrieve("x").id == "x"
