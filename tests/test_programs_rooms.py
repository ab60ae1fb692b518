"""Rooms: nothing leaves the machine, nothing survives, and every look-up is seen."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from dnslib import DNSRecord

from adapters.contract import Hung
from adapters.programs.harness import Whole, whole
from adapters.programs.inside.canary import Canary
from adapters.programs.inside.crowd import NoRoom, sweep
from grading.engine import examine
from grading.verdicts import HOLDS, Options
from properties.registry import Tier, load
from strategies.script import Call, Conversation, Prompt, Ran, Reply, Returns, Say

EXAMPLE = Path(__file__).parents[1] / "examples" / "wire_agent.toml"
HERE = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap builds the rooms, and is not here")

# An agent of few words: it does what its prompt says, as Python, and asks the model once.
RUDE = '''
import os, socket, subprocess, sys, urllib.request
def ask(text="{}"):
    body = '{"model": "m", "messages": [{"role": "user", "content": "%s"}], "tools": [{"type": "function", ' \\
           '"function": {"name": "bash", "parameters": {"type": "object"}}}]}' % text
    urllib.request.urlopen(urllib.request.Request(os.environ["BASE"] + "/v1/chat/completions", body.encode(),
                           {"content-type": "application/json"})).read()
exec(sys.argv[1])
'''
TOML = """
name = "rude"
homepage = "https://example.org"
licence = "MIT"
version = "1"
wires = ["chat"]
[install]
needs = ["{here}/rude.py"]
[run]
command = ["python3", "{here}/rude.py", "{prompt}"]
[environment]
BASE = "{base_url}"
[tools.shell]
name = "bash"
[limits]
idle = 1
cpu = 3
"""


@pytest.fixture(scope="module")
def rude(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    folder = tmp_path_factory.mktemp("rude")
    (folder / "rude.py").write_text(RUDE)
    (folder / "rude.toml").write_text(TOML)
    harness = whole(f"wire:{folder}/rude.toml")
    yield harness
    harness.close()


@pytest.fixture(scope="module")
def agent() -> Iterator[Whole]:
    harness = whole(f"wire:{EXAMPLE}")
    yield harness
    harness.close()


def did(harness: Whole, code: str) -> str:
    """What the agent printed while it ran this code."""
    return str(harness.converse(Conversation((Prompt(code),))).endings[0].printed)


@HERE
def test_there_is_no_network_but_loopback(rude: Whole) -> None:
    """No address outside can be reached; the provider can."""
    assert "unreachable" in did(rude, "try: socket.create_connection(('192.0.2.1', 80), 2)\nexcept OSError as e: print(e)")
    said = did(rude, "print(sorted(name for _, name in socket.if_nameindex())); ask()")
    assert "['lo']" in said


@HERE
def test_every_look_up_is_seen_and_fails(rude: Whole) -> None:
    """Each name once, in order, and those of one run in that run alone."""
    code = "for name in ('b.example.org', 'a.example.org', 'b.example.org'):\n" \
           " try: socket.getaddrinfo(name, 80)\n except OSError: print('no', name)"  # fmt: skip
    trace = rude.converse(Conversation((Prompt(code),)))
    assert trace.lookups == ("b.example.org", "a.example.org")
    assert trace.endings[0].printed.count("no ") == 3
    assert rude.converse(Conversation((Prompt("ask()"),))).lookups == ()


@HERE
def test_nothing_survives_a_run(rude: Whole) -> None:
    """Daemons end with it, however they detach; what was written is gone, /tmp included."""
    code = "subprocess.Popen('setsid sleep 1000 & sleep 1000 & exec nohup sleep 1000', shell=True, start_new_session=True)\n" \
           "[open(p + '/left', 'w') for p in (os.environ['HOME'], '.', '/tmp')]"
    did(rude, code)
    look = "import glob; print([open(p).read() for p in glob.glob('/proc/[0-9]*/cmdline') if open(p).read().startswith('sleep')])\n" \
           "print([os.listdir(os.environ['HOME']), os.listdir('.'), os.path.exists('/tmp/left')])"  # fmt: skip
    assert did(rude, look) == "[]\n[[], [], False]\n"


@HERE
def test_the_machine_is_out_of_reach(rude: Whole) -> None:
    """Its processes cannot be seen, its files not be written, its homes not be read."""
    assert did(rude, f"print(os.path.exists('/proc/{os.getpid()}/cwd/pyproject.toml'))") == "False\n"
    assert "Read-only" in did(rude, "try: open('/usr/left', 'w')\nexcept OSError as e: print(e)")
    assert did(rude, "print(os.path.exists('/home') and os.listdir('/home'))") in ("False\n", "[]\n")


@HERE
def test_a_program_that_does_nothing_is_ended(rude: Whole) -> None:
    """Waiting and working without end are told apart, and the next run is a fresh one."""
    with pytest.raises(Hung, match="it did nothing for 1 s"):
        did(rude, "import time; time.sleep(1000)")
    with pytest.raises(Hung, match="it used more than 3 s of CPU time"):
        did(rude, "while True: pass")
    with pytest.raises(Hung, match="goes on calling the model after the script is over"):
        did(rude, "while True:\n try: ask()\n except OSError: pass")
    assert did(rude, "print('well')") == "well\n"


@HERE
def test_the_example_agent_is_played(agent: Whole) -> None:
    """Calls, results, an unknown tool and the exit status, as the script has them."""
    calls = (Call("c1", "echo", {"text": "it's"}, Returns("r1\n")), Call("c2", "nope"))
    trace = agent.converse(Conversation((Prompt("Go.", (Reply(calls, "stop"), Reply((Say("Done."),)))),)))
    assert [(e.tool, e.arguments, e.call) for e in trace.executions] == [("echo", {"text": "it's"}, 0)]
    results = [m["content"] for m in trace.requests[1].messages if m["role"] == "toolResult"]
    assert results[0] == "r1\n"
    assert "'nope'" in results[1]
    ending = trace.endings[0]
    assert (ending.kind, ending.status, ending.printed, trace.left_over) == ("returned", 0, "Done.\n", 0)


@HERE
def test_its_own_tools_are_used_one_by_one(agent: Whole) -> None:
    """Files lie in the working folder, commands print what the suite has for them."""
    desk = agent.desk({"a.txt": "1\n2\n"}, {"make": Ran("made\n", 2)}, None, None)
    assert desk.use("read", {"path": "a.txt", "offset": 2}).content == "2\n"
    assert desk.use("bash", {"command": "make"}).content == "made\n\nexit code 2"
    assert desk.place.runs == ["make"]
    assert "127" in desk.use("bash", {"command": "unheard of"}).content


@HERE
@pytest.mark.parametrize("name", ["LOOP-01", "LOOP-05", "TOOL-02", "TOOL-11", "TOOL-16", "LIMIT-08", "CLI-01"])
def test_the_example_agent_is_sound(agent: Whole, name: str) -> None:
    """Some properties of each kind, end to end, on few scripts."""
    verdict = examine(load()[name], agent, Options(int(Tier.FIELD), 6, 3, 0, (), False))
    assert (verdict.verdict, verdict.message) == (HOLDS, "")


def test_nothing_is_swept_outside_a_room() -> None:
    """Where the first process is not the room's own, nobody is ended."""
    with pytest.raises(NoRoom):
        sweep()


def test_the_canary_answers_no_such_name() -> None:
    """And takes what is no question for what it is."""
    canary = Canary(port=0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(10)
        asking.sendto(b"nonsense", ("127.0.0.1", canary.port))
        asking.sendto(DNSRecord.question("Some.Example.ORG").pack(), ("127.0.0.1", canary.port))
        answer = DNSRecord.parse(asking.recv(512))
    assert answer.header.get_rcode() == 3
    assert canary.taken() == ["some.example.org"]
    assert canary.taken() == []
    canary.close()


@pytest.mark.skipif(sys.platform != "linux", reason="rooms are Linux's")
def test_without_bubblewrap_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with what brings it."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Exception, match="bubblewrap builds; apt-get install bubblewrap") as told:
        whole(f"wire:{EXAMPLE}").converse(Conversation())
    assert "\n" not in str(told.value)
