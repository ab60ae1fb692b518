"""Quality of the strategies for streams, and what their judges make of traces that are put together by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from adapters.trace import Ending, Execution, Request, Trace
from properties.checks import Violation
from properties.cli import an_offline_program_looks_up_no_host, the_exit_status_tells
from properties.stream import (
    a_cut_stream_is_no_finished_turn,
    fragments_give_the_same_calls,
    text_survives_chunking,
    what_is_sent_again_is_the_same,
)
from strategies.script import (
    Call,
    Conversation,
    Crash,
    Prompt,
    Reply,
    Returns,
    Say,
    Sent,
    message_of,
    unrolled,
)
from strategies.streams import (
    CHUNKED,
    CUTS,
    FRAGMENTED,
    LASTING,
    PASSING,
    UNCLOSED,
    WIDE,
    broken_off,
    calling,
    endings,
    failing_once,
    sent_as,
    streamed,
    telling,
)
from tests.drawing import drawn, minimal


def replies(script: Conversation) -> list[Any]:
    return [r for p in script.prompts for r in p.replies]


def test_every_way_of_streaming_is_drawn() -> None:
    """Each in all replies of a conversation; the smallest is one call in single characters."""
    assert minimal(streamed(calling())) == sent_as(
        Conversation((Prompt("Go.", (Reply((Call(does=Returns("r1")),), "toolUse"), Reply((Say("Done."),)))),)),
        Sent((1,)),
    )
    found = drawn(streamed(calling()), 600)
    assert {r.sent for script in found for r in replies(script)} == set(FRAGMENTED)
    assert {sent.ids for sent in FRAGMENTED} == {"first", "late", "repeated"}
    assert all(len({r.sent for r in replies(script)}) == 1 for script in found)


def test_texts_have_characters_of_every_width() -> None:
    """Of one to four bytes, and every size of chunk is drawn with them."""
    assert {len(c.encode()) for text in WIDE for c in text} == {1, 2, 3, 4}
    found = drawn(streamed(telling(), ways=CHUNKED), 600)
    assert {r.sent for script in found for r in replies(script)} == set(CHUNKED)
    assert minimal(telling()).prompts[0].replies[0].blocks[0] == Say(WIDE[0])


def test_a_cut_reply_comes_whole_afterwards() -> None:
    """Once or twice cut, then whole; the smallest is an answer that is cut after two events."""
    found = drawn(broken_off(), 600)
    for script in found:
        cut = [r for r in replies(script) if r.sent is not None]
        assert len(cut) in (1, 2)
        assert replace(cut[0], sent=None) in replies(script)
        assert cut[0].sent.cut is not None or cut[0].sent.unclosed
    assert {r.sent for script in found for r in replies(script)} - {None} == {*CUTS, *UNCLOSED}
    smallest = replies(minimal(broken_off()))
    assert smallest == [replace(smallest[1], sent=Sent((1,), cut=2)), smallest[1]]
    assert not smallest[1].calls


def test_no_cut_leaves_the_last_call_whole() -> None:
    """From the front a cut comes too early for it, from the end it takes the last part."""
    for sent in CUTS:
        assert sent.cut < 0 or sent.cut * max(sent.pieces) < len('{"command": "sh 1"}') * 2


def test_one_request_fails() -> None:
    """Each passing fault is drawn before each reply."""
    found = drawn(failing_once(calling()), 300)
    crashes = [[r for r in replies(script) if isinstance(r, Crash)] for script in found]
    assert all(len(crash) == 1 for crash in crashes)
    assert {crash[0] for crash in crashes} == set(PASSING)
    assert {replies(script).index(crash[0]) for script, crash in zip(found, crashes, strict=True)} == {0, 1, 2}


def test_runs_end_in_every_way() -> None:
    """In an answer, a lasting fault, and nothing; the smallest is an answer."""
    assert replies(minimal(endings())) == [Reply((Say("All is well."),))]
    lasts = {replies(script)[-1] for script in drawn(endings(), 300)}
    assert lasts == {Reply((Say("All is well."),)), Reply(()), Reply((Say(""),)), *LASTING}


# ---- judges -------------------------------------------------------------------------------


class Replayed:
    """A program whose traces are put together by hand: plays the script and lets `change` spoil the trace."""

    capabilities = frozenset({"loop", "stream", "exit-status", "offline", "retry"})
    policies: ClassVar = {"answer": "text"}

    def __init__(self, change: Any = lambda trace: None, *, printed: str = "", status: int = 0) -> None:
        self.change, self.printed, self.status = change, printed, status

    def converse(self, script: Conversation, *, watch: bool = False) -> Trace:
        trace, messages = Trace(), [{"role": "user", "content": "Go."}]
        last: Any = None
        for number, reply in enumerate(unrolled(script.prompts[0].replies)):
            now = list(messages)
            if isinstance(reply, Crash):
                trace.events.append(Request(0, number, "", now, [], None, False, reply=None, crashed=reply.type))
                continue
            last, sent = message_of(reply), reply.sent or Sent()
            cut = sent.cut is not None or sent.unclosed
            trace.events.append(Request(0, number, "", now, [], None, False, reply=last, played=reply, cut=cut))
            if cut:
                continue
            messages.append(last)
            for place, call in enumerate(reply.calls):
                trace.events.append(Execution(0, number, call.name, call.arguments, place, call, None))
                messages.append({"role": "toolResult", "tool_call_id": call.id, "content": call.does.text})
        words = "".join(b["text"] for b in last["content"] if b["type"] == "text") if last else ""
        trace.events.append(Ending(0, "returned", last, None, [], self.status, self.printed or words))
        self.change(trace)
        return trace


def without(trace: Trace, place: int, **changes: Any) -> None:
    trace.events[place] = replace(trace.events[place], **changes)


@pytest.mark.parametrize(("judge", "strategy"), [
    (fragments_give_the_same_calls, streamed(calling())), (text_survives_chunking, streamed(telling(), ways=CHUNKED)),
    (a_cut_stream_is_no_finished_turn, broken_off()), (what_is_sent_again_is_the_same, failing_once(calling())),
    (an_offline_program_looks_up_no_host, calling()),
], ids=lambda judge: getattr(judge, "__name__", ""))  # fmt: skip
def test_a_sound_program_passes(judge: Any, strategy: Any) -> None:
    """Whatever is drawn."""
    for script in drawn(strategy, 60):
        judge(script, Replayed())


def test_what_is_so_without_a_stream_is_not_its_fault() -> None:
    """A call that is lost in any case is no matter of fragments; one that is lost in parts is."""
    script = sent_as(Conversation((Prompt("Go.", (Reply((Call(),)), Reply((Say("Done."),)))),)), Sent((1,)))
    always = Replayed(lambda trace: trace.events.pop(1))
    fragments_give_the_same_calls(script, always)
    only = Replayed(lambda trace: trace.events[0].played.sent and trace.events.pop(1))
    with pytest.raises(Violation, match=r"a streamed reply gave \[\], not \[\('echo', \{\}\)\]"):
        fragments_give_the_same_calls(script, only)


CUT = Reply((Call("k1"),), "toolUse", sent=Sent((1,), cut=-1))


def test_half_a_call_must_not_run() -> None:
    """A run of the call that was cut is told; the whole one that came later may run."""
    script = Conversation((Prompt("Go.", (CUT, replace(CUT, sent=None), Reply((Say("Done."),)))),))
    a_cut_stream_is_no_finished_turn(script, Replayed())
    ran = Execution(0, 0, "echo", {}, 0, CUT.calls[0], None)
    with pytest.raises(Violation, match="half a call"):
        a_cut_stream_is_no_finished_turn(script, Replayed(lambda trace: trace.events.insert(1, ran)))


def test_a_cut_stream_must_not_end_well() -> None:
    """Status 0 after it is a violation, any other is not."""
    script = Conversation((Prompt("Go.", (CUT,)),))
    a_cut_stream_is_no_finished_turn(script, Replayed(status=1))
    with pytest.raises(Violation, match="as a success"):
        a_cut_stream_is_no_finished_turn(script, Replayed())


def test_what_is_sent_again_is_compared() -> None:
    """One message more than before is told, and a call that ran twice."""
    script = Conversation((Prompt("Go.", (Crash(), Reply((Call(),)), Reply((Say("Done."),)))),))
    user = {"role": "user", "content": "Go."}
    with pytest.raises(Violation, match="carries 2 messages, not 1"):
        what_is_sent_again_is_the_same(script, Replayed(lambda t: without(t, 1, messages=[user, user])))
    with pytest.raises(Violation, match="carries other messages"):
        what_is_sent_again_is_the_same(script, Replayed(lambda t: without(t, 1, messages=[{**user, "content": "?"}])))
    with pytest.raises(Violation, match="call 1 of the reply to request 2 was run 2 times"):
        what_is_sent_again_is_the_same(script, Replayed(lambda t: t.events.insert(2, t.executions[0])))


def test_the_status_is_judged() -> None:
    """0 for an answer and for nothing else; an empty reply may be told in words."""
    answer = Conversation((Prompt("Go.", (Reply((Say("Fine."),)),)),))
    the_exit_status_tells(answer, Replayed())
    with pytest.raises(Violation, match="there was an answer, and the exit status is 1"):
        the_exit_status_tells(answer, Replayed(status=1))
    fault = Conversation((Prompt("Go.", (LASTING[0],)),))
    the_exit_status_tells(fault, Replayed(status=1))
    with pytest.raises(Violation, match=r"the provider failed \(401 invalid api key\), and the exit status is 0"):
        the_exit_status_tells(fault, Replayed())
    empty = Conversation((Prompt("Go.", (Reply(()),)),))
    the_exit_status_tells(empty, Replayed(status=1))
    the_exit_status_tells(empty, Replayed(printed="the model said nothing"))
    with pytest.raises(Violation, match="did not say so"):
        the_exit_status_tells(empty, Replayed())


def test_a_frame_is_not_a_word_about_the_empty_reply() -> None:
    """What stands round every answer says nothing of this one."""
    empty = Conversation((Prompt("Go.", (Reply(()),)),))

    def framed(trace: Trace) -> None:
        ending = trace.events[-1]
        trace.events[-1] = replace(ending, printed=f"agent 1.0\n{ending.printed}\nbye\n")

    with pytest.raises(Violation, match="did not say so"):
        the_exit_status_tells(empty, Replayed(framed))


def test_look_ups_are_named() -> None:
    """A look-up fails, and its name is told."""
    script = minimal(calling())
    with pytest.raises(Violation, match="it looked up 'telemetry.example'"):
        an_offline_program_looks_up_no_host(
            script, Replayed(lambda trace: setattr(trace, "lookups", ("telemetry.example",)))
        )


def test_a_program_without_a_status_is_not_judged_by_it() -> None:
    """Where there is none there is nothing to tell."""
    answer = Conversation((Prompt("Go.", (Reply(()),)),))
    the_exit_status_tells(answer, Replayed(lambda trace: without(trace, -1, status=None)))
