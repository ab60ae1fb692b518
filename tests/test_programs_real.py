"""The programs that are installed on this machine, each on one script; the others say how they come here."""

from __future__ import annotations

import shutil

import pytest

from adapters.programs.harness import Whole
from adapters.programs.installing import lacking
from adapters.programs.reading import known
from strategies.script import Call, Conversation, Prompt, Raises, Reply, Returns, Say

KNOWN = known()
TALK = Conversation((Prompt("Go.", (
    Reply((Say("hm"), Call("c1", "echo", {"text": "it's"}, Returns("r1")),
           Call("c2", "echo", {"text": "b"}, Raises("ValueError", "boom"))), "toolUse"),
    Reply((Call("c3", "nope", {"a": 1}),), "toolUse"), Reply((Say("Done."),)),
)),))  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap builds the rooms, and is not here")
@pytest.mark.parametrize("name", KNOWN)
def test_a_program_is_driven_as_it_is_described(name: str) -> None:
    """Prompts, calls, results and the answer come back in the script's own words."""
    program = KNOWN[name]
    if lacking(program):
        pytest.skip(f"{name} is not installed here: harness-props programs --install {name}")
    harness = Whole(program, f"wire:{name}")
    try:
        trace = harness.converse(harness.fit(TALK))
    finally:
        harness.close()
    assert [r.refusal for r in trace.requests] == [None] * 3
    assert trace.requests[0].messages == [{"role": "user", "content": "Go."}]
    ran = sorted((e.tool, e.arguments["text"], e.call) for e in trace.executions)
    assert ran == [("echo", "b", 1), ("echo", "it's", 0)]
    messages = trace.requests[2].messages
    assert [m["role"] for m in messages] == ["user", "assistant", "toolResult", "toolResult", "assistant", "toolResult"]
    assert [m["tool_name"] for m in messages if m["role"] == "toolResult"] == ["echo", "echo", "nope"]
    assert messages[2]["content"].strip() == "r1"
    assert "boom" in messages[3]["content"]
    assert "nope" in messages[5]["content"]
    assert trace.endings[0].status in (0, None)
    assert "Done." in trace.endings[0].printed
    assert trace.left_over == 0
