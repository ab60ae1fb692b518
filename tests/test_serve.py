"""`harness-props serve`: what a person sees, and what cannot be served."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import anthropic
import httpx
import openai
import pytest
from typer.testing import CliRunner

from adapters.contract import Unusable
from adapters.normal import shape
from adapters.reference import reference
from adapters.wire.server import Server
from grading.cli import app
from grading.leave import BadCall
from grading.serving import script_in, serve_script
from strategies.printing import to_json
from strategies.script import Call, Conversation, Crash, Cut, Pager, Prompt, Reply, Say

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "lying-label.json")
GO = [{"role": "user", "content": "Go."}]
TOOLS = [{"type": "function", "function": {"name": "bash"}}]
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "hello"}
WIRES = ("chat", "anthropic")


def served(capsys, client, file=EXAMPLE, **how):
    """What is shown while `client` is at it."""
    side, picky = how.pop("side", ()), how.pop("picky", False)
    assert serve_script(str(file), 0, WIRES, side, picky, client, **how) == 0
    return capsys.readouterr().out


def written(folder, script):
    """The script in a file."""
    path = folder / "script.json"
    path.write_text(json.dumps(to_json(script)))
    return path


def chat(server):
    """A client for chat completions."""
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key="any", max_retries=0)


def test_requests_are_kept_word_for_word(capsys, tmp_path) -> None:
    """A line each, as soon as it is answered; a file that cannot be written is a bad call."""
    kept = tmp_path / "kept.jsonl"

    def client(server):
        with chat(server) as c:
            c.chat.completions.create(model="m", messages=GO, tools=TOOLS)
            with pytest.raises(openai.BadRequestError):
                c.chat.completions.create(model="m", messages=[RESULT], tools=TOOLS)
        assert len(kept.read_text().splitlines()) == 2

    served(capsys, client, record=kept)
    first, second = map(json.loads, kept.read_text().splitlines())
    assert (first["number"], first["wire"], first["status"], first["refusal"]) == (1, "chat", 200, None)
    assert first["body"]["messages"] == GO
    assert (second["number"], second["status"], second["body"]["messages"]) == (2, 400, [RESULT])
    assert "must be a user message" in second["refusal"]
    with pytest.raises(BadCall, match="cannot be written: Is a directory"):
        served(capsys, client, record=tmp_path)


def test_the_example_is_a_lying_label(capsys) -> None:
    """A reply with a call that says that it stopped; the agent that runs the call gets the second reply."""

    def client(server):
        with chat(server) as c:
            first = c.chat.completions.create(model="m", messages=GO, tools=TOOLS).choices[0]
            assert first.finish_reason == "stop"
            assert first.message.tool_calls[0].function.name == "bash"
            with pytest.raises(openai.BadRequestError):
                c.chat.completions.create(model="m", messages=[*GO, first.message.to_dict()], tools=TOOLS)
            more = [*GO, first.message.to_dict(), RESULT]
            last = c.chat.completions.create(model="m", messages=more, tools=TOOLS, stream=True)
            assert "".join(part.choices[0].delta.content or "" for part in last) == "It said hello."
            c.chat.completions.create(model="m", messages=more, tools=TOOLS)

    said = served(capsys, client)
    assert "2 replies on http://127.0.0.1:" in said
    assert "openai.OpenAI(base_url=" in said
    assert "ANTHROPIC_BASE_URL=" in said
    assert "  1  chat      U  ->  A[c1] labelled 'stop', whole\n" in said
    assert "WRONG  400: messages[1]: toolCall c1 has no toolResult\n" in said
    assert "  3  chat      U A[c1] R(c1)  ->  A labelled 'stop', streamed\n" in said
    assert said.endswith("WRONG  the script is over, and it asks again\n")


def test_the_ready_lines_are_ready(capsys) -> None:
    """The address in them answers each client."""

    def client(server):
        with anthropic.Anthropic(base_url=server.url, api_key="any", max_retries=0) as c:
            assert c.messages.create(model="m", max_tokens=5, messages=GO).stop_reason == "end_turn"
        body = {"model": "m", "messages": GO}
        assert httpx.post(f"{server.url}/v1/chat/completions", json=body, timeout=60).status_code == 200

    said = served(capsys, client)
    assert "a new conversation: the script begins anew" in said
    assert "the reply calls 'bash', the tools that were offered are: none" in said


def test_a_conversation_that_loses_its_replies_goes_on(capsys, tmp_path) -> None:
    """A request that grew is no new conversation, though no reply is in it."""

    def client(server):
        with chat(server) as c:
            for more in ([], [{"role": "user", "content": "That was no call."}]):
                c.chat.completions.create(model="m", messages=GO + more, tools=TOOLS)

    script = Conversation((Prompt("Go.", (Reply((Say("One."),)), Reply((Say("Two."),)))),))
    assert "anew" not in served(capsys, client, written(tmp_path, script))


def test_requests_beside_the_conversation_are_told(capsys) -> None:
    """Once tools have been seen, or where a pattern says so."""

    def client(server):
        with chat(server) as c:
            c.chat.completions.create(model="m", messages=[{"role": "user", "content": "TITLE please"}])
            c.chat.completions.create(model="m", messages=GO, tools=TOOLS)
            c.chat.completions.create(model="m", messages=[{"role": "system", "content": "Name it."}, *GO])
            c.models.list()

    said = served(capsys, client, side=("TITLE",))
    assert said.count("beside the conversation; the script stays where it is") == 2
    assert "GET /v1/models (models)" in said


def test_what_the_real_api_refuses_is_told(capsys) -> None:
    """As a remark, or as a refusal where asked for."""
    messages = [{"role": "user", "content": " "}, {"role": "system", "content": "x"}]

    def client(server):
        with anthropic.Anthropic(base_url=server.url, api_key="any", max_retries=0) as c:
            c.messages.create(model="m", max_tokens=5, messages=messages)

    said = served(capsys, client)
    assert "the real API refuses this: messages: text content blocks must contain non-whitespace text" in said
    assert "odd: messages.1: a system message in the middle" in said
    with pytest.raises(anthropic.BadRequestError):
        served(capsys, client, picky=True)


def test_pagers_crashes_and_several_prompts(capsys, tmp_path) -> None:
    """All kinds of replies are served, prompt by prompt."""
    prompts = (Prompt("a", (Crash(status=503), Reply((Call(),), times=2))), Prompt("b", (Reply((Say("b"),)), Crash())))
    path = written(tmp_path, Conversation(prompts))

    def client(server):
        url, body = f"{server.url}/v1/chat/completions", {"model": "m", "messages": [*GO, {"role": "assistant", "content": "x"}]}
        codes = [httpx.post(url, json=body, timeout=60).status_code for _ in range(4)]
        assert codes == [503, 200, 200, 200]
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.post(url, json=body, timeout=60)

    said = served(capsys, client, path)
    assert "5 replies" in said
    assert "status 503" in said
    assert "A[c1.2]" in said
    assert "the connection is closed" in said
    paging = written(tmp_path, Conversation((Prompt("a", Pager()),)))
    assert "A[p1]" in served(capsys, lambda s: httpx.post(f"{s.url}/v1/messages", json={
        "model": "m", "max_tokens": 1, "messages": GO}, timeout=60), paging)  # fmt: skip


def test_what_cannot_be_served(tmp_path) -> None:
    """One line that says what is wrong and where."""
    with pytest.raises(BadCall, match="holds a Cut; what a model says is in a Conversation"):
        script_in(str(written(tmp_path, Cut())))
    for text, words in (
        ("{", "not JSON"), ("{}", "has no kind"), ('{"kind": "Nope"}', "no script part is called 'Nope'"),
        ('{"kind": "Conversation", "prompts": 3}', "prompts"),
        ('{"kind": "Conversation", "prompts": [{"kind": "Prompt", "replys": []}]}', "has no 'replys'"),
    ):  # fmt: skip
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(BadCall, match=words):
            script_in(str(tmp_path / "bad.json"))
    with pytest.raises(BadCall, match="no wire is called 'soap'; there are chat,"):
        serve_script(EXAMPLE, 0, ("soap",), (), picky=False)
    with Server(wires=()) as server, pytest.raises(Unusable, match=f"port {server.port} of 127.0.0.1: "):
        serve_script(EXAMPLE, server.port, WIRES, (), picky=False)


@pytest.mark.parametrize(("arguments", "words"), [
    (["nowhere.json"], "nowhere.json: cannot be read"),
    ([EXAMPLE, "--port", "70000"], "is no port"),
    ([EXAMPLE, "--side", "("], "is no pattern"),
])  # fmt: skip
def test_calls_that_cannot_be_used(arguments, words) -> None:
    """Status 2, and what to do."""
    said = CliRunner().invoke(app, ["serve", *arguments])
    assert said.exit_code == 2
    assert words in " ".join(said.output.split())


def test_ctrl_c_ends_it() -> None:
    """As a command of its own, with status 0."""
    command = [sys.executable, "-m", "grading.cli", "serve", EXAMPLE, "--port", "0", "--wire", "chat"]

    def heeding() -> None:
        """A shell's background jobs ignore Ctrl-C, and so would what they start."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen(
        command, cwd=Path(EXAMPLE).parents[1], stdout=subprocess.PIPE, text=True,
        preexec_fn=heeding,  # noqa: PLW1509
    ) as process:
        first = process.stdout.readline()
        assert "2 replies on http://127.0.0.1:" in first
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_the_example_is_a_script_for_harnesses_too() -> None:
    """In process, the reference runs the call and ends with the second reply."""
    harness = reference(6)
    trace = harness.converse(script_in(EXAMPLE))
    harness.close()
    assert shape(trace.record) == "U A[c1] R(c1) A"


def test_a_counterexample_is_served(tmp_path) -> None:
    """An object with a script in it, as findings have it."""
    script = Conversation((Prompt("Hi."),))
    (tmp_path / "found.json").write_text(json.dumps({"property": "LOOP-01", "script": to_json(script)}))
    assert script_in(str(tmp_path / "found.json")) == script
