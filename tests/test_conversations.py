"""Quality of the strategies for replies and conversations: reach, minimum, no waste."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from adapters.child import live
from strategies import tables
from strategies.altered import emptied, meddled, pairs, relabelled, retried
from strategies.conversations import PLAIN, SENDABLE, End, conversations, with_failures
from strategies.printing import to_python
from strategies.replies import COLLIDING, UNIQUE, arguments, call_ids, labels, replies, tool_behaviours
from strategies.script import (
    ABSENT,
    Call,
    Conversation,
    Crash,
    Interrupts,
    Odd,
    Prompt,
    Raises,
    Relabelled,
    Reply,
    Returns,
    Say,
    unrolled,
)  # fmt: skip
from tests.drawing import drawn, minimal

EVERY_END = (*SENDABLE, End.FAILED_CALLS, End.CRASH, End.INTERRUPT)


def test_labels_shrink_to_stop_and_include_null() -> None:
    """Every label of the table is drawn, null among them, and "stop" is the smallest."""
    assert minimal(labels()) == "stop"
    assert set(drawn(labels())) == set(tables.LABELS)


def test_call_ids_are_unique_within_a_reply() -> None:
    """No id style for sound harnesses repeats an id within one reply, however long it is."""
    for style in drawn(call_ids(), 50):
        ids = [style(n, n) for n in range(1, 41)]
        assert len(set(ids)) == len(ids)
        assert all(ids)
    assert minimal(call_ids())(3, 1) == "c3"


def test_colliding_ids_collide() -> None:
    """Each of the colliding styles repeats an id or leaves one empty."""
    for style in COLLIDING:
        ids = [style(n, n) for n in range(1, 5)]
        assert len(set(ids)) < len(ids) or "" in ids


def test_arguments_shrink_to_nothing_and_reach_every_row() -> None:
    """Nested, null, blank and empty arguments are all drawn."""
    assert minimal(arguments()) == {}
    assert {repr(a) for a in drawn(arguments())} == {repr(a) for a in tables.ARGUMENTS}


def test_behaviours_reach_every_kind() -> None:
    """Failing, interrupting, odd and argument-changing tools can be drawn where they are asked for."""
    table = (None, *tables.FAILING, *tables.INTERRUPTING, *tables.MISBEHAVING, *tables.TEXTLESS)
    kinds = {type(b).__name__ for b in drawn(tool_behaviours(table=table))}
    assert kinds == {"NoneType", "Raises", "Interrupts", "Gives", "Changes"}


def test_the_driver_can_perform_every_named_behaviour() -> None:
    """Each exception and each odd value that a table names exists on the harness's side."""
    for kind in (*tables.EXCEPTIONS, *tables.PROVIDER_ERRORS, *tables.INTERRUPTS, "NoText", "BrokenText"):
        assert isinstance(live.make_exception(kind, "text"), BaseException), kind
    for kind in tables.ODD_VALUES:
        live.odd_value(kind)


def test_replies_hold_up_to_twelve_calls_and_text_anywhere() -> None:
    """From no call to twelve, with text before, between and after, and blocks of unknown type."""
    found = drawn(replies(), 600)
    assert {0, 1, 2, 12} <= {len(r.calls) for r in found}
    shapes = {"".join("c" if isinstance(b, Call) else "t" if isinstance(b, Say) else "o" for b in r.blocks) for r in found}
    for wanted in ("t", "c", "tc", "ct", "tct", "oc"):
        assert any(wanted in shape for shape in shapes), wanted
    assert any(isinstance(b, Say) and not b.text.strip() for r in found for b in r.blocks)
    assert minimal(replies()) == Reply((Say("ok"),))


def test_labels_are_independent_of_the_content() -> None:
    """Replies with calls are labelled stop, replies without are labelled toolUse, and the reverse."""
    seen = Counter((bool(r.calls), r.label) for r in drawn(replies(max_calls=2), 800))
    for label in ("stop", "toolUse", "length", None):
        assert seen[(True, label)], label
        assert seen[(False, label)], label


def test_failed_replies_are_failed() -> None:
    """A failed reply has the label error, whatever its error_message says."""
    found = drawn(replies(failed=True, max_calls=1), 300)
    assert all(r.failed for r in found)
    assert {r.error for r in found} >= {None, "", "overloaded"}


@pytest.mark.parametrize("end", EVERY_END, ids=lambda e: e.name)
def test_every_end_is_reached_and_kept(end: End) -> None:
    """Each way for a prompt to end is drawn, and the drawn prompt really ends that way."""
    for conversation in drawn(conversations(ends=(end,), max_prompts=1), 40):
        prompt = conversation.prompts[0]
        replies_ = list(unrolled(prompt.replies))
        last = replies_[-1] if replies_ else None
        if end is End.CRASH:
            assert isinstance(last, Crash)
        elif end is End.INTERRUPT:
            assert any(isinstance(c.does, Interrupts) for r in replies_ for c in r.calls)
        elif end is End.LIMIT:
            assert isinstance(prompt.max_turns, int)
            assert prompt.max_turns <= len(replies_)
            assert last is None or last.calls
        elif end.name.startswith("FAILED"):
            assert last.failed
            assert bool(last.calls) == (end is End.FAILED_CALLS) or end is End.FAILED_CALLS
        else:
            assert not last.calls
            assert last.blocks


def test_a_conversation_shrinks_to_one_plain_answer() -> None:
    """The smallest conversation is one prompt that is answered at once."""
    assert minimal(conversations(ends=SENDABLE)) == Conversation()


def test_a_call_shrinks_to_the_plainest_call() -> None:
    """The smallest conversation with a call has one call with an id of its own and no arguments."""
    smallest = minimal(conversations(), lambda c: any(r.calls for r in c.prompts[0].replies))
    assert smallest.prompts[0].replies[0] == Reply((Call("c1", "echo", {}, Returns("r1")),))


@pytest.mark.parametrize(
    ("what", "met"),
    [
        ("several prompts", lambda c: len(c.prompts) > 1),
        ("a limit before the last prompt", lambda c: len(c.prompts) > 1 and isinstance(c.prompts[0].max_turns, int)),
        ("a failure before the last prompt",
         lambda c: len(c.prompts) > 1 and c.prompts[0].replies and c.prompts[0].replies[-1].failed),
        ("a repeated reply", lambda c: any(getattr(r, "times", 1) > 5 for p in c.prompts for r in p.replies)),
        ("a history", lambda c: c.history),
        ("a private key of a tool", lambda c: any(t.private for t in c.tools)),
        ("a blank prompt", lambda c: any(not p.text.strip() for p in c.prompts)),
        ("an error_message on a sound reply",
         lambda c: any(getattr(r, "error", None) and not r.failed for p in c.prompts for r in p.replies)),
        ("a failed reply without error_message",
         lambda c: any(getattr(r, "failed", False) and r.error is None for p in c.prompts for r in p.replies)),
        ("ids that repeat over turns",
         lambda c: len(ids := [k.id for p in c.prompts for r in p.replies for k in getattr(r, "calls", ())]) > len(set(ids))),
        ("usage figures", lambda c: any(getattr(r, "usage", None) for p in c.prompts for r in p.replies)),
    ],
)  # fmt: skip
def test_every_named_kind_is_reached(what: str, met: Callable[[Conversation], Any]) -> None:
    """A hundred draws reach every kind of conversation that a property counts on."""
    assert any(met(c) for c in drawn(conversations(ends=SENDABLE), 150)), what


def test_unknown_tools_are_called_when_asked_for() -> None:
    """Names that no tool has are drawn beside known ones, in the same reply."""
    found = drawn(with_failures(tables.kinds(tables.MIXED)), 200)
    names = [{c.name for r in p.replies for c in r.calls} for k in found for p in k.prompts]
    known = {t.name for t in tables.TOOLS}
    assert any(n & known and n - known for n in names)
    assert any(isinstance(c.does, Raises) for k in found for p in k.prompts for r in p.replies for c in r.calls)


def test_course_draws_keep_to_course_inputs() -> None:
    """Ids are non-empty and unique within a reply, failed replies hold no calls, text is UTF-8."""
    for conversation in drawn(conversations(ends=SENDABLE), 300):
        to_python(conversation).encode()
        for prompt in conversation.prompts:
            for reply in unrolled(prompt.replies):
                ids = [c.id for c in reply.calls]
                assert all(ids)
                assert len(ids) == len(set(ids))
                assert not (reply.failed and reply.calls)
                assert reply.failed or reply.blocks
                assert reply.label is None or isinstance(reply.label, str)
                assert all(isinstance(c.arguments, dict) for c in reply.calls)


def test_a_repeated_reply_numbers_its_ids_on() -> None:
    """A reply that comes three times in a row has three different ids for its call."""
    reply = Reply((Call("c1", "echo"),), times=3)
    assert [r.calls[0].id for r in unrolled((reply,))] == ["c1", "c1.2", "c1.3"]


def test_relabelling_keeps_failed_replies_failed() -> None:
    """Every label is rewritten but that of a failed reply, which is what makes it failed."""
    for script in drawn(relabelled(conversations(ends=(*PLAIN, End.FAILED_TEXT))), 100):
        assert isinstance(script, Relabelled)
        for one, two in zip(script.conversation.prompts, script.second().prompts, strict=True):
            for before, after in zip(one.replies, two.replies, strict=True):
                assert before.failed == after.failed
                assert before.blocks == after.blocks


def test_variations_do_what_their_name_says() -> None:
    """Empty answers, meddling providers and retries are built from any conversation."""
    ends = [c.prompts[0].replies[-1].blocks for c in drawn(emptied(conversations()), 40)]
    assert all(isinstance(block, Odd) for blocks in ends for block in blocks)
    assert {bool(blocks) for blocks in ends} == {True, False}
    assert {c.meddling for c in drawn(meddled(conversations()), 40)} == {"extend", "empty"}
    assert all(any(isinstance(r, Crash) for r in c.prompts[0].replies) for c in drawn(retried(conversations()), 20))
    assert minimal(pairs(first=conversations(), second=conversations())).first == Conversation()


def test_drawing_costs_little() -> None:
    """A conversation costs at most six times a Hypothesis draw of thirty integers, in CPU time."""
    from hypothesis import strategies as st

    def cost(strategy: Any) -> float:
        started = time.process_time()
        drawn(strategy, 150)
        return time.process_time() - started

    baseline = st.lists(st.integers(0, 255), min_size=30, max_size=30)
    cost(baseline)
    assert cost(conversations(ends=SENDABLE)) < 6 * cost(baseline)


def test_named_styles_are_all_there() -> None:
    """The styles of ids that reports speak of: sorted differently, odd, very long."""
    shown = [style(1, 1) for style in UNIQUE]
    assert any(len(s) > 200 for s in shown)
    assert any(s.isdigit() for s in shown)
    assert any(not s.isascii() for s in shown)
    assert ABSENT not in shown
    assert isinstance(Prompt().replies[0], Reply)
    assert isinstance(Odd().text, str)
