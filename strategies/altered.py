"""Conversations made out of conversations: played twice, meddled with, emptied, retried, cut off.

Each takes what draws a conversation (or one that is drawn) and changes one thing in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies import tables
from strategies.draws import below, pick, weighted
from strategies.script import Block, Conversation, Crash, Odd, Pair, Prompt, Relabelled, Reply


def pairs(
    *, first: SearchStrategy[Conversation], second: SearchStrategy[Conversation]
) -> SearchStrategy[Pair]:
    """Two conversations with nothing in common. Shrinks to two plain answers."""
    return st.tuples(first, second).map(lambda drawn: Pair(*drawn))


def relabelled(
    conversation: SearchStrategy[Conversation], *, labels: Sequence[Any] = tables.LABELS
) -> SearchStrategy[Relabelled]:
    """A conversation and other labels for its replies. Shrinks to the label "stop"."""
    drawn = st.tuples(conversation, st.lists(pick(labels), min_size=1, max_size=3))
    return drawn.map(lambda pair: Relabelled(pair[0], tuple(pair[1])))


def meddled(conversation: SearchStrategy[Conversation]) -> SearchStrategy[Conversation]:
    """A conversation whose provider extends or empties the list it is handed. Shrinks to extend."""
    drawn = st.tuples(conversation, pick(("extend", "empty")))
    return drawn.map(lambda pair: replace(pair[0], meddling=pair[1]))


def emptied(conversation: SearchStrategy[Conversation]) -> SearchStrategy[Conversation]:
    """A conversation in which each prompt is answered by a reply with nothing in it, or with
    blocks that are neither text nor call, and one more prompt follows.

    Shrinks to one empty reply, labelled "stop".
    """
    held: tuple[tuple[Block, ...], ...] = ((), (Odd(),), (Odd(), Odd("reasoning", "so")))

    def build(drawn: tuple[Conversation, tuple[Block, ...]]) -> Conversation:
        one, blocks = drawn
        prompts = [
            replace(p, replies=(*_scripted(p)[:-1], replace(_scripted(p)[-1], blocks=blocks)))
            for p in one.prompts
        ]
        return replace(one, prompts=(*prompts, Prompt("Well?")))

    return st.tuples(conversation, pick(weighted((3, held[0]), *((1, one) for one in held[1:])))).map(build)


def retried(conversation: SearchStrategy[Conversation]) -> SearchStrategy[Conversation]:
    """A conversation whose provider fails once before one of its replies. Shrinks to the first."""

    def build(drawn: tuple[Conversation, int]) -> Conversation:
        one, at = drawn
        first = one.prompts[0]
        assert isinstance(first.replies, tuple)
        place = at % len(first.replies)
        replies = (*first.replies[:place], Crash(), *first.replies[place:])
        return replace(one, prompts=(replace(first, replies=replies), *one.prompts[1:]))

    return st.tuples(conversation, below(4)).map(build)


def cut_off(conversation: Conversation) -> Conversation:
    """The conversation with each reply that holds calls labelled as cut by length."""
    return replace(conversation, prompts=tuple(
        replace(p, replies=tuple(replace(r, label="length") if r.calls else r for r in _scripted(p)))
        for p in conversation.prompts
    ))  # fmt: skip


def _scripted(prompt: Prompt) -> tuple[Reply, ...]:
    """The prompt's replies, where all of them are replies."""
    assert isinstance(prompt.replies, tuple)
    return tuple(r for r in prompt.replies if isinstance(r, Reply))
