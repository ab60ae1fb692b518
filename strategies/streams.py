"""Streams: how replies go out over a wire, where they are cut, and which requests fail.

Conversations here have one prompt: many programs play one in a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies import tables
from strategies.conversations import PLAIN, conversations
from strategies.draws import below, diagonal, pick, weighted
from strategies.replies import call_specs
from strategies.script import Block, Call, Conversation, Crash, Odd, Prompt, Reply, Returns, Say, Sent

# Sizes of the parts, in characters: in ones, in twos and threes, with empty ones between, nearly whole.
PIECES: tuple[tuple[int, ...], ...] = ((1,), (2, 3), (0, 1), (1, 40), (7,), (0, 0, 5), ())
IDS = ("first", "late", "repeated")
FRAGMENTED = tuple(
    Sent(pieces, together, ids, chunk=chunk)
    for pieces, together, ids, chunk in diagonal(PIECES, (False, True), IDS, (0, 7, 1_000_000))
)
# Bytes in one write: characters here take two, three and four of them, some with others joined on.
CHUNKS = (1, 2, 3, 5, 7, 64, 1_000_000)
CHUNKED = tuple(Sent(pieces, chunk=chunk) for chunk, pieces in diagonal(CHUNKS, ((), (9,))))
WIDE = (
    "naïve café", "日本語 🚀", "👩‍👩‍👧‍👦 family", "e\u0301t\u00e9", "“quoted” – dashed…", "é" * 40,
    "plain words", "🚀" * 30 + " done", "Ω≈ç√∫ ≤ 1\nnext line: 終わり",
    "a line\u2028and another\x85and a page\x0cwith\u2029paragraphs",
)  # fmt: skip
ANSWERS = tuple(f"Answer: {text}" for text in WIDE)

# Where a stream ends too early: after so many events, or (below 0) before the last ones. Its parts are so
# small that the arguments of its last call are never whole.
SHORT_CUTS = (2, -1, 1, -2, 3, -3, 5, -4, 8, 0, -6, 12)
CUTS = tuple(Sent((size,), cut=cut) for cut, size in diagonal(SHORT_CUTS, (1, 2)))
UNCLOSED = (Sent(unclosed=True), Sent((3,), unclosed=True))
LONG = {"text": "a text that takes a good many parts"}

# What commands print: of 560 KB nobody needs all.
OUTPUTS = (
    "ok", "line of a build\n" * 3000, "x" * 60_000, "é" * 40_000, "",
    "GET /orders/01 200 in 12 ms\n" * 20_000,
)  # fmt: skip

# Faults that a request made again may not meet, and those that it will.
PASSING = tuple(
    Crash(kind, words, status, after)
    for kind, words, status, after in (
        ("OSError", "overloaded", 503, 0.0), ("OSError", "internal error", 500, None),
        ("OSError", "rate limit reached", 429, 0.0), ("ConnectionError", "connection lost", None, None),
        ("OSError", "bad gateway", 502, None),
    )
)  # fmt: skip
LASTING = tuple(
    Crash("ValueError", words, status) for words, status in (
        ("invalid api key", 401), ("no access to this model", 403), ("no such model", 404),
    )
)  # fmt: skip
PERSISTENCE = 12  # how often a fault that lasts is met; nobody asks as often


def streamed(
    conversation: SearchStrategy[Conversation], *, ways: Sequence[Sent] = FRAGMENTED
) -> SearchStrategy[Conversation]:
    """A conversation whose replies are all streamed in one of these ways. Shrinks to the first."""
    return st.tuples(conversation, pick(ways)).map(lambda drawn: sent_as(*drawn))


def sent_as(conversation: Conversation, sent: Sent | None) -> Conversation:
    """The conversation with each reply streamed in this way; None is the plainest."""
    return with_replies(conversation, lambda r: replace(r, sent=sent) if isinstance(r, Reply) else r)


def with_replies(
    conversation: Conversation, change: Callable[[Reply | Crash], Reply | Crash]
) -> Conversation:
    """The conversation with something done to each of its replies."""
    return replace(conversation, prompts=tuple(
        replace(p, replies=tuple(map(change, p.replies))) if isinstance(p.replies, tuple) else p
        for p in conversation.prompts
    ))  # fmt: skip


def calling(*, max_calls: int = 3, rounds: int = 2) -> SearchStrategy[Conversation]:
    """One prompt, one to `rounds` replies that call tools, and an answer. Shrinks to one call."""
    return conversations(
        ends=PLAIN[:1], max_prompts=1, min_rounds=1, max_rounds=rounds, max_calls=max_calls,
        calls=call_specs(kinds=tables.kinds(tables.WELL_BEHAVED[:3])), extras=tables.ONCE[:1],
        histories=((),), prompts=("Go.",),
    ).map(lambda drawn: with_replies(drawn, _ordinary))  # fmt: skip


def _ordinary(reply: Reply | Crash) -> Reply | Crash:
    """The reply with a label that is true, and without blocks that few wires can carry."""
    if isinstance(reply, Crash):
        return reply
    known = tuple(b for b in reply.blocks if not isinstance(b, Odd))
    return replace(reply, blocks=known, label="toolUse" if reply.calls else "stop")


def telling(*, texts: Sequence[str] = WIDE, answers: Sequence[str] = ANSWERS) -> SearchStrategy[Conversation]:
    """One prompt, a reply with a text beside its call, and an answer. Shrinks to the first texts."""

    def build(drawn: tuple[str, str, str]) -> Conversation:
        beside, argument, answer = drawn
        call = Call("c1", "echo", {"text": argument}, Returns("r1"))
        asked, told = Reply((Say(beside), call), "toolUse"), Reply((Say(answer),))
        return Conversation((Prompt("Go.", (asked, told)),))

    return st.tuples(pick(texts), pick(texts), pick(answers)).map(build)


# What the reply that is cut off holds, simplest first.
_HALVES: tuple[tuple[Block, ...], ...] = (
    (Say("The answer to all of it is a long one."),),
    (Call("k1", "echo", LONG, Returns("half")),),
    (Say("Let me look."), Call("k1", "echo", LONG, Returns("half"))),
    (Call("k1", "echo", LONG, Returns("whole")), Call("k2", "echo", LONG, Returns("half"))),
)


def broken_off(
    *, cuts: Sequence[Sent] = (*CUTS, *UNCLOSED, *UNCLOSED), max_times: int = 2
) -> SearchStrategy[Conversation]:
    """One prompt, one of whose replies is cut off in the stream, once or more, before it comes whole.

    Shrinks to an answer that is cut after two events.
    """

    def build(drawn: tuple[int, tuple[Block, ...], Sent, int]) -> Conversation:
        before, blocks, sent, times = drawn
        label = "toolUse" if isinstance(blocks[-1], Call) else "stop"
        first = Reply((Call("c1", "echo", {"text": "a"}, Returns("r1")),), "toolUse")
        whole = Reply(blocks, label)
        done = (Reply((Say("Done."),)),) if label == "toolUse" else ()
        return Conversation((
            Prompt("Go.", (*(first,) * before, *(replace(whole, sent=sent),) * times, whole, *done)),
        ))  # fmt: skip

    drawn = st.tuples(below(2), pick(_HALVES), pick(cuts), pick(tuple(range(1, max_times + 1))))
    return drawn.map(build)


def failing_once(
    conversation: SearchStrategy[Conversation], *, faults: Sequence[Crash] = PASSING
) -> SearchStrategy[Conversation]:
    """A conversation of one prompt in which one request fails at first. Shrinks to the first request."""

    def build(drawn: tuple[Conversation, int, Crash]) -> Conversation:
        one, at, fault = drawn
        prompt = one.prompts[0]
        assert isinstance(prompt.replies, tuple)
        place = at % len(prompt.replies)
        replies = (*prompt.replies[:place], fault, *prompt.replies[place:])
        return replace(one, prompts=(replace(prompt, replies=replies),))

    return st.tuples(conversation, below(4), pick(faults)).map(build)


def printing() -> SearchStrategy[Conversation]:
    """One prompt whose calls print little, much, and more than anybody can read. Shrinks to one word."""

    def build(drawn: list[list[str]]) -> Conversation:
        asked = []
        for turn, row in enumerate(drawn):
            calls = [Call(f"c{turn}{n}", "echo", {"text": "a"}, Returns(text)) for n, text in enumerate(row)]
            asked.append(Reply(tuple(calls), "toolUse"))
        return Conversation((Prompt("Go.", (*asked, Reply((Say("Done."),)))),))

    reply = st.lists(pick(OUTPUTS), min_size=1, max_size=2)
    return st.lists(reply, min_size=1, max_size=3).map(build)


def endings() -> SearchStrategy[Conversation]:
    """One prompt that ends in an answer, in a fault that lasts, or in a reply with nothing in it.

    Shrinks to an answer at once.
    """
    call = Reply((Call("c1", "echo", {"text": "a"}, Returns("r1")),), "toolUse")
    lasts: tuple[tuple[Any, ...], ...] = weighted(
        (2, (Reply((Say("All is well."),)),)), *((1, (fault,) * PERSISTENCE) for fault in LASTING),
        (2, (Reply(()),)), (1, (Reply((Say(""),)),)),
    )  # fmt: skip
    drawn = st.tuples(below(2), pick(lasts))
    return drawn.map(lambda d: Conversation((Prompt("Go.", (*(call,) * d[0], *d[1])),)))
