"""All four dialects agree: one conversation, played through each official client by one tiny loop."""

from __future__ import annotations

import json

import anthropic
import httpx2
import openai
import pytest
from google import genai
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.wire.server import Server
from strategies import tables
from strategies.conversations import PLAIN, conversations
from strategies.script import Call, Conversation, Odd, Prompt, Reply, Say, Sent, Tool

pytestmark = pytest.mark.filterwarnings("ignore:.*is not a valid FinishReason")
SENT = (None, Sent((1,)), Sent((2, 5), together=True), Sent((3,), ids="repeated", chunk=3), Sent((4,), ids="late"))
ONCE = {"properties": {}, "type": "object"}


class Chat:
    """Chat completions. What it cannot carry: where texts stand among calls, and thoughts."""

    def __init__(self, run, line):
        self.client = openai.OpenAI(base_url=run.v1, api_key="x", max_retries=0, http_client=line)

    def begin(self, system, tools):
        self.tools = [{"type": "function", "function": tool} for tool in tools]
        self.record = [{"role": "system", "content": system}] if system else []

    def ask(self, text):
        self.record.append({"role": "user", "content": text})

    def answer(self, streamed):
        asked = {"model": "m", "messages": self.record, "tools": self.tools}
        if streamed:  # by hand: the client's helper stops at a reply that was too long
            text, parts = "", {}
            for chunk in self.client.chat.completions.create(**asked, stream=True):
                delta = chunk.choices[0].delta
                text += delta.content or ""
                for part in delta.tool_calls or ():
                    call = parts.setdefault(part.index, ["", "", ""])
                    call[0] = part.id or call[0]
                    call[1] = part.function.name or call[1]
                    call[2] += part.function.arguments or ""
            calls = [tuple(parts[at]) for at in sorted(parts)]
        else:
            message = self.client.chat.completions.create(**asked).choices[0].message
            text = message.content or ""
            calls = [(c.id, c.function.name, c.function.arguments) for c in message.tool_calls or ()]
        made = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
        self.record.append({"role": "assistant", "content": text, **({"tool_calls": made} if made else {})})
        return [(id_, name, json.loads(given)) for id_, name, given in calls]

    def results(self, results):
        self.record += [{"role": "tool", "tool_call_id": id_, "content": text} for id_, _, text in results]


class Responses:
    """Responses, with the whole input each time."""

    def __init__(self, run, line):
        self.client = openai.OpenAI(base_url=run.v1, api_key="x", max_retries=0, http_client=line)

    def begin(self, system, tools):
        self.more = {"instructions": system} if system else {}
        self.more["tools"] = [{"type": "function", "strict": False, **tool} for tool in tools]
        self.record = []

    def ask(self, text):
        self.record.append({"role": "user", "content": text})

    def answer(self, streamed):
        found = self.client.responses.create(model="m", input=self.record, stream=streamed, **self.more)
        if streamed:
            output = [event.item for event in found if event.type == "response.output_item.done"]
            output.sort(key=lambda item: int(item.id.rpartition("_")[2]))
        else:
            output = found.output
        self.record += [item.to_dict() for item in output]
        return [(c.call_id, c.name, json.loads(c.arguments)) for c in output if c.type == "function_call"]

    def results(self, results):
        self.record += [{"type": "function_call_output", "call_id": id_, "output": text} for id_, _, text in results]


class Anthropic:
    """Messages."""

    def __init__(self, run, line):
        self.client = anthropic.Anthropic(base_url=run.base_url, api_key="x", max_retries=0, http_client=line)

    def begin(self, system, tools):
        self.more = {"system": system} if system else {}
        names = {"parameters": "input_schema"}
        self.more["tools"] = [{names.get(k, k): v for k, v in tool.items()} for tool in tools]
        self.record = []

    def ask(self, text):
        self.record.append({"role": "user", "content": text})

    def answer(self, streamed):
        asked = {"model": "m", "max_tokens": 9, "messages": self.record, **self.more}
        if streamed:
            with self.client.messages.stream(**asked) as stream:
                message = stream.get_final_message()
        else:
            message = self.client.messages.create(**asked)
        keys = {"text": ("text",), "tool_use": ("id", "name", "input"), "thinking": ("thinking", "signature")}
        kept = [{k: getattr(b, k) for k in ("type", *keys[b.type])} for b in message.content]
        self.record.append({"role": "assistant", "content": kept})
        return [(b.id, b.name, b.input) for b in message.content if b.type == "tool_use"]

    def results(self, results):
        blocks = [{"type": "tool_result", "tool_use_id": id_, "content": text} for id_, _, text in results]
        self.record.append({"role": "user", "content": blocks})


class Gemini:
    """GenerateContent. What it cannot carry: where one text ends and the next begins."""

    ids = True

    def __init__(self, run, line):
        self.client = genai.Client(
            api_key="x", http_options=types.HttpOptions(base_url=run.base_url, httpx_client=line)
        )

    def begin(self, system, tools):
        names = {"parameters": "parameters_json_schema"}
        declared = [types.FunctionDeclaration(**{names.get(k, k): v for k, v in tool.items()}) for tool in tools]
        self.config = types.GenerateContentConfig(
            system_instruction=system or None, tools=[types.Tool(function_declarations=declared)],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )  # fmt: skip
        self.record = []

    def ask(self, text):
        self.record.append(types.Content(role="user", parts=[types.Part(text=text)]))

    def answer(self, streamed):
        asked = {"model": "m", "contents": self.record, "config": self.config}
        models = self.client.models
        found = list(models.generate_content_stream(**asked)) if streamed else [models.generate_content(**asked)]
        parts = [part for each in found for part in each.candidates[0].content.parts or ()]
        self.record.append(types.Content(role="model", parts=parts))
        calls = [(p.function_call.id, p.function_call.name or "", p.function_call.args or {}) for p in parts if p.function_call]
        if not self.ids:
            for part in parts:
                if part.function_call:
                    part.function_call.id = None
        return calls

    def results(self, results):
        self.record.append(types.Content(role="user", parts=[
            types.Part(function_response=types.FunctionResponse(
                id=id_ if self.ids else None, name=name, response={"output": text}
            )) for id_, name, text in results
        ]))  # fmt: skip


class Bare(Gemini):
    """GenerateContent by a client that keeps no ids."""

    ids = False


CLIENTS = {"chat": Chat, "responses": Responses, "anthropic": Anthropic, "gemini": Gemini, "bare": Bare}


def converse(harness, script: Conversation, run, pattern) -> None:
    """The tiny loop: ask, run each call, go on while there are calls."""
    count = 0
    harness.begin(script.system, [_public(tool) for tool in script.tools if isinstance(tool, Tool)])
    for number, prompt in enumerate(script.prompts):
        if number:
            run.begin(number)
        harness.ask(prompt.text)
        while True:
            calls = harness.answer(pattern[count % len(pattern)])
            count += 1
            if not calls:
                break
            harness.results([(id_, name, f"{name} got {json.dumps(given, sort_keys=True)}") for id_, name, given in calls])


def _public(tool: Tool) -> dict:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


@pytest.fixture(scope="module")
def server():
    """The provider with all dialects."""
    with Server() as started:
        yield started


@pytest.fixture(scope="module")
def line():
    """The connections of all clients."""
    with httpx2.Client() as client:
        yield client


def played(server, line, name, script, pattern):
    """The requests of this client, in the normal form."""
    run = server.open(script)
    converse(CLIENTS[name](run, line), script, run, pattern)
    assert [e.refusal for e in run.exchanges if e.refusal] == []
    assert (run.finish(), [e.extra for e in run.exchanges if e.extra], [e.side for e in run.exchanges if e.side]) == (0, [], [])
    wire = "gemini" if name == "bare" else name
    assert {e.dialect for e in run.exchanges} == {wire}
    run.close()
    return [e.read for e in run.exchanges]


def ordered(read):
    """What every wire but chat can carry: texts joined where they meet, results without marks."""
    return [read.system, read.tools, [_message(m) for m in read.messages]]


def _message(message):
    if message["role"] != "assistant":
        return {key: value for key, value in message.items() if key != "is_error"}
    found: list[dict] = []
    for block in message["content"]:
        kind = block["type"]
        if found and found[-1]["type"] == kind != "toolCall":
            found[-1] = {"type": kind, kind: found[-1][kind] + block[kind]}
        else:
            found.append(block)
    return {**message, "content": [b for b in found if b["type"] == "toolCall" or b[b["type"]]]}


def unordered(read):
    """What chat can carry, too: all text of a reply in one, then its calls; no thoughts."""
    system, tools, messages = ordered(read)
    found = []
    for message in messages:
        if message["role"] == "assistant":
            text = "".join(b["text"] for b in message["content"] if b["type"] == "text")
            message = {**message, "content": [text, *(b for b in message["content"] if b["type"] == "toolCall")]}
        found.append(message)
    return [system, tools, found]


def nameless(row):
    """Messages with the ids of calls and results left out."""
    return json.loads(json.dumps(row), object_hook=lambda o: {k: v for k, v in o.items() if k not in ("id", "tool_call_id")})


def agree(server, line, script, pattern) -> None:
    """What is claimed."""
    chat, responses, messages, gemini, bare = (played(server, line, name, script, pattern) for name in CLIENTS)
    assert list(map(ordered, responses)) == list(map(ordered, messages)) == list(map(ordered, gemini))
    assert list(map(unordered, chat)) == list(map(unordered, gemini))
    assert nameless(list(map(ordered, bare))) == nameless(list(map(ordered, gemini)))
    assert all(id_.startswith("#") for read in bare for id_ in _ids(read))


def _ids(read):
    return [m["tool_call_id"] for m in read.messages if m["role"] == "toolResult"]


RICH = Reply((Odd(text="so"), Say("a "), Say("b"), Call("c1", "echo", {"text": "日本"}), Say("mid"), Call("c2", "nope", {})), "stop")


WAYS = [(None, (False,)), (None, (True, False)), *((sent, (True,)) for sent in SENT)]


@pytest.mark.parametrize(("sent", "pattern"), WAYS, ids=repr)
def test_a_rich_conversation(server, line, sent, pattern) -> None:
    """Thoughts, texts in two parts, calls of known and unknown tools, two prompts."""
    rich = Reply(RICH.blocks, RICH.label, sent=sent)
    done = Reply((Say("Done. 🚀"),), "toolUse", sent=sent)
    again = Reply((Call("c1", "echo", {}),), "length", sent=sent)
    script = Conversation((Prompt("Go.", (rich, again, done)), Prompt("On.", (again, done))), (Tool(), Tool("add")), "Be.")
    agree(server, line, script, pattern)


@settings(max_examples=15, deadline=None)
@given(
    conversations(
        ends=PLAIN, max_prompts=2, max_rounds=2, max_calls=3, histories=((),), unknown=tables.UNKNOWN,
        systems=tables.SYSTEMS,
    ),
    st.sampled_from(SENT), st.sampled_from(((False,), (True,), (True, False))),
)  # fmt: skip
def test_drawn_conversations(server, line, script, sent, pattern) -> None:
    """Whatever is drawn, however it is sent."""
    prompts = tuple(
        Prompt(p.text, tuple(Reply(r.blocks, r.label, r.error, r.usage, min(r.times, 3), sent) for r in p.replies))
        for p in script.prompts
    )  # fmt: skip
    agree(server, line, Conversation(prompts, script.tools, script.system), pattern)
