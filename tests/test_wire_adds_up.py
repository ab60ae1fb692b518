"""What the dialects responses and gemini send, put together by the official clients, is what was scripted."""

from __future__ import annotations

import httpx2
import openai
import pytest
from google import genai
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from adapters.wire.dialects import dialect
from adapters.wire.session import chunks
from strategies.replies import replies
from strategies.script import Call, Odd, Reply, Sent, message_of

EVENTS = TypeAdapter(ResponseStreamEvent)
GO = {"role": "user", "content": "Go."}
ASK = {"model": "m", "input": [GO]}
CONTENTS = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}
pytestmark = pytest.mark.filterwarnings("ignore:.*is not a valid FinishReason")


def sents():
    """Ways of sending. Shrinks to the plainest."""
    sizes = st.lists(st.integers(0, 9), max_size=3).map(tuple)
    return st.builds(
        Sent, sizes, st.booleans(), st.sampled_from(("first", "late", "repeated")), st.booleans(),
        st.sampled_from((0, 1, 7, 10_000)),
    )  # fmt: skip


def canned(media):
    """A transport that answers with what is put into the list, and that list."""
    written: list[bytes] = []

    def answer(_):
        return httpx2.Response(200, headers={"content-type": media}, stream=Stream(list(written)))

    return httpx2.MockTransport(answer), written


class Stream(httpx2.SyncByteStream):
    """A body in these writes."""

    def __init__(self, writes):
        self.writes = writes

    def __iter__(self):
        yield from self.writes


LINES, WRITTEN = canned("text/event-stream")
OPENAI = openai.OpenAI(api_key="x", base_url="http://127.0.0.1/v1", http_client=httpx2.Client(transport=LINES))
GOOGLE = genai.Client(
    api_key="x", http_options=types.HttpOptions(base_url="http://127.0.0.1", httpx_client=httpx2.Client(transport=LINES))
)


def put(events, sent):
    """The next answer of the canned transport."""
    WRITTEN[:] = chunks(events, sent.chunk)


def expected(reply):
    """The blocks of a reply as a request brings them back."""
    return message_of(reply)["content"]


def said(blocks):
    """Blocks with texts that follow each other joined, and without empty ones: what the gemini wire can say."""
    found: list[dict] = []
    for block in blocks:
        kind = block["type"]
        if found and found[-1]["type"] == kind != "toolCall":
            found[-1] = {"type": kind, kind: found[-1][kind] + block[kind]}
        else:
            found.append(block)
    return [b for b in found if b["type"] == "toolCall" or b[b["type"]]]


@settings(max_examples=60, deadline=None)
@given(replies(max_calls=4), sents())
def test_responses_add_up(reply: Reply, sent: Sent) -> None:
    """Every event is one of the official types, and the client's response is the one that is not streamed."""
    reply = Reply(reply.blocks, reply.label, reply.error, reply.usage, sent=sent)
    speaks = dialect("responses")
    body = speaks.read({**ASK, "stream": True}, speaks.route("POST", "v1/responses"))
    put(speaks.events(reply, 3, body), sent)
    with OPENAI.responses.create(**ASK, stream=True) as stream:
        events = list(stream)
    whole = Response.construct(**speaks.whole(reply, 3, body)).to_dict()
    last = events[-1].response.to_dict()
    assert last == whole
    items = [e.item.to_dict() for e in events if e.type == "response.output_item.done"]
    by_place = sorted(zip((e.output_index for e in events if e.type == "response.output_item.done"), items, strict=True), key=lambda row: row[0])
    assert [item for _, item in by_place] == whole["output"]
    if whole["status"] in ("completed", "incomplete", "in_progress"):
        for event in events:
            if getattr(getattr(event, "item", None), "type", "message") in ("message", "function_call", "reasoning"):
                EVENTS.validate_python(event.to_dict())
    deltas: dict[int, str] = {}
    for event in events:
        if event.type.endswith(".delta"):
            deltas[event.output_index] = deltas.get(event.output_index, "") + event.delta
    texts = [item.get("arguments", (item.get("content") or item.get("summary") or [{}])[0].get("text")) for item in whole["output"]]
    assert [deltas[at] for at in sorted(deltas)] == texts


@settings(max_examples=60, deadline=None)
@given(replies(max_calls=4))
def test_responses_come_back(reply: Reply) -> None:
    """The output, sent back as input with a result for each call, is the reply in the normal form."""
    speaks = dialect("responses")
    route = speaks.route("POST", "v1/responses")
    output = speaks.whole(reply, 1, speaks.read(ASK, route))["output"]
    done = [{"type": "function_call_output", "call_id": c.id, "output": "ok"} for c in reply.calls]
    read = speaks.read({**ASK, "input": [GO, *output, *done]}, route)
    assert [m["content"] for m in read.messages if m["role"] == "assistant"] == [expected(reply)] * bool(reply.blocks)
    assert [m["tool_call_id"] for m in read.messages if m["role"] == "toolResult"] == [c.id for c in reply.calls]
    assert [number for number, _ in read.faults if number <= 12] == []


@settings(max_examples=60, deadline=None)
@given(replies(max_calls=4), sents())
def test_gemini_adds_up_and_comes_back(reply: Reply, sent: Sent) -> None:
    """The parts of a stream and those of a whole reply, sent back as a client keeps them, are the same reply."""
    reply = Reply(reply.blocks, reply.label, usage=reply.usage, sent=sent)
    speaks = dialect("gemini")
    route = speaks.route("POST", "v1beta/models/m:streamGenerateContent?alt=sse")
    body = speaks.read(CONTENTS, route)
    put(speaks.events(reply, 1, body), sent)
    streamed = list(GOOGLE.models.generate_content_stream(model="m", contents="Go."))
    label = speaks.whole(reply, 1, body)["candidates"][0]["finishReason"]
    found = streamed[-1].candidates[0].finish_reason
    assert (found and found.upper()) == (label and label.upper())  # the client does not mind capitals
    parts = [part for chunk in streamed for part in chunk.candidates[0].content.parts or ()]
    dumped = [part.model_dump(mode="json", by_alias=True, exclude_none=True) for part in parts]
    done = [{"functionResponse": {"id": c.id, "name": c.name, "response": {"output": "ok"}}} for c in reply.calls]
    if not dumped:
        return
    for kept in (dumped, speaks.whole(reply, 1, body)["candidates"][0]["content"]["parts"]):
        turns = [{"role": "model", "parts": kept}, *([{"role": "user", "parts": done}] if done else [])]
        read = speaks.read({"contents": [*CONTENTS["contents"], *turns]}, route)
        assert said(read.messages[1]["content"]) == said(expected(reply))
        assert [m["tool_call_id"] for m in read.messages[2:]] == [c.id for c in reply.calls]
        assert [number for number, _ in read.faults if number <= 12] == []


@settings(max_examples=40, deadline=None)
@given(replies(min_calls=1, max_calls=4), st.booleans())
def test_gemini_pairs_without_ids(reply: Reply, backwards: bool) -> None:
    """Calls without ids get the same ones in each request, and results find their calls by name."""
    speaks = dialect("gemini")
    route = speaks.route("POST", "v1beta/models/m:generateContent")
    bare = Reply(tuple(Call("", b.name, b.arguments) if isinstance(b, Call) else b for b in reply.blocks if not isinstance(b, Odd)))
    parts = speaks.whole(bare, 1, speaks.read(CONTENTS, route))["candidates"][0]["content"]["parts"]
    names = [call.name for call in reply.calls]
    ordered = names[::-1] if backwards else names
    done = [{"functionResponse": {"name": name, "response": {"output": "ok"}}} for name in ordered]
    turn = [{"role": "model", "parts": parts}, {"role": "user", "parts": done}]
    once, twice = (speaks.read({"contents": [*CONTENTS["contents"], *turn * n]}, route).messages for n in (1, 2))
    assert twice[: len(once)] == once
    results = once[2:]
    assert sorted(m["tool_call_id"] for m in results) == sorted(f"#1.{k}" for k in range(1, len(names) + 1))
    by_id = {f"#1.{k}": name for k, name in enumerate(names, 1)}
    assert [by_id[m["tool_call_id"]] for m in results] == ordered
