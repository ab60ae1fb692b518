"""Replies and their parts: labels, call ids, arguments, tool behaviours.

Labels are drawn independently of the content, so they lie as often as they tell the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies import tables
from strategies.draws import below, pick
from strategies.script import Behaviour, Block, Call, Odd, Reply, Returns, Say

IdStyle = Callable[[int, int], str]

# Each style gives the id of a call from its number in the conversation and in its reply.
UNIQUE: tuple[IdStyle, ...] = (
    lambda n, k: f"c{n}",
    *(lambda n, k: f"c{k}",) * 3,  # the same ids again in every reply
    lambda n, k: str(n + 7),  # "9", "10": sorts differently as text and as a number
    lambda n, k: f"z{999 - n}",  # sorts backwards
    lambda n, k: f"call {n}/ü:#{{{n}}}",
    lambda n, k: f"{'long-' * 60}{n}",
    lambda n, k: f"toolu_{n * 7919 % 10007:05d}",
)
COLLIDING: tuple[IdStyle, ...] = (
    lambda n, k: "c1",  # all the same
    lambda n, k: "",  # all empty
    lambda n, k: f"c{(k + 1) // 2}",  # in pairs
    lambda n, k: "" if k == 1 else f"c{k}",
)


def labels() -> SearchStrategy[Any]:
    """A stop label of a reply that did not fail: a text or None. Shrinks to "stop"."""
    return pick(tables.LABELS)


def call_ids(*, styles: Sequence[IdStyle] = UNIQUE) -> SearchStrategy[IdStyle]:
    """A way to name calls: unique, repeated over turns, odd, very long. Shrinks to c1, c2, …"""
    return pick(styles)


def arguments(*, table: Sequence[Any] = tables.ARGUMENTS) -> SearchStrategy[Any]:
    """The arguments of a call. Shrinks to {}."""
    return pick(table)


def tool_behaviours(
    *, table: Sequence[Behaviour | None] = tables.WELL_BEHAVED
) -> SearchStrategy[Behaviour | None]:
    """What a call's tool does; None is a result text of the call's own. Shrinks to None."""
    return pick(table)


# A drawn call: (tool slot, (arguments, behaviour)); a drawn reply: (where which text stands, the
# label, what else it carries, its calls).
CallSpec = tuple[int, tuple[Any, "Behaviour | None"]]
ReplySpec = tuple[tuple[int, str], Any, tables.Extra, list[CallSpec]]
WELL_BEHAVED = tables.kinds(tables.WELL_BEHAVED)


def call_specs(
    *, kinds: Sequence[tuple[Any, Behaviour | None]] = WELL_BEHAVED, slots: int = 3
) -> SearchStrategy[CallSpec]:
    """One call before it has an id. Shrinks to the first tool, {} and a plain result."""
    return st.tuples(below(slots), pick(kinds))


def reply_specs(
    *,
    calls: SearchStrategy[CallSpec] | None = None,
    min_calls: int = 1,
    max_calls: int = 3,
    extras: Sequence[tables.Extra] = tables.EXTRAS,
    label_table: Sequence[Any] = tables.LABELS,
) -> SearchStrategy[ReplySpec]:
    """One reply before its calls have ids. Shrinks to one call, no text, label "stop"."""
    return st.tuples(
        pick(tables.PATTERNS), pick(label_table), pick(extras),
        st.lists(call_specs() if calls is None else calls, min_size=min_calls, max_size=max_calls),
    )  # fmt: skip


def build_reply(
    spec: ReplySpec, names: Sequence[str], style: IdStyle = UNIQUE[0], first: int = 1
) -> Reply:
    """The reply of a drawn spec; `first` is the number of its first call in the conversation.

    Bits of the first field put a text before, between and after the calls, and a block of an
    unknown type at the front. A slot past the known names takes an unknown one.
    """
    (bits, word), label, (error, usage, times), calls = spec
    blocks: list[Block] = []
    if bits & 8:
        blocks.append(Odd(text=word))
    if bits & 1 or not calls:
        blocks.append(Say(word))
    for k, (slot, (given, does)) in enumerate(calls, 1):
        if k > 1 and bits & 2:
            blocks.append(Say(f"{word}{k}"))
        number = first + k - 1
        blocks.append(Call(style(number, k), names[slot], given, does or Returns(f"r{number}")))
    if bits & 4 and calls:
        blocks.append(Say("after"))
    return Reply(tuple(blocks), label, error, usage, times)


def replies(
    *, min_calls: int = 0, max_calls: int = 12, failed: bool = False
) -> SearchStrategy[Reply]:
    """One whole reply with 0 to 12 calls of the tools echo and add, or of an unknown one.

    Texts stand before, between and after the calls; the label is drawn independently; a failed
    one has the label "error". Shrinks to one block and the label "stop" (or "error").
    """
    table = ("error",) if failed else tables.LABELS
    specs = reply_specs(
        min_calls=min_calls, max_calls=max_calls, extras=tables.ONCE, label_table=table
    )
    return specs.map(lambda spec: build_reply(spec, ("echo", "add", "nope")))
