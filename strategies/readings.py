"""What there is to read: files with budgets round their own edges, workspaces, and a needle to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.budgets import (
    FREE,
    LIMITS,
    SPOTS,
    STARTS,
    Budget,
    budgets,
    limit_of,
    offsets_and_limits,
    spot,
    start_of,
)  # fmt: skip
from strategies.draws import pick, weighted
from strategies.lines import size
from strategies.script import Conversation, Desk, Edit, Own, Pager, Paging, Prompt, Use
from strategies.texts import Form, Run, expand, text_files

PATHS = weighted(
    (4, "a.txt"), (1, "My Notes.txt"), (1, "src/app.py"), (1, "A.TXT"), (1, "a b/c d.txt"),
    (1, "日誌.log"), (1, "README"), (1, " a.txt"),
)  # fmt: skip


# ---- pages --------------------------------------------------------------------------------


def paged(
    text: str, budget: tuple[Budget, int], where: tuple[int, Any], *, room: int | None = 0,
    start_at_giant: bool = False,
) -> Paging:  # fmt: skip
    """The recipes worked out on a text. With `room`, each line fits with so many bytes to spare."""
    sizes = [size(line) for line in text.splitlines(keepends=True)] or [0]
    (recipe, at), (start_, limits_) = budget, where
    start = spot(at, len(sizes)) if start_at_giant else start_of(start_, len(sizes))
    ahead = sizes[start - 1 :]
    k = 1 if start_at_giant else spot(at, len(ahead))
    if room is not None:  # the first edge that leaves no line over the budget
        needed = max(sizes) + room
        k = next((i for i, fit in enumerate(accumulate(ahead), 1) if i >= k and fit >= needed), k)
    if len(ahead) > 60:
        k = max(k, len(ahead) // 6)
    max_lines, max_bytes = recipe.of(ahead, k)
    if room is not None:
        max_bytes = max(max_bytes, needed)
    if len(sizes) > 60:
        max_lines = max(max_lines, len(sizes) // 8)
        max_bytes = max(max_bytes, sum(sizes) // 8)
    limits = tuple(limit_of(limit, len(ahead)) for limit in limits_)
    return Paging(text, "a.txt", max_lines, max_bytes, start, limits)


def pagings(
    *, kind: str = "edge", endings: str = "any", imitations: bool = False, inside: bool = True,
    surrogates: bool = False, room: int | None = 0, starts: Sequence[int] = STARTS,
    limits: str = "any", start_at_giant: bool = False,
) -> SearchStrategy[Paging]:  # fmt: skip
    """A file of at least one line to be read page by page, with budgets round its own edges.

    `room` (None for none at all) is what the longest line leaves of the byte budget at least.
    `start_at_giant` starts at the line that the budget is about. Shrinks to a file of one line
    read from its start.
    """

    def build(drawn: Any) -> Paging:
        return paged(*drawn, room=room, start_at_giant=start_at_giant)

    texts = text_files(
        endings=endings, imitations=imitations, inside=inside, surrogates=surrogates, empty=False
    )
    return st.tuples(texts, budgets(kind=kind), offsets_and_limits(starts=starts, limits=limits)).map(build)


_PAST = (1, 2, 9, 1000, 1, 100_000, 1, 2, 0, -1, -3)


def pagings_past_the_end() -> SearchStrategy[Paging]:
    """A file, often empty, and an offset past its end or just before it.

    Shrinks to the empty file read from its start.
    """

    def build(drawn: tuple[str, int, Any]) -> Paging:
        text, past, limits = drawn
        lines = len(text.splitlines())
        start = 1 if not text and past % 2 else max(1, lines + past)
        limit = limit_of(limits[0], 1)
        return Paging(text, "a.txt", max(1, lines), FREE, start, (limit,))

    texts = st.one_of(st.just(""), text_files(endings="plain"))
    return st.tuples(texts, pick(_PAST), pick(LIMITS["any"])).map(build)


_BELOW_ONE = weighted(
    (3, (0, None)), (2, (-1, None)), (3, (None, 0)), (2, (None, -1)), (1, (0, 0)), (1, (-1, 1)),
    (1, (2, 0)), (1, (1, -2)), (1, (-3, None)), (1, (-100_000, None)), (1, (None, -100_000)), (1, (0, 1)),
)  # fmt: skip


def pagings_below_one() -> SearchStrategy[Paging]:
    """A file and an offset or a limit below 1. Shrinks to a file of one line and offset 0."""

    def build(drawn: tuple[str, tuple[int | None, int | None]]) -> Paging:
        text, (start, limit) = drawn
        return Paging(text, "a.txt", FREE, FREE, 1 if start is None else start, (limit,))

    return st.tuples(text_files(endings="plain"), pick(_BELOW_ONE)).map(build)


# ---- workspaces ---------------------------------------------------------------------------


# Paths that an error which repeats them has to cut: one, two, three and four bytes a character.
LONG_PATHS = ("a" * 900, "\u00e9" * 450, "\u65e5" * 300, "x" + "\u65e5" * 300, "\U0001f642" * 200,
              "xy" + "\U0001f642" * 200, " " * 700, "a\nb" * 250)  # fmt: skip


def missing_file_desks(
    *, files: Sequence[int] = (0, 1, 2, 5), long: bool = False, budget: int | None = None,
    paths: Sequence[str] = (*PATHS, "nope.txt", "no such/file.py", "a.tx", "b"),
) -> SearchStrategy[Desk]:  # fmt: skip
    """A read of a file that is not there, beside some that are, with `long` names or odd ones.

    Shrinks to the first of `paths` and the first number of `files`.
    """

    def build(drawn: tuple[str, int, Any]) -> Desk:
        path, many, more = drawn
        there = [p for p in (dict.fromkeys((*PATHS, "b.txt", "nope/a.txt"))) if p != path]
        if long:
            there = [f"{number}{'x' * 100}" for number in range(many)]
        steps = (Use("read", {"path": path, **more}),)
        return Desk(dict.fromkeys(there[:many], "1\n"), {}, steps, None, budget)

    return st.tuples(pick(paths), pick(files), pick(({}, {}, {"offset": 1}, {"limit": 2}))).map(build)


_BYTES = (
    "1\n", "\xff", "\xfe\xff", "\x00", "\xef\xbb\xbf1\n", "\xff\xfe1\x00\n\x00", "\xe6\x97", "\x80\n",
    "\xf0\x9f\x99\x82", "\xed\xa0\x80", "\x1b[31m", "\r", "\xc0\xaf\n", "\x89PNG\r\n\x1a\n",
)  # fmt: skip


def byte_files() -> SearchStrategy[Desk]:
    """One file "a.bin" of any bytes; each byte is written as the character of its number.

    Shrinks to one line of text.
    """
    parts = st.lists(pick(_BYTES), min_size=1, max_size=4)
    return parts.map(lambda drawn: Desk({"a.bin": "".join(drawn)}, {}, (Use("read", {"path": "a.bin"}),)))


_SHORT = weighted((4, Run(1)), (2, Run(2)), (2, Run(1, "#é")), (1, Run(0)), (2, Run(3)), (1, Run(1, "🙂#")))
_DIGITS = str.maketrans("0123456789", "7890123456")
_CHANGES: tuple[Callable[[str], str], ...] = (
    lambda text: text + "new\n",
    lambda text: text.translate(_DIGITS),
    lambda text: "new\n" + text,
    lambda text: "".join(text.splitlines(keepends=True)[1:]) or "new\n",
    lambda text: text[-2::-1] + "!\n",
    lambda text: text[:0],
    lambda text: text + text,
)


def rereading_desks() -> SearchStrategy[Desk]:
    """A file read, read again, written anew by the write tool or from outside, and read once more.

    Budgets are the default ones and the file is small. Shrinks to a file of one line.
    """

    def build(drawn: tuple[str, tuple[Run, ...], Callable[[str], str], bool, dict[str, int], bool]) -> Desk:
        path, runs, change, from_outside, more, other = drawn
        text = expand(Form(), runs) or "1\n"
        new = change(text)
        read, again = Use("read", {"path": path}), Use("read", {"path": path, **more})
        write = Edit(path, new) if from_outside else Use("write", {"path": path, "content": new})
        first = (read, again) if more else (read,)
        if other:
            return Desk(
                {path: text, "b.txt": "b\n"},
                {},
                (*first, Use("read", {"path": "b.txt"}), *first, write, read),
            )
        return Desk({path: text}, {}, (*first, again, write, read))

    more = weighted((3, {}), (1, {"offset": 1}), (2, {"limit": 1}), (1, {"offset": 1, "limit": 2}))
    return st.tuples(
        pick(PATHS), st.tuples(pick(_SHORT), pick(_SHORT)), pick(_CHANGES), st.booleans(), pick(more),
        st.booleans(),
    ).map(build)  # fmt: skip


_STATED = weighted((3, None), *((1, n) for n in (1, 2, 20, 200, 999, 2001, 65_536, 12_345, 1_000_000)))


def budgeted_desks() -> SearchStrategy[Desk]:
    """An empty workspace with budgets to be stated. Shrinks to the default budgets."""
    return st.tuples(pick(_STATED), pick(_STATED)).map(
        lambda drawn: Desk(max_lines=drawn[0], max_bytes=drawn[1])
    )


def the_empty_desk() -> SearchStrategy[Desk]:
    """Just an empty workspace."""
    return st.just(Desk())


def needle_conversations() -> SearchStrategy[Conversation]:
    """A model looks for a needle in big.log, page by page; the needle stands in a line that fits, or nowhere.

    Shrinks to the needle and one more line.
    """

    def build(drawn: tuple[str, tuple[Budget, int], int]) -> Conversation:
        text, budget, at = drawn
        lines = text.splitlines(keepends=True)
        if at < len(SPOTS):
            place = spot(at, len(lines) + 1) - 1
            if place == len(lines):
                lines[-1] = lines[-1].rstrip("\r\n") + "\n"
            lines.insert(place, "needle" + "\n" * (place < len(lines)))
        script = paged("".join(lines), budget, (0, (None,)), room=None)
        most = max(script.max_bytes or 0, 8)  # the needle fits, with a byte to spare
        tools = (Own("read", script.max_lines, most),)
        pager = Pager(max_replies=len(lines) + 3)
        prompt = Prompt("Is there a needle in big.log?", pager)
        return Conversation((prompt,), tools, files={"big.log": script.text})

    texts = text_files(endings="plain", empty=False)
    places = (*SPOTS, len(SPOTS), *SPOTS)
    return st.tuples(texts, budgets(), pick(places)).map(build)
