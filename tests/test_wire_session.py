"""Runs over the wire: what consumes the script and what does not, and requests that come at once."""

from __future__ import annotations

import gzip
import json
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import httpx
import pytest

from adapters.contract import AdapterError, Unplayable, Unusable
from adapters.wire.parts import chunks
from adapters.wire.server import Server
from adapters.wire.session import OVER, RUNAWAY
from strategies.script import Conversation, Own, Pager, Prompt
from tests.wiring import Call, Crash, Reply, Say, Sent, script, server  # noqa: F401

TOOLS = [{"type": "function", "function": {"name": "echo"}}]
GO = [{"role": "user", "content": "Go."}]


def post(run, messages=GO, *, tools=TOOLS, client=httpx, **more):
    """One request, as its status and the text of its reply or error."""
    body = {"model": "m", "messages": messages, **({"tools": tools} if tools else {}), **more}
    answer = client.post(f"{run.v1}/chat/completions", json=body, timeout=60)
    said = answer.json()
    return answer.status_code, said["error"]["message"] if "error" in said else said["choices"][0]["message"]["content"]


def talk(*texts):
    """Replies that say this."""
    return [Reply((Say(text),)) for text in texts]


def follow(said, text="Go on."):
    """The conversation after this reply and another prompt."""
    return [*GO, {"role": "assistant", "content": said}, {"role": "user", "content": text}]


def test_a_request_without_tools_is_beside_the_conversation(server) -> None:  # noqa: F811
    """A title leaves the script where it is; it is recorded."""
    run = server.open(script(*talk("first", "second")), side_text="A title")
    assert post(run, tools=None) == (200, "A title")
    assert post(run) == (200, "first")
    assert post(run, [{"role": "user", "content": "Title for: Go."}], tools=None) == (200, "A title")
    assert post(run, follow("first")) == (200, "second")
    assert [(e.side, e.ok) for e in run.exchanges] == [(True, False), (False, True), (True, False), (False, True)]


def test_the_conversation_without_its_tools_goes_on(server) -> None:  # noqa: F811
    """What goes on with the messages so far is no side request."""
    run = server.open(script(*talk("first", "second")))
    assert post(run) == (200, "first")
    assert post(run, follow("first"), tools=None) == (200, "second")
    assert not run.exchanges[1].side


def test_a_script_without_tools_has_no_side_requests(server) -> None:  # noqa: F811
    """But for those whose patterns are declared."""
    run = server.open(Conversation((Prompt("Go.", tuple(talk("first"))),), ()), side=["(?i)write a title"])
    assert post(run, [{"role": "user", "content": "Write a title."}], tools=None)[1] != "first"
    assert post(run, tools=None) == (200, "first")


def test_a_declared_pattern_is_enough(server) -> None:  # noqa: F811
    """Whatever tools stand in the body, in the system text or the last message."""
    run = server.open(script(*talk("first")), side=["loop check"])
    assert post(run, [{"role": "system", "content": "This is a loop check."}, *GO])[1] != "first"
    assert post(run) == (200, "first")


def test_a_script_that_is_over(server) -> None:  # noqa: F811
    """A closing reply three times, then errors, and a run that goes on for ever is told."""
    run = server.open(script(*talk("first")))
    with httpx.Client() as client:
        said = [post(run, client=client) for _ in range(6)]
        assert said == [(200, "first"), *[(200, OVER)] * 3, *[(400, OVER)] * 2]
        assert [e.extra for e in run.exchanges] == [False, *[True] * 5]
        assert not run.runaway
        for _ in range(RUNAWAY):
            post(run, client=client)
    assert run.runaway


def test_prompts_follow_one_another(server) -> None:  # noqa: F811
    """Each prompt has its replies; those that nobody asked for are counted."""
    prompts = (Prompt("a", tuple(talk("a1", "a2"))), Prompt("b", tuple(talk("b1", "b2"))))
    run = server.open(Conversation(prompts, ()))
    assert post(run, tools=None) == (200, "a1")
    run.begin(1)
    assert post(run, follow("a1"), tools=None) == (200, "b1")
    assert [e.prompt for e in run.exchanges] == [0, 1]
    assert run.finish() == 2


def test_a_reply_that_comes_many_times(server) -> None:  # noqa: F811
    """Is played so often, with ids numbered on."""
    run = server.open(script(Reply((Call("c1"),), times=2)))
    ids = [post(run) and run.exchanges[-1].delivered.calls[0].id for _ in range(2)]
    assert ids == ["c1", "c1.2"]


def test_a_pager_reads_what_it_is_shown(server) -> None:  # noqa: F811
    """Its first request is for the file."""
    run = server.open(Conversation((Prompt("Go.", Pager("big.log")),), (Own("read"),)))
    post(run)
    assert run.exchanges[0].delivered.calls[0].arguments == {"path": "big.log"}


def test_somebody_else_may_answer(server) -> None:  # noqa: F811
    """A source gives replies, or promises them: the request is held until then."""
    waiting: Future = Future()
    run = server.open(script(), source=lambda e: waiting if e.number else talk("at once")[0])
    heard = threading.Event()
    assert post(run) == (200, "at once")
    run.heard = lambda _: heard.set()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(post, run)
        assert heard.wait(10)
        assert not asked.done()
        waiting.set_result(Reply((Say("later"),)))
        assert asked.result(10) == (200, "later")


def test_requests_that_come_at_once(server) -> None:  # noqa: F811
    """Each gets the next reply, and their ticks overlap; a reply may let a later one pass."""
    run = server.open(script(Reply((Say("slow"),), sent=Sent(after=1)), *talk("quick")))
    decided = threading.Event()
    run.watch = lambda _: decided.set()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(post, run)
        assert decided.wait(10)
        assert post(run) == (200, "quick")
        assert slow.result(10) == (200, "slow")
    first, second = run.exchanges
    assert first.at < second.at < second.done < first.done


def test_a_reply_that_waits_for_nobody_comes_all_the_same(server, monkeypatch) -> None:  # noqa: F811
    """After a while, for a client that asks one thing at a time."""
    monkeypatch.setattr("adapters.wire.server.HOLD", 0.01)
    assert post(server.open(script(Reply((Say("slow"),), sent=Sent(after=9))))) == (200, "slow")


def test_runs_have_nothing_to_do_with_each_other(server) -> None:  # noqa: F811
    """Each has its path, its script and its record, with all versions in front of the path."""
    one, two = server.open(script(*talk("one"))), server.open(script(*talk("two", "three")))
    assert (post(one), post(two)) == ((200, "one"), (200, "two"))
    bare = httpx.post(f"{two.base_url}/chat/completions", json={"model": "m", "messages": GO, "tools": TOOLS})
    assert bare.json()["choices"][0]["message"]["content"] == "three"
    assert (len(one.exchanges), len(two.exchanges)) == (1, 2)
    one.close()
    assert httpx.post(f"{one.v1}/chat/completions", json={}).status_code == 404


def test_refused_requests_leave_the_script_where_it_is(server) -> None:  # noqa: F811
    """A client that mends its request gets the reply."""
    run = server.open(script(*talk("first")))
    assert post(run, []) == (400, "messages: at least one message is required")
    assert post(run) == (200, "first")


def test_a_provider_that_breaks_says_so(server) -> None:  # noqa: F811
    """It is the suite's error and nobody else's."""
    run = server.open(script(), source=lambda _: 1 / 0)
    assert post(run)[0] == 500
    with pytest.raises(AdapterError, match="ZeroDivisionError"):
        run.close()


def test_what_a_wire_cannot_say(server) -> None:  # noqa: F811
    """Is told as such, and is nobody's fault."""

    def source(_):
        raise Unplayable("no such words")

    run = server.open(script(), source=source)
    assert post(run)[0] == 500
    with pytest.raises(Unplayable, match="no such words"):
        run.close()


def test_a_port_in_use(server) -> None:  # noqa: F811
    """Is told with what to do."""
    with pytest.raises(Unusable, match=f"port {server.port} .*--port"):
        Server(server.port, ("chat",))


def test_a_crash_with_and_without_a_date(server) -> None:  # noqa: F811
    """The header is there where the script has it."""
    run = server.open(script(Crash(status=503, retry_after=1.5), Crash(status=503)))
    url, body = f"{run.v1}/chat/completions", {"model": "m", "messages": GO, "tools": TOOLS}
    assert [httpx.post(url, json=body).headers.get("retry-after") for _ in range(2)] == ["1.5", None]


def test_chunks_take_no_notice_of_events() -> None:
    """Nothing is lost, and none is longer than it may be."""
    events = ["é🚀".encode(), b"", b"abc"]
    assert chunks(events, 0) == tuple(events)
    assert [len(c) for c in chunks(events, 4)] == [4, 4, 1]
    assert b"".join(chunks(events, 4)) == b"".join(events)


def test_a_compressed_body(server) -> None:  # noqa: F811
    """Is unpacked; one that is broken is no JSON."""
    run = server.open(script(*talk("first")))
    raw = gzip.compress(json.dumps({"model": "m", "messages": GO, "tools": TOOLS}).encode())
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    url = f"{run.v1}/chat/completions"
    assert httpx.post(url, content=raw[:-9], headers=headers, timeout=60).status_code == 400
    assert httpx.post(url, content=raw, headers=headers, timeout=60).status_code == 200


def test_a_body_that_is_too_large(server, monkeypatch) -> None:  # noqa: F811
    """Has a status of its own."""
    monkeypatch.setattr("adapters.wire.session.MOST", 10)
    run = server.open(script(*talk("first")))
    answer = httpx.post(f"{run.base_url}/v1/messages", json={"model": "m" * 9}, timeout=60)
    assert (answer.status_code, answer.json()["error"]["type"]) == (413, "request_too_large")


@pytest.mark.parametrize("text", ['"\\ud83d"', "NaN"])
def test_what_is_no_utf_8_is_refused(server, text) -> None:  # noqa: F811
    """Half a character, and a number that is none."""
    run = server.open(script(*talk("first")))
    whole = {"model": "m", "messages": GO, "tools": [{"type": "function", "function": {"name": "a", "description": 0}}]}
    body = json.dumps(whole).replace('"description": 0', f'"description": {text}')
    headers = {"content-type": "application/json"}
    answer = httpx.post(f"{run.v1}/chat/completions", content=body, headers=headers, timeout=60)
    assert answer.status_code == 400
    assert run.exchanges[0].rule == 11


def test_what_is_to_blame_is_named(server) -> None:  # noqa: F811
    """In the error of the APIs that have a place for it."""
    run = server.open(script())
    answer = httpx.post(f"{run.v1}/chat/completions", json={"model": "m", "messages": [{}]}, timeout=60)
    assert answer.json()["error"]["param"] == "messages[0].role"


def test_what_is_not_installed_is_named(monkeypatch) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(Unusable, match="needs anthropic: pip install"):
        Server(wires=("anthropic",))
