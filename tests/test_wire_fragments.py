"""What goes out over a wire and is sent back is what the script says: drawn replies, no server."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st

from adapters.wire.dialects import Body, Route, dialect
from strategies.conversations import conversations
from strategies.draws import pick
from strategies.script import Call, Odd, Reply, Say, Sent
from tests.drawing import drawn

BODY = Body("", [], [], "m", streamed=True)
SENTS = st.builds(
    Sent, pieces=st.lists(st.integers(0, 9), max_size=3).map(tuple), together=st.booleans(), ids=pick(("first", "late"))
)  # fmt: skip
DRAWS = 150


def replies() -> list[tuple[Reply, Sent]]:
    """Replies that scripts hold, each with a way to send it."""
    found = drawn(st.tuples(conversations(), SENTS), DRAWS)
    return [
        (reply, sent) for script, sent in found for prompt in script.prompts for reply in prompt.replies
        if isinstance(reply, Reply)
    ]  # fmt: skip


def data(event: bytes) -> Any:
    """What an event carries."""
    line = next(line for line in event.split(b"\n") if line.startswith(b"data: "))
    return json.loads(line[6:]) if line != b"data: [DONE]" else None


def chat_message(events: list[bytes]) -> dict[str, Any]:
    """The message of a stream of chat completions, as a plain client puts it together."""
    text, thought, calls = None, "", {}
    for chunk in filter(None, map(data, events)):
        delta = chunk["choices"][0]["delta"]
        if delta.get("content") is not None:
            text = (text or "") + delta["content"]
        thought += delta.get("reasoning_content") or ""
        for part in delta.get("tool_calls", ()):
            call = calls.setdefault(part["index"], {"function": {"arguments": ""}})
            call.update({k: part[k] for k in ("id", "type") if k in part})
            function = part.get("function", {})
            call["function"]["arguments"] += function.get("arguments", "")
            call["function"].update({k: function[k] for k in ("name",) if k in function})
    message = {"role": "assistant", "content": text, "reasoning_content": thought}
    return {**message, **({"tool_calls": [calls[n] for n in sorted(calls)]} if calls else {})}


def anthropic_message(events: list[bytes]) -> dict[str, Any]:
    """The message of a stream of the Messages API, as a plain client puts it together."""
    blocks: dict[int, Any] = {}
    for told in map(data, events):
        if told["type"] == "content_block_start":
            blocks[told["index"]] = {**told["content_block"], "json": ""}
        elif told["type"] == "content_block_delta":
            delta, block = told["delta"], blocks[told["index"]]
            key = {"text_delta": "text", "input_json_delta": "json", "thinking_delta": "thinking",
                   "signature_delta": "signature"}[delta["type"]]  # fmt: skip
            block[key] += delta[{"json": "partial_json"}.get(key, key)]
    content = []
    for at in sorted(blocks):
        block = blocks[at]
        said = block.pop("json")
        content.append({**block, "input": json.loads(said)} if block["type"] == "tool_use" else block)
    return {"role": "assistant", "content": content}


def expected(reply: Reply, name: str) -> list[dict[str, Any]]:
    """The blocks of the normal form that this wire can say."""
    calls = [
        {"type": "toolCall", "id": b.id, "name": b.name, "arguments": b.arguments}
        for b in reply.blocks if isinstance(b, Call)
    ]  # fmt: skip
    if name == "anthropic":
        order = iter(calls)
        return [
            next(order) if isinstance(b, Call) else {"type": "text", "text": b.text} if isinstance(b, Say)
            else {"type": b.type, b.type: b.text}
            for b in reply.blocks
        ]  # fmt: skip
    text = "".join(b.text for b in reply.blocks if isinstance(b, Say))
    thought = [{"type": b.type, b.type: b.text} for b in reply.blocks if isinstance(b, Odd) and b.text]
    spoken = text or (not calls and any(isinstance(b, Say) for b in reply.blocks))
    return [*thought, *([{"type": "text", "text": text}] if spoken else []), *calls]


ENDS = {"chat": chat_message, "anthropic": anthropic_message}


@pytest.mark.parametrize("name", ENDS)
def test_what_is_sent_back_is_what_the_script_says(name: str) -> None:
    """However it was cut into parts, whole as streamed."""
    speaks = dialect(name)
    looked = 0
    for reply, sent in replies():
        if not reply.blocks:
            continue
        whole = speaks.whole(reply, 1, BODY)
        back = whole["choices"][0]["message"] if name == "chat" else {k: whole[k] for k in ("role", "content")}
        streamed = ENDS[name](speaks.events(replace(reply, sent=sent), 1, BODY))
        for message in (back, streamed):
            body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "Go."}, message]}
            read = speaks.read(json.loads(json.dumps(body)), Route("model"))
            assert read.messages[1]["content"] == expected(reply, name), (reply, sent)
        looked += 1
    assert looked > DRAWS
