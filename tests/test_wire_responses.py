"""The official openai client against the wire provider: responses, whole and streamed."""

from __future__ import annotations

import json

import openai
import pytest

from strategies.script import ABSENT
from tests.wiring import FRAGMENTS, RICH, STATUSES, Call, Crash, Odd, Raw, Reply, Say, Sent, Server, script

TOOLS = [{"type": "function", "name": "echo", "parameters": {"type": "object", "properties": {}}, "strict": False}]
GO = [{"role": "user", "content": "Go."}]
LABELS = [
    ("stop", "completed", None), ("toolUse", "completed", None), ("length", "incomplete", "max_output_tokens"),
    ("content_filter", "incomplete", "content_filter"), ("error", "failed", None), ("end_turn", "end_turn", None),
    ("", "", None), (None, None, None), (ABSENT, None, None),
]  # fmt: skip


@pytest.fixture(scope="module")
def server():
    """The provider with this dialect."""
    with Server(wires=("chat", "responses")) as started:
        yield started


@pytest.fixture(scope="module")
def official():
    """The official client; making one takes as long as a hundred requests."""
    with openai.OpenAI(base_url="http://127.0.0.1/", api_key="secret") as client:
        yield client


@pytest.fixture
def ask(server, official):
    """Open a run of these replies; what is given back asks it once."""
    opened = []

    def opening(*replies, retries=0, **how):
        run = server.open(script(*replies, **how.pop("script", {})), **how)
        client = official.with_options(base_url=run.v1, max_retries=retries)
        opened.append(run)

        def asking(items=GO, **more):
            return client.responses.create(model="m", input=items, tools=TOOLS, **more)

        def streaming(items=GO, **more):
            with client.responses.stream(model="m", input=items, tools=TOOLS, **more) as stream:
                return stream.get_final_response()

        asking.run, asking.client, asking.stream = run, client, streaming
        return asking

    yield opening
    for run in opened:
        run.close()


def of(response):
    """The output as plain data: what each item says."""
    found = []
    for item in response.output:
        if item.type == "message":
            found.append(("text", "".join(part.text for part in item.content)))
        elif item.type == "function_call":
            found.append(("call", item.call_id, item.name, item.arguments))
        else:
            found.append((item.type, "".join(part.text for part in item.summary)))
    return found


def wanted(blocks):
    """The same of the blocks of a script."""
    return [
        ("text", b.text) if isinstance(b, Say)
        else ("reasoning", b.text) if isinstance(b, Odd)
        else ("call", b.id, b.name, json.dumps(b.arguments, ensure_ascii=False, separators=(",", ":")))
        for b in blocks
    ]  # fmt: skip


BLOCKS = [(), (Say("a"),), (Say("a"), Say("b")), RICH, (Call(),), (Odd(), Say("x")), (Call(), Say("x")), (Say(""),)]


@pytest.mark.parametrize("blocks", BLOCKS, ids=repr)
def test_streamed_and_whole_say_the_same(ask, blocks) -> None:
    """The same reply, both ways, and both are what the script says."""
    asking = ask(Reply(blocks), Reply(blocks))
    assert of(asking()) == of(asking.stream()) == wanted(blocks)


@pytest.mark.parametrize("sent", [*FRAGMENTS, Sent((1,), ids="late"), Sent((1,), ids="repeated"), Sent((1,), cumulative=True)], ids=repr)
def test_fragments_add_up(ask, sent) -> None:
    """However a reply is cut into parts, the official client makes the same response of it."""
    asking = ask(Reply(RICH, "toolUse", sent=sent))
    assert of(asking.stream()) == wanted(RICH)


@pytest.mark.parametrize("sent", FRAGMENTS, ids=repr)
def test_deltas_alone_add_up(ask, sent) -> None:
    """Whoever reads nothing but the deltas gets the same texts and arguments."""
    parts: dict[int, str] = {}
    for event in ask(Reply(RICH, sent=sent))(stream=True):
        if event.type.endswith(".delta"):
            parts[event.output_index] = parts.get(event.output_index, "") + event.delta
    assert [parts[at] for at in sorted(parts)] == [RICH[0].text, '{"text":"日本"}', "{}"]


def test_events_come_in_the_order_of_the_api(ask) -> None:
    """One text and one call, with numbers that count up."""
    events = list(ask(Reply((Say("hi"), Call("c1")), "toolUse"))(stream=True))
    assert [e.sequence_number for e in events] == list(range(len(events)))
    assert [e.type.removeprefix("response.") for e in events] == [
        "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta", "output_text.done",
        "content_part.done", "output_item.done", "output_item.added", "function_call_arguments.delta",
        "function_call_arguments.done", "output_item.done", "completed",
    ]  # fmt: skip
    added = [e.item for e in events if e.type == "response.output_item.added"]
    assert (added[1].call_id, added[1].name, added[1].arguments, added[1].status) == ("c1", "echo", "", "in_progress")


def test_parts_take_turns(ask) -> None:
    """Interleaved indexes."""
    asking = ask(Reply((Call("c1"), Call("c2")), sent=Sent((1,), together=True)))
    order = [e.output_index for e in asking(stream=True) if e.type.endswith("arguments.delta")]
    assert order == [0, 1, 0, 1]


@pytest.mark.parametrize(("label", "status", "reason"), LABELS, ids=repr)
def test_labels_lie_as_the_script_does(ask, label, status, reason) -> None:
    """Whole and streamed; a word that nobody has heard of is the status."""
    asking = ask(Reply(RICH, label, "why"), Reply(RICH, label, "why"))
    whole = asking()
    last = list(asking(stream=True))[-1]
    kind = status if status in ("incomplete", "failed") else "completed"
    assert last.type == f"response.{kind}"
    for response in (whole, last.response):
        assert response.status == status
        assert (response.incomplete_details and response.incomplete_details.reason) == reason
        assert (response.error and response.error.message) == ("why" if label == "error" else None)
        assert of(response) == wanted(RICH)


@pytest.mark.parametrize("text", ["{bad", "", "null", "[1]", '{"a": 1}{"b": 2}', "NaN"])
def test_raw_arguments_go_out_as_they_are(ask, text) -> None:
    """Malformed JSON reaches the client."""
    asking = ask(*[Reply((Call("c1", "echo", Raw(text)),))] * 2)
    assert of(asking())[0][3] == text
    done = [e for e in asking(stream=True) if e.type == "response.output_item.done"]
    assert done[0].item.arguments == text


def test_usage_is_the_scripts(ask) -> None:
    """Whole and streamed."""
    asking = ask(*[Reply((Say("a"),), usage={"input": 7, "output": 5})] * 2)
    for response in (asking(), asking.stream()):
        assert (response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens) == (7, 5, 12)


@pytest.mark.parametrize("cut", [0, 1, 2, 5, 8])
def test_a_cut_connection(ask, cut) -> None:
    """After so many events there is an error and no end."""
    asking = ask(Reply(RICH, sent=Sent((2,), cut=cut)))
    got = []
    with pytest.raises((openai.APIConnectionError, openai.APIError)):
        got.extend(iter(asking(stream=True)))
    assert len(got) <= cut
    (exchange,) = asking.run.exchanges
    assert (exchange.cut, exchange.sent_events) == (True, cut)


def test_a_cut_whole_reply(ask) -> None:
    """Half a body is no reply."""
    with pytest.raises(openai.APIConnectionError):
        ask(Reply(RICH, sent=Sent(cut=1)))()


def test_an_unclosed_stream_ends_without_its_closing_event(ask) -> None:
    """All items are done, and no response is."""
    types = [e.type for e in ask(Reply(RICH, sent=Sent(unclosed=True)))(stream=True)]
    assert types[-1] == "response.output_item.done"
    with pytest.raises(RuntimeError, match="Didn't receive a `response.completed` event"):
        ask(Reply(RICH, sent=Sent(unclosed=True))).stream()


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_status_is_an_error_of_that_status(ask, status, streamed) -> None:
    """In the error shape of the API, whatever was asked for."""
    with pytest.raises(openai.APIStatusError) as caught:
        ask(Crash(text="too much", status=status))(stream=streamed)
    assert caught.value.status_code == status
    assert set(caught.value.body) == {"message", "type", "param", "code"}
    assert caught.value.body["message"] == "too much"


def test_a_client_that_tries_again_gets_the_next_reply(ask) -> None:
    """Retry-after is told, and followed; a closed connection is tried again, too."""
    asking = ask(Crash(status=429, retry_after=0.01), Crash(), Reply((Say("at last"),)), retries=2)
    assert asking().output_text == "at last"
    assert [e.status for e in asking.run.exchanges] == [429, None, 200]


def test_a_block_of_an_unknown_kind_comes_and_goes(ask) -> None:
    """It is an item of that type, and is read again when it is sent back with its id."""
    asking = ask(Reply((Odd("dream", "sheep"), Say("a"))), Reply((Say("b"),)))
    first = asking()
    assert first.output[0].type == "dream"
    asking([*GO, *(item.model_dump(exclude_unset=True) for item in first.output), *GO])
    sent = asking.run.exchanges[1].read.messages[1]
    assert sent["content"] == [{"type": "dream", "dream": "sheep"}, {"type": "text", "text": "a"}]


def test_tokens_are_counted_and_models_listed(ask) -> None:
    """What stands beside the model calls."""
    asking = ask()
    assert [m.id for m in asking.client.models.list()] == ["scripted"]
    assert asking.client.responses.input_tokens.count(model="m", input="a").input_tokens > 0
    assert [e.kind for e in asking.run.exchanges] == ["models", "count"]
