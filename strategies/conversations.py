"""Conversations: several prompts on one record, each with its own replies and its own end.

Drawn as lists of indices into tables and put together in Python, which is what keeps a draw
of a whole conversation at about the price of twenty integers.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies import tables
from strategies.draws import diagonal, pick
from strategies.replies import (
    UNIQUE,
    CallSpec,
    IdStyle,
    ReplySpec,
    build_reply,
    call_specs,
    reply_specs,
)  # fmt: skip
from strategies.script import (
    OMITTED,
    Block,
    Call,
    Conversation,
    Crash,
    Interrupts,
    Odd,
    Prompt,
    Reply,
    Returns,
    Say,
    Tool,
)  # fmt: skip


class End(enum.Enum):
    """How one prompt ends."""

    ANSWER = "an answer"
    BLANK = "an answer of blank text"
    BLOCKS = "an answer of several blocks, one of an unknown type"
    FAILED_EMPTY = "a failed reply without content"
    FAILED_TEXT = "a failed reply with some text"
    LIMIT = "the turn limit, with the model wanting more"
    LIMIT_EXACT = "an answer on the last turn that the limit allows"
    LIMIT_ROOM = "an answer well before the turn limit"
    LIMIT_NONE = "an answer, max_turns given as None"
    FAILED_CALLS = "a failed reply that holds calls"
    CRASH = "an exception out of the provider"
    INTERRUPT = "an interrupted tool"


PLAIN = (End.ANSWER, End.BLANK, End.BLOCKS)
SENDABLE = (
    *PLAIN, End.FAILED_EMPTY, End.LIMIT, End.FAILED_TEXT, End.LIMIT_EXACT, End.LIMIT_ROOM,
    End.LIMIT_NONE,
)  # fmt: skip

HISTORIES: tuple[tuple[dict[str, Any], ...], ...] = (
    (),
    ({"role": "user", "content": "Hello."},
     {"role": "assistant", "content": [{"type": "text", "text": "Hi."}], "stop_reason": "stop"}),
    ({"role": "user", "content": "Look.", "seq": 1},
     {"role": "assistant", "stop_reason": "toolUse", "content": [
         {"type": "text", "text": "Looking."},
         {"type": "toolCall", "id": "h1", "name": "echo", "arguments": {"text": "a"}},
         {"type": "toolCall", "id": "h2", "name": "gone", "arguments": {}}]},
     {"role": "toolResult", "tool_call_id": "h1", "tool_name": "echo", "content": "a",
      "is_error": False},
     {"role": "toolResult", "tool_call_id": "h2", "tool_name": "gone", "content": "no such tool",
      "is_error": True},
     {"role": "assistant", "content": [{"type": "text", "text": ""}], "stop_reason": "length"}),
)  # fmt: skip
FAILED_HISTORY: tuple[dict[str, Any], ...] = (
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": [], "stop_reason": "error", "error_message": "overloaded"},
)


def conversations(
    *,
    ends: Sequence[End] = PLAIN,
    last_ends: Sequence[End] | None = None,
    max_prompts: int = 2,
    max_rounds: int = 2,
    max_calls: int = 3,
    min_rounds: int = 0,
    calls: SearchStrategy[CallSpec] | None = None,
    ids: Sequence[IdStyle] = UNIQUE,
    extras: Sequence[tables.Extra] = tables.EXTRAS,
    unknown: Sequence[str] = (),
    histories: Sequence[tuple[dict[str, Any], ...]] = HISTORIES,
    toolsets: Sequence[tuple[Tool, ...]] = tables.TOOLSETS,
    systems: Sequence[str] = tables.SYSTEMS[:1],
    prompts: Sequence[str] = tables.PROMPTS,
    label_table: Sequence[Any] = tables.LABELS,
    allowed: tuple[int, ...] = (),
) -> SearchStrategy[Conversation]:
    """One to `max_prompts` prompts on one record.

    `ends` says how prompts may end (`last_ends` for the last one), `unknown` which tool names
    that nobody has may be called, `allowed` which refusals are switched off, `extras` what else
    a reply carries. Shrinks to one
    prompt that is answered at once, with one tool and no history.
    """
    round_ = reply_specs(calls=calls, max_calls=max_calls, extras=extras, label_table=label_table)
    prompt = st.tuples(
        pick(prompts), st.lists(round_, min_size=min_rounds, max_size=max_rounds),
        pick(_variants(ends)), pick(label_table),
    )  # fmt: skip
    spec = st.tuples(
        st.lists(prompt, min_size=1, max_size=max_prompts),
        pick(diagonal(toolsets, ids, histories, systems, unknown or ("",))),
        pick(_variants(last_ends or ends[:1])),
    )  # fmt: skip
    override = last_ends is not None

    def build(drawn: Any) -> Conversation:
        drawn_prompts, (tools, style, history, system, stranger), last = drawn
        names = [tools[slot % len(tools)].name for slot in range(3)] if tools else []
        if unknown:
            names.append(stranger)
        number, made = 1, []
        for index, (text, rounds, chosen, label) in enumerate(drawn_prompts):
            end, variant = last if override and index == len(drawn_prompts) - 1 else chosen
            one, number = _prompt(text, rounds, end, label, variant, names, style, number)
            made.append(one)
        return Conversation(tuple(made), tuple(tools), system, tuple(history), allowed=allowed)

    return spec.map(build)


def _variants(ends: Sequence[End]) -> tuple[tuple[End, int], ...]:
    """Each end as it is, then in seven variations."""
    return tuple((end, variant) for variant in range(8) for end in ends)


def _prompt(
    text: str, rounds: list[ReplySpec], end: End, label: Any, variant: int,
    names: Sequence[str], style: IdStyle, number: int,
) -> tuple[Prompt, int]:  # fmt: skip
    """One prompt of a drawn conversation, and the number that the next call will have."""
    if end in (End.LIMIT, End.INTERRUPT) and not rounds:
        rounds = [((0, ""), label, (None, None, 1), [(0, ({}, None))])]
    replies: list[Reply | Crash] = []
    for spec in rounds:
        reply = build_reply(spec, names, style, number)
        replies.append(reply)
        number += len(reply.calls)
    turns = sum(getattr(r, "times", 1) for r in replies)
    max_turns: Any = OMITTED
    if end is End.LIMIT:
        max_turns = turns if variant < 6 else max(turns - 1, 0)
    elif end is End.LIMIT_EXACT:
        max_turns = turns + 1
    elif end is End.LIMIT_ROOM:
        max_turns = turns + 2 + variant * 17
    elif end is End.LIMIT_NONE:
        max_turns = None
    if end is End.INTERRUPT:
        replies[-1] = _interrupted(replies[-1], variant)
    elif end is End.CRASH:
        replies.append(Crash(tables.PROVIDER_ERRORS[variant], tables.ERROR_TEXTS[variant % 5]))
    elif end is not End.LIMIT:
        replies.append(_answer(end, label, variant))
    return Prompt(text, tuple(replies), max_turns), number


def _interrupted(reply: Reply | Crash, variant: int) -> Reply:
    """The reply with one of its calls interrupted: the last, or with a high variant the first."""
    assert isinstance(reply, Reply)
    at = [i for i, b in enumerate(reply.blocks) if isinstance(b, Call)][0 if variant > 3 else -1]
    blocks: list[Block] = list(reply.blocks)
    call = blocks[at]
    assert isinstance(call, Call)
    blocks[at] = replace(call, does=Interrupts(tables.INTERRUPTS[variant % 2]))
    return replace(reply, blocks=tuple(blocks), times=1)


def _answer(end: End, label: Any, variant: int) -> Reply:
    """The reply without calls that ends a prompt."""
    said: tuple[Block, ...] = (Say("Done."),)
    if end is End.BLANK:
        said = (Say((" ", "", "\n", "\t")[variant % 4]),)
    elif end is End.BLOCKS:
        said = (Say("It is"), Odd(text="hm"), Say(" "), Say("0.\n"))[variant % 2 :]
    elif end is End.FAILED_EMPTY:
        said = ()
    elif end is End.FAILED_CALLS:
        calls = (Call("f1", "echo", {"text": "a"}), Call("f2", "nope", {}))
        said = (Say("I will"), *calls)[variant % 3 :]
    elif end is End.FAILED_TEXT:
        said = (Say(("The bug is", " ", "")[variant % 3]),)
    usage = {"input": 7, "output": 0} if variant in (2, 5, 7) else None
    if end.name.startswith("FAILED"):
        return Reply(said, "error", ("overloaded", None, "", "429 rate limit")[variant % 4], usage)
    return Reply(said, label, None if variant < 6 else "429 rate limit", usage)


def repeated(times: int, *, calls: int = 1, glance: bool = False) -> Conversation:
    """One prompt whose reply asks for `calls` tools, `times` times in a row, then an answer."""
    asked = tuple(Call(f"c{k}", "echo", {"text": "a"}, Returns("r")) for k in range(1, calls + 1))
    done = Reply((Say("Done."),))
    return Conversation((Prompt("Go.", (Reply(asked, "toolUse", times=times), done)),), glance=glance)


def with_failures(
    kinds: Sequence[tuple[Any, Any]], *, max_calls: int = 3, allowed: tuple[int, ...] = (),
    ends: Sequence[End] = PLAIN, unknown: Sequence[str] = tables.UNKNOWN,
) -> SearchStrategy[Conversation]:  # fmt: skip
    """Small conversations in which calls fail in the given ways or name unknown tools.

    Shrinks to one call of the first kind.
    """
    slots = 4 if unknown else 3
    return conversations(
        calls=call_specs(kinds=kinds, slots=slots), unknown=unknown, max_calls=max_calls, ends=ends,
        min_rounds=1, max_rounds=2, extras=tables.ONCE, allowed=allowed,
    )  # fmt: skip
