"""Every message against its schema: the worked exchange, the templates, a course file, and what is unknown."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from adapters.contract import AdapterError, Garbage, Unusable
from adapters.remote import messages
from adapters.remote.messages import SCHEMAS, Schemas
from adapters.targets import resolve
from grading.smoke import smoke_test
from strategies.script import (
    Call,
    Changes,
    Conversation,
    Crash,
    Gives,
    Interrupts,
    Own,
    Prompt,
    Raises,
    Reply,
    Say,
)
from tests.speaking import speaker
from tests.test_remote import PLAYS, TEMPLATES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SERVED = f"process:{sys.executable} -m adapters.remote.serve {ROOT / 'examples' / 'student_harness.py'}"
COMMANDS = {
    "python": f"process:{sys.executable} {TEMPLATES / 'python.py'}",
    "javascript": f"process:node {TEMPLATES / 'javascript.mjs'}",
    "shell": f"process:sh {TEMPLATES / 'shell.sh'}",
}
REFERENCE = f"process:{sys.executable} -m tests.serve_module"
NEEDS = {"javascript": "node", "shell": "jq"}


@pytest.fixture
def opened():
    """Opens targets, and closes them in the end."""
    held = []

    def opening(target, **how):
        held.append(resolve(target, **how))
        return held[-1]

    yield opening
    for harness in held:
        harness.close()


def has(language):
    """Whether what a template is run by is there."""
    return shutil.which(NEEDS.get(language, "sh")) is not None


def test_the_worked_exchange_fits_the_schemas():
    """Every line of the exchange on the page is a valid message, in the direction in which it goes."""
    checks, lines = Schemas(), re.findall(r"^([<>]) (\{.*\})$", PAGE, re.MULTILINE)
    assert len(lines) > 10
    for number, (direction, text) in enumerate(lines, 1):
        message = json.loads(text)
        if direction == ">":
            checks.sent(message)
        else:
            checks.received(message, number, text)


def test_every_message_has_a_schema_and_a_row():
    """The page names each command, callback and answer that there is a schema of."""
    names = {path.stem for path in SCHEMAS.glob("*.json")} - {"common"}
    commands = {name.removeprefix("done-") for name in names if name.startswith("done-")}
    assert commands <= names
    for name in names - {f"done-{command}" for command in commands}:
        assert f"`{name}`" in PAGE, name
    for word in messages.PLAYS:
        assert f"| `{word}` |" in PAGE, word


def test_schemas_allow_more_fields_everywhere():
    """What a later version adds is ignored by this one: no schema closes its object."""
    for path in SCHEMAS.glob("*.json"):
        assert '"additionalProperties": false' not in path.read_text()


@pytest.mark.parametrize("target", [*(pytest.param(t, id=n, marks=pytest.mark.skipif(not has(n), reason=f"no {NEEDS.get(n)} here"))
                                      for n, t in COMMANDS.items()), pytest.param(SERVED, id="served")])  # fmt: skip
def test_smoke_is_fine_with_every_line_checked(target, capsys):
    """The templates, and a course file that is served, pass smoke out of the box, each line as its schema says."""
    assert smoke_test(target, validate=True) == 0
    shown = capsys.readouterr().out
    assert shown.count("OK ") >= 5
    assert "WRONG" not in shown


@pytest.mark.parametrize("target", [COMMANDS["python"], REFERENCE], ids=["template", "served"])
def test_every_sort_of_message_is_valid(target, opened):
    """Failures, odd values, crashes, interrupts and edits travel in messages that fit their schemas."""
    harness = opened(target, validate=True)
    every = [Raises("KeyError", "no"), Raises("BrokenText", ""), Gives("cycle"), Gives("surrogate"), Changes(), Interrupts()]
    for does in every:
        asks = Reply((Call("c1", "echo", {"text": "a"}, does),), "toolUse")
        trace = harness.converse(Conversation((Prompt("Go.", (asks, Reply((Say("Done."),)))), Prompt("On.", (Crash(),)))))
        assert trace.executions
        assert trace.endings[-1].problem.type == "ConnectionError"
        assert trace.endings[-1].problem.key
    if "read" in harness.capabilities:
        assert harness.desk({"a.txt": "a\n"}, {}, None, None).use("read", {"path": "a.txt"}).content == "a\n"
        assert harness.help("text_of", {"role": "assistant", "content": []}) == ""
        own = Conversation((Prompt("Go.", (Reply((Call("c1", "read", {"path": "a.txt"}),), "toolUse"), Reply((Say("Done."),)))),),
                           tools=(Own("read"),), files={"a.txt": "a\n"})  # fmt: skip
        assert harness.converse(own).requests[-1].messages[-1]["content"] == "a\n"


@pytest.mark.parametrize(("sent", "words"), [
    ("say(type='model', id=1, system='', messages=5.5, tools=[], aliased='no')", "schema/model.json at aliased"),
    ("done(prompt, ending='finished')", "schema/done-prompt.json at ending"),
    ("done(prompt, ending='raised')", "'error' is a required property"),
    ("say(type='sing', id=1)", "no message of the type 'sing'"),
    ("say(type='done', id=99)", "answers no open command"),
])  # fmt: skip
def test_a_line_that_fits_no_schema_is_named(tmp_path, sent, words, opened):
    """With --validate a message that is not as its schema says is told with the schema, the line and the place."""
    harness = opened(speaker(tmp_path, f"hello()\nprompt = started()\n{sent}\nhear()"), validate=True)
    with pytest.raises(Garbage, match=r"line 3 is no valid message") as raised:
        harness.converse(Conversation())
    assert words in str(raised.value)


def test_a_wrong_message_of_ours_is_an_error():
    """What the suite sends is checked as well, and a fault there is never the harness's."""
    with pytest.raises(AdapterError, match=r"schema/hello.json"):
        Schemas().sent({"type": "hello", "id": 1, "protocol": 1})


def test_unknown_fields_do_no_harm(tmp_path, opened):
    """Fields that nobody knows are passed over, with and without a check of every line."""
    body = PLAYS.replace("model()", "model(mood='fine')").replace("hello()", "hello(shoe=44)")
    for validate in (False, True):
        assert len(opened(speaker(tmp_path, body), validate=validate).converse(Conversation()).endings) == 1


@pytest.mark.parametrize("language", [pytest.param(n, marks=pytest.mark.skipif(not has(n), reason="not here")) for n in COMMANDS])
def test_unknown_commands_are_answered(language, opened):
    """The templates answer a command that they do not know, and go on."""
    harness = opened(COMMANDS[language])
    talk = harness._remote.talk
    talk.begin(10.0)
    with pytest.raises(AdapterError, match="does not know 'juggle'"):
        talk.ask("juggle", {})
    talk.fault = None
    assert len(harness.converse(Conversation()).endings) == 1


def test_without_the_library_validation_says_what_to_install(monkeypatch):
    """--validate without jsonschema names the command that installs it."""
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(Unusable, match=r"pip install 'harness-props\[validate\]'"):
        Schemas()
