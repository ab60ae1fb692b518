"""STREAM, replies that come in parts: fragments, chunks of bytes, and streams that end too early.

A reply that is sent in parts is compared with the same reply sent plainly, so that what a harness
makes of replies in any case is nobody's fault here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import properties.limit_exits  # noqa: F401 - LIMIT-08 stands there
from adapters.normal import blocks_of, calls_of, essence, failed, role_of
from adapters.trace import Ending, Request, Trace
from properties.checks import Violation, check, fail, shown
from properties.messages import listed
from properties.registry import FIELD, also, law
from properties.story import no_refusal, play, step
from strategies.script import Call, Conversation, Prompt, Reply, Returns, Say, Sent
from strategies.streams import (
    CHUNKED,
    broken_off,
    calling,
    failing_once,
    sent_as,
    streamed,
    telling,
)  # fmt: skip

View = Callable[[Trace], list[tuple[str, Any, Any]]]  # (which step, what is there, what should be)

_PAIR = Conversation((Prompt("Go.", (
    Reply((Call("c1", "echo", {"text": "first"}, Returns("r1")),
           Call("c2", "echo", {"text": "second"}, Returns("r2"))), "toolUse"), Reply((Say("Done."),)),
)),))  # fmt: skip


def differs(script: Conversation, harness: Any, view: View, what: str) -> None:
    """Raise a violation where `view` sees something wrong that is not so when replies are sent plainly."""
    try:
        found = view(play(script, harness))
    except Violation as why:
        _unless_plainly_so(script, harness, view, why)
        return
    wrong = [(where, is_, should) for where, is_, should in found if is_ != should]
    if not wrong:
        return
    plain = view(play(sent_as(script, None), harness))
    same = {where: is_ for where, is_, _ in plain}
    for where, is_, should in wrong:
        if same.get(where, should) != is_:
            fail(f"{what} {shown(is_)}, not {shown(same.get(where, should))}", where)


def _unless_plainly_so(script: Conversation, harness: Any, view: View, why: Violation) -> None:
    """Raise the violation of a streamed run, unless the plain run breaks as well."""
    try:
        view(play(sent_as(script, None), harness))
    except Violation:
        return
    raise Violation(f"streamed in parts: {why.sentence}", why.step) from why


def _calls(trace: Trace) -> list[tuple[str, Any, Any]]:
    """What the tools were asked, and which calls the next request carried, for each reply."""
    seen = []
    for request in trace.requests:
        if request.reply is None or request.extra or failed(request.reply):
            continue
        asked = _named(calls_of(request.reply))
        ran = [(e.tool, e.arguments) for e in trace.executions if e.request == request.number]
        seen.append((f"{step(request)}, tools", sorted(ran, key=repr), sorted(asked, key=repr)))
        following = _next(trace, request)
        if following is not None and asked:
            seen.append((f"{step(following)}, calls", _named(calls_of(_last_reply(following))), asked))
    return seen


def _named(calls: Any) -> list[tuple[Any, Any]]:
    return [(call.get("name"), call.get("arguments")) for call in calls]


def _next(trace: Trace, request: Request) -> Request | None:
    """The request after this one in the same prompt."""
    later = [r for r in trace.requests if r.prompt == request.prompt and r.number > request.number]
    return later[0] if later else None


def _last_reply(request: Request) -> Any:
    """The last assistant message that a request carried."""
    replies = [m for m in listed(request.messages) if role_of(m) == "assistant"]
    return replies[-1] if replies else None


def _words(message: Any) -> str:
    texts = [b for b in blocks_of(message) if isinstance(b, dict) and b.get("type") == "text"]
    return "".join(str(block.get("text")) for block in texts)


def _texts(trace: Trace) -> list[tuple[str, Any, Any]]:
    """The text that the next request carried for each reply, and whether the last one was shown whole."""
    seen: list[tuple[str, Any, Any]] = []
    for request in trace.requests:
        if request.reply is None or request.extra:
            continue
        said, following = _words(request.reply), _next(trace, request)
        if following is not None:
            seen.append((f"{step(following)}, text", _words(_last_reply(following)), said))
            continue
        ending = trace.endings[request.prompt]
        shown_ = ending.printed if ending.printed is not None else _words(ending.returned)
        seen.append((step(ending), _gist(said) in _gist(shown_) or shown_, True))
    return seen


def _gist(text: str) -> str:
    """A text without its white space, which a screen may lay out anew."""
    return "".join(text.split())


@law(
    "STREAM-01", tier=FIELD, needs=("stream", "loop"), after=("LOOP-01", "LOOP-05"),
    source="QwenLM/Qwen-Agent PR 943", draws=streamed(calling()),
    examples=tuple(
        sent_as(_PAIR, sent) for sent in (
            Sent((1,)), Sent((3,), together=True), Sent((3,), ids="late"), Sent((3,), ids="repeated"),
            Sent((0, 2), together=True, ids="repeated"), Sent((3,), chunk=1_000_000), Sent((3,), chunk=1),
        )
    ),
    hint="Collect the parts of a call under its index: an id or a name may come late, again, or once.",
)  # fmt: skip
def fragments_give_the_same_calls(script: Conversation, harness: Any) -> None:
    """However a reply's stream is fragmented, its calls are those of the reply in one piece.

    Catches parts that go to the last call whatever their index, ids and names that are added up, and
    calls that are lost when all comes at once.
    """
    differs(script, harness, _calls, "a streamed reply gave")


@law(
    "STREAM-02", tier=FIELD, needs=("stream", "loop"), after=("LOOP-01",),
    source="anomalyco/opencode PR 43665", draws=broken_off(),
    hint="Only the closing event ends a reply. Without it ask again, or end with an error; run no half call.",
)  # fmt: skip
def a_cut_stream_is_no_finished_turn(script: Conversation, harness: Any) -> None:
    """A stream that is cut, or ends without its closing event, is no finished turn; half calls do not run.

    Catches loops that take the end of the connection for the end of the reply.
    """
    trace: Trace = harness.converse(script)
    no_refusal(trace)
    for prompt in range(len(script.prompts)):
        for one in trace.rounds(prompt):
            if not one.request.cut or one.request.played is None:
                continue
            half, number = _half(one.request.played), one.request.number
            ran = [e for e in trace.executions if e.request == number and e.does == half]
            at = step(one.request)
            check(half is None or not ran, "half a call of a stream that was cut off was run", at)
            if one.last:
                done = succeeded(trace.endings[prompt])
                check(not done, "a reply whose stream was cut off ended the run as a success", at)


def _half(reply: Reply) -> Call | None:
    """The call that did not come whole: the last one of a reply whose connection was cut."""
    cut = reply.sent is not None and reply.sent.cut is not None
    return reply.calls[-1] if cut and reply.calls else None


def succeeded(ending: Ending) -> bool:
    """Whether a run says that it went well: by its exit status, where it is a program's."""
    if ending.status is not None:
        return ending.status == 0
    return ending.kind == "returned" and not failed(ending.returned)


@law(
    "STREAM-03", tier=FIELD, needs=("stream", "loop"), after=("LOOP-01",),
    source="earendil-works/pi PR 433", draws=streamed(telling(), ways=CHUNKED),
    hint="Decode the bytes of a stream with one decoder that keeps what is incomplete, or by whole lines.",
)  # fmt: skip
def text_survives_chunking(script: Conversation, harness: Any) -> None:
    """Text is the same however its bytes are chunked, also inside a character.

    Catches chunks of bytes that are decoded one by one.
    """
    differs(script, harness, _texts, "the text became")
    differs(script, harness, _calls, "a streamed reply gave")


@also(
    "LIMIT-08", tier=FIELD, needs=("exit-status",), draws=failing_once(calling(rounds=2)),
)  # fmt: skip
def what_is_sent_again_is_the_same(script: Conversation, harness: Any) -> None:
    """A request that is made again after a failure carries the same messages; no call is run twice.

    Catches prompts that are stored once for each try, and runs that begin again with their tools.
    """
    trace: Trace = harness.converse(script)
    no_refusal(trace)
    for request in trace.requests:
        following = _next(trace, request)
        if request.crashed is None or following is None:
            continue
        before, again = ([essence(m) for m in listed(r.messages)] for r in (request, following))
        check(len(again) == len(before),
              f"the request made again carries {len(again)} messages, not {len(before)}", step(following))
        check(again == before, "the request made again carries other messages", step(following))
    ran = [(e.request, e.call) for e in trace.executions if e.call is not None]
    twice = [place for place in ran if ran.count(place) > 1]
    if twice:
        number, call = twice[0]
        times = ran.count(twice[0])
        fail(f"call {call + 1} of the reply to request {number + 1} was run {times} times")
