"""The way to a command: noise, faults, hangs, restarts, and what is shown of them."""

import os
import re
import select
import sys
from pathlib import Path

import pytest

from adapters.contract import AdapterError, Died, Garbage, Hung, Unplayable, Unusable
from adapters.remote import command, lines, talk
from adapters.remote.harness import process
from adapters.targets import kind_of, resolve
from strategies.script import Call, Conversation, Gives, Interrupts, Prompt, Ran, Reply, Say
from tests.speaking import speaker

TEMPLATES = Path(talk.__file__).parent / "templates"
PYTHON = f"process:{sys.executable} {TEMPLATES / 'python.py'}"
PLAYS = "hello()\nwhile True:\n    prompt = started()\n    model()\n    answered(prompt)\n"


def stopped(tmp_path, body):
    """What playing one plain prompt on a command raises."""
    harness = resolve(speaker(tmp_path, body))
    try:
        with pytest.raises((Died, Garbage, Hung, AdapterError)) as raised:
            harness.converse(Conversation())
        return raised.value
    finally:
        harness.close()


# ---- the target ---------------------------------------------------------------------------


def test_a_command_is_a_kind_of_target():
    """process:CMD is told from files and objects, whatever the command holds."""
    assert kind_of("process:node a.mjs") == "process"
    assert kind_of("process:python3 harness.py") == "process"


@pytest.mark.parametrize(("target", "words"), [
    ("process:", "names no command"), ("process:'a", "cannot be split"),
    ("process:/nowhere/at/all x", "cannot be started"),
])  # fmt: skip
def test_a_command_that_is_none_is_unusable(target, words):
    """What cannot be started is said in one sentence."""
    with pytest.raises(Unusable, match=words):
        resolve(target)


def test_only_commands_are_validated():
    """--validate on a target without lines is a wrong call, not a silent success."""
    with pytest.raises(Unusable, match="--validate"):
        resolve("adapter:reference", validate=True)


# ---- hello --------------------------------------------------------------------------------


def test_a_crash_in_hello_shows_standard_error(tmp_path):
    """A command that ends before it has answered hello is unusable, and its last words are shown."""
    with pytest.raises(Unusable, match=r"(?s)exit status 7.*stderr: no module named agent"):
        resolve(speaker(tmp_path, "hear(); sys.stderr.write('no module named agent'); sys.exit(7)"))


@pytest.mark.parametrize(("said", "words"), [
    ("capabilities=['loop', 'fly']", "capability 'fly'"), ("policies={'calls': 'random'}", "policy calls='random'"),
    ("policies={'colour': 'red'}", "policy 'colour'"), ("plays=['chess']", "play 'chess'"),
    ("protocol=2", "version 2"), ("capabilities='loop'", "'capabilities' is str"), ("name=5", "'name' is int"),
    ("pace=0", "pace"), ("lacks={'wings': 'none'}", "'wings'"), ("policies={'lesson': '3'}", "'lesson'"),
])  # fmt: skip
def test_what_hello_declares_is_known(tmp_path, said, words):
    """Words that the suite does not know are named, with the target and the page that tells them."""
    with pytest.raises(Unusable, match=words):
        resolve(speaker(tmp_path, f"hello({said})\nhear()"))


def test_a_command_that_refuses_hello_says_why(tmp_path):
    """An error in answer to hello is told as the reason."""
    body = "m = hear(); say(type='error', id=m['id'], message='jq is not installed')"
    with pytest.raises(Unusable, match="jq is not installed"):
        resolve(speaker(tmp_path, body))


def test_a_silent_start_ends_with_advice(tmp_path, monkeypatch):
    """A command that does nothing instead of answering is given up, and told what to look at."""
    monkeypatch.setattr(talk, "START_IDLE", 0.3)
    with pytest.raises(Unusable, match=r"has not answered hello.*flush"):
        resolve(speaker(tmp_path, "signal.pause()"))


def test_a_slow_start_is_waited_for(tmp_path, monkeypatch):
    """A command that works before it answers is not silent."""
    monkeypatch.setattr(talk, "START_IDLE", 0.3)
    body = "import time\nwhile time.process_time() < 0.8: pass\n" + PLAYS
    harness = resolve(speaker(tmp_path, body))
    assert len(harness.converse(Conversation()).endings) == 1
    harness.close()


# ---- lines --------------------------------------------------------------------------------


def test_noise_is_counted_and_shown(tmp_path):
    """Lines that begin with no brace do no harm, and are shown beside the trace with notes and standard error."""
    body = ("print('banner', flush=True)\nhello(unheard=1)\nprompt = started()\nprint('working', flush=True)\n"
            "say(type='note', text='a remark')\nsys.stderr.write('careful\\n')\nmodel()\nanswered(prompt)\nhear()")  # fmt: skip
    harness = resolve(speaker(tmp_path, body))
    trace = harness.converse(Conversation())
    assert trace.beside == (
        "note: a remark", "stdout: 1 line that is no message: working", "stderr: careful",
    )  # fmt: skip
    harness.close()


@pytest.mark.parametrize(("line", "words"), [
    ("{bad", r"line 3 is not JSON .*\{bad"), ("{}", r"line 3 has no type"), ('{"a": ' * 100_000, "nested too deeply"),
    ('{"type": "dance", "id": 1}', "line 3 has the type 'dance'"),
    ('{"type": "model", "id": 1}', "line 3 is a message 'model'.* no 'system'"),
    ('{"type": "execute", "id": 1, "name": 3, "arguments": {}}', "'name' is int"),
    ('{"type": "done", "id": 77, "ending": "returned"}', "answers 77"),
    ('{"type": "done", "id": 3}', "no 'ending'"),
    ('{"type": "done", "id": 3, "ending": "stopped"}', "nobody stopped it"),
    ('{"type": "done", "id": 3, "ending": "raised"}', "without what belongs to it"),
    ('{"type": "done", "id": 3, "ending": "raised", "error": {"type": "E", "text": "", "key": "k9"}}', "'k9'"),
    ('{"type": "execute", "id": 1, "name": "nope", "arguments": {}}', "run 'nope', a tool it was not given"),
    ('{"type": "model", "id": 1, "system": "", "tools": [], "messages": {"keep": 4, "add": []}}', "does not follow"),
    ('{"type": "workspace", "id": 1, "do": "run", "command": "ls"}', "outside of a run"),
])  # fmt: skip
def test_a_wrong_line_is_told_with_its_number(tmp_path, line, words):
    """A line that should be a message and is none is the harness's fault, with its number and its beginning."""
    body = f"hello()\nprompt = started()\nos.write(1, {line!r}.encode() + b'\\n')\nhear()"
    fault = stopped(tmp_path, body)
    assert isinstance(fault, Garbage)
    assert re.search(words, str(fault)), fault


def test_an_oversized_line_is_told(tmp_path, monkeypatch):
    """A line without end is given up, and told with its beginning."""
    monkeypatch.setattr(lines, "LONGEST", 1 << 20)
    body = "hello()\nprompt = started()\nsys.stdout.write('{\"type\": \"' + 'x' * (3 << 20))\nsys.stdout.flush()\nhear()"
    assert "line 3 is longer than 1 MiB; it begins with '{\"type\": \"xxx" in str(stopped(tmp_path, body))


def test_other_descriptors_carry_the_messages(tmp_path):
    """A harness that prints JSON on its standard output uses the descriptors that are named for it."""
    body = ("os.dup2(1, 9); os.dup2(int(os.environ['HARNESS_PROPS_OUT']), 1)\n"
            "os.write(9, b'no json\\n')\nhello()\nos.write(9, b'{\"log\": 1}\\n')\nprompt = started()\n"
            "os.write(9, b'{\"log\": 2}\\n')\nmodel()\nanswered(prompt)\nhear()")  # fmt: skip
    harness = resolve(speaker(tmp_path, body))
    trace = harness.converse(Conversation())
    assert trace.endings[0].kind == "returned"
    harness.close()


def test_an_error_of_the_adapter_is_no_fault_of_the_harness(tmp_path):
    """An error without more is the adapter's own, and an unknown command is named."""
    body = "hello()\nmessage = hear()\nsay(type='error', id=message['id'], message='no idea', unknown=True)\nhear()"
    fault = stopped(tmp_path, body)
    assert isinstance(fault, AdapterError)
    assert "does not know 'start'" in str(fault)


def test_a_missing_record_is_an_error_of_the_adapter(tmp_path):
    """Who declares the record and does not send it is told so."""
    fault = stopped(tmp_path, "hello(capabilities=['loop', 'record'])\nstarted()\nmodel()\n")
    assert isinstance(fault, AdapterError)
    assert "came without the record" in str(fault)


def test_what_cannot_be_said_is_passed_over(tmp_path):
    """An error marked unplayable says nothing of the harness, and the command goes on to serve."""
    body = "hello()\nmessage = hear()\nsay(type='error', id=message['id'], message='no such type', unplayable=True)\n"
    harness = resolve(speaker(tmp_path, body + "prompt = started()\nmodel()\nanswered(prompt)\nhear()"))
    with pytest.raises(Unplayable, match="no such type"):
        harness.converse(Conversation())
    assert len(harness.converse(Conversation()).endings) == 1
    harness.close()


# ---- the process --------------------------------------------------------------------------


def test_a_crash_in_a_prompt_shows_standard_error(tmp_path):
    """A command that dies in a run is the harness's fault, and the next run has a fresh one."""
    once = str(tmp_path / "once")
    body = f"""hello()
prompt = started()
if not os.path.exists({once!r}):
    open({once!r}, 'w').close()
    os.write(2, b'segfault\\n')
    os.abort()
model()
answered(prompt)
hear()"""
    harness = resolve(speaker(tmp_path, body))
    with pytest.raises(Died, match=r"(?s)killed by SIGABRT.*stderr: segfault"):
        harness.converse(Conversation())
    assert harness.converse(Conversation()).endings[0].kind == "returned"
    harness.close()


def test_a_silent_run_is_a_hang(tmp_path, monkeypatch):
    """A run that waits for ever is given up."""
    monkeypatch.setattr(talk, "IDLE", 0.3)
    fault = stopped(tmp_path, "hello()\nstarted()\nsignal.pause()")
    assert isinstance(fault, Hung)
    assert "did nothing" in str(fault)


def test_a_busy_run_is_a_hang(tmp_path):
    """A run that works for ever is given up, too."""
    fault = stopped(tmp_path, "hello(pace=1)\nstarted()\nwhile True: pass")
    assert isinstance(fault, Hung)
    assert "CPU time" in str(fault)


def test_a_model_called_for_ever_is_a_hang(tmp_path):
    """A loop that goes on after its script is told to stop, and is a hang if it does not."""
    fault = stopped(tmp_path, "hello()\nstarted()\nfor number in range(1, 1000): model(number)")
    assert isinstance(fault, Hung)
    assert "cannot be stopped" in str(fault)


def test_a_run_that_is_stopped_says_so(tmp_path):
    """The ending stopped belongs to a run that was told to stop."""
    body = ("hello()\nprompt = started()\nnumber = 1\nwhile model(number)['type'] != 'stop': number += 1\n"
            "done(prompt, ending='stopped')\nhear()")  # fmt: skip
    harness = resolve(speaker(tmp_path, body))
    trace = harness.converse(Conversation())
    assert [ending.kind for ending in trace.endings] == ["stopped"]
    harness.close()


def test_a_restart_is_a_fresh_process(tmp_path):
    """What a run left behind is gone after a restart; a process that was asked nothing is fresh as it is."""
    body = ("hello()\nwhile True:\n    prompt = started()\n    model()\n"
            "    answered(prompt, record=[{'role': 'user', 'content': str(os.getpid())}])\n")  # fmt: skip
    harness = resolve(speaker(tmp_path, body))

    def pid():
        return harness.converse(Conversation()).record[0]["content"]

    before = harness._remote.talk.command.pid
    harness.restart()
    assert harness._remote.talk.command.pid == before
    first, again = pid(), pid()
    harness.restart()
    assert first == again == str(before)
    assert pid() != first
    harness.close()


def test_what_it_started_ends_with_it(tmp_path):
    """Nothing that a command has started outlives it, in its group or out of it."""
    body = ("one = subprocess.Popen(['sleep', '1000'])\ntwo = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
            "hello(version=f'{one.pid} {two.pid}')\nsignal.pause()")  # fmt: skip
    harness = resolve(speaker(tmp_path, body))
    handles = [os.pidfd_open(int(pid)) for pid in harness.about.version.split()]
    harness._remote.talk.close()
    for handle in handles:
        ended = select.poll()
        ended.register(handle, select.POLLIN)
        assert ended.poll(20_000), "it goes on"
        os.close(handle)


def test_the_environment_has_no_secrets():
    """Credentials and base URLs stay here; what programs need to run goes along."""
    given = {"PATH": "/bin", "HOME": "/h", "OPENAI_API_KEY": "k", "GITHUB_TOKEN": "t", "MY_SECRET": "s",
             "OPENAI_BASE_URL": "u", "DB_PASSWORD": "p", "GOPATH": "/go"}  # fmt: skip
    kept = command.scrubbed(given)
    assert {"PATH", "HOME", "GOPATH"} <= set(kept)
    assert not {"OPENAI_API_KEY", "GITHUB_TOKEN", "MY_SECRET", "OPENAI_BASE_URL", "DB_PASSWORD"} & set(kept)


# ---- what is played -----------------------------------------------------------------------


def _calling(does):
    call = Call("c1", "echo", {"text": "a"}, does)
    return Conversation((Prompt("Go.", (Reply((call,), "toolUse"), Reply((Say("Done."),)))), Prompt("Well?")))


def test_cancel_ends_a_run_and_leaves_a_record(tmp_path):
    """An interrupt comes out of the run as itself, and the record takes another prompt."""
    harness = process(PYTHON, validate=True)
    trace = harness.converse(_calling(Interrupts("SystemExit")))
    assert [(e.kind, e.problem and (e.problem.type, bool(e.problem.key))) for e in trace.endings] == [
        ("raised", ("SystemExit", True)), ("returned", None),
    ]  # fmt: skip
    assert not trace.refusals
    harness.close()


def test_scripts_that_are_not_played_are_passed_over(tmp_path):
    """A harness without the word in its plays never meets such a script."""
    harness = resolve(speaker(tmp_path, PLAYS))
    for does in (Interrupts(), Gives("cycle")):
        with pytest.raises(Unplayable, match="does not play"):
            harness.converse(_calling(does))
    harness.close()


def test_goodbye_is_said(tmp_path):
    """A command that is closed in peace hears goodbye, and may tidy up."""
    there = tmp_path / "tidied"
    body = f"hello()\nmessage = hear()\nassert message['type'] == 'goodbye'\nopen({str(there)!r}, 'w').close()\ndone(message)"
    resolve(speaker(tmp_path, body)).close()
    assert there.exists()
    assert "HARNESS_PROPS_OUT" not in os.environ


READER = '''
hello(capabilities=["loop", "read", "write", "bash"])
while True:
    message = hear()
    kind = message["type"]
    if kind == "tools":
        done(message, tools=[{"name": own["name"], "description": "d", "parameters": {}} for own in message["own"]])
    elif kind == "tool":
        call = message["call"]
        given, content = call["arguments"], "fine"
        if call["name"] == "bash":
            say(type="workspace", id=1, do="run", command=given["command"])
            content = "{} ({})".format(*hear()["content"])
        else:
            path = os.path.join(message["workspace"], given["path"])
            if call["name"] == "read":
                content = open(path, encoding="utf-8", newline="").read()
            else:
                open(path, "w", encoding="utf-8", newline="").write(given["text"])
        result = {"role": "toolResult", "tool_call_id": call["id"], "tool_name": call["name"], "content": content}
        say(type="done", id=message["id"], message=result)
    else:
        done(message)
'''


def test_own_tools_work_on_a_real_folder(tmp_path):
    """Files of a script lie in a folder, what is written there is told, and commands are asked for."""
    harness = resolve(speaker(tmp_path, READER), validate=True)
    desk = harness.desk({"a.txt": "one\r\n", "sub/b.txt": "two"}, {"make": Ran("built", 3)}, None, None)
    assert set(desk.specs) == {"read", "write", "bash"}
    assert desk.use("read", {"path": "a.txt"}).content == "one\r\n"
    desk.use("write", {"path": "sub/b.txt", "text": "three"})
    assert desk.place.files["sub/b.txt"] == "three"
    assert desk.place.writes == [("sub/b.txt", "three")]
    desk.place.put("a.txt", "changed")
    assert desk.use("read", {"path": "a.txt"}).content == "changed"
    assert desk.use("bash", {"command": "make"}).content == "built (3)"
    assert desk.place.runs == ["make"]
    harness.close()


def test_a_path_that_no_folder_holds_is_passed_over(tmp_path):
    """A file above the workspace cannot be laid down, which says nothing of the harness."""
    harness = resolve(speaker(tmp_path, READER))
    with pytest.raises(Unplayable, match="no folder of its own"):
        harness.desk({"../a.txt": "x"}, {}, None, None).use("read", {"path": "../a.txt"})
    harness.close()


def test_a_text_is_an_answer_where_that_is_declared(tmp_path):
    """With the policy answer=text the text that a run gives back is told as a message of these words."""
    body = "hello(policies={'answer': 'text'})\nprompt = started()\nmodel()\ndone(prompt, ending='returned', returned='Done.')\nhear()"
    harness = resolve(speaker(tmp_path, body))
    back = harness.converse(Conversation()).endings[0].returned
    assert back == {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}
    harness.close()
