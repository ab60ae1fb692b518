"""How replies go out over a wire is part of the script, and of no script that has no wire."""

from __future__ import annotations

import pytest

import strategies.script
from strategies.printing import from_json, to_json, to_python
from strategies.script import Conversation, Crash, Prompt, Reply, Say, Sent, message_of

KNOWN = vars(strategies.script)
SENT = [
    Sent(), Sent((1, 0, 7)), Sent(together=True, ids="late"), Sent(cumulative=True, chunk=3),
    Sent(cut=2), Sent(unclosed=True, after=1),
]  # fmt: skip


@pytest.mark.parametrize("sent", SENT, ids=repr)
def test_what_is_sent_is_printed_and_read_back(sent: Sent) -> None:
    """As Python and as JSON that rebuild it."""
    script = Conversation((Prompt(replies=(Reply((Say("a"),), sent=sent),)),))
    assert eval(to_python(script), dict(KNOWN)) == script
    assert from_json(to_json(script)) == script


@pytest.mark.parametrize("crash", [Crash(status=429, retry_after=0.5), Crash("OSError", "x", 500), Crash()], ids=repr)
def test_crashes_are_printed_and_read_back(crash: Crash) -> None:
    """With a status and without."""
    assert eval(to_python(crash), dict(KNOWN)) == crash
    assert from_json(to_json(crash)) == crash


def test_scripts_without_a_wire_are_printed_as_ever() -> None:
    """What has its default is not shown, and no message carries it."""
    assert to_python(Reply()) == "Reply()"
    assert to_json(Crash()) == {"kind": "Crash"}
    assert message_of(Reply(sent=Sent((1,)))) == message_of(Reply())
