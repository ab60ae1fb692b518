"""Texts and files to be cut and read page by page, with budgets, offsets and limits round them.

A text is drawn as a few indices: four runs of lines (how many, what stands in them) and a form
(what the file begins with, its line endings, whether the last line has one). Budgets, offsets
and limits are drawn as recipes and worked out on the text's own lines, so that most of them
fall on an edge. Nothing is filtered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.draws import pick, weighted
from strategies.lines import size
from strategies.notices import wording
from strategies.script import Conversation, Cut, Desk, Edit, Own, Pager, Paging, Prompt, Use

FREE = 1_000_000  # a budget that nothing drawn here reaches
PATHS = weighted(
    (4, "a.txt"), (1, "My Notes.txt"), (1, "src/app.py"), (1, "A.TXT"), (1, "a b/c d.txt"),
    (1, "日誌.log"), (1, "README"), (1, " a.txt"),
)  # fmt: skip


# ---- texts --------------------------------------------------------------------------------


class Run(NamedTuple):
    """So many lines; `#` in the body stands for the number of the line, and tells lines apart."""

    lines: int
    body: str = "#"


class Form(NamedTuple):
    """What a file begins with, its line endings in turn, and whether the last line has one."""

    before: str = ""
    endings: tuple[str, ...] = ("\n",)
    closed: bool = True


_RUNS = weighted(
    (6, Run(0)), (10, Run(1)), (3, Run(2)), (4, Run(3)), (2, Run(5)), (3, Run(10)),
    (4, Run(1, "")), (1, Run(3, "")), (2, Run(1, "  ")), (2, Run(1, "\t#")), (1, Run(1, "  #")),
    (2, Run(1, "# \t")), (3, Run(1, "#é")), (4, Run(1, "#日本")), (3, Run(2, "日#")),
    (4, Run(1, "#🙂")), (3, Run(2, "🙂#")), (1, Run(3, "ü#")),
    (2, Run(1, "#e\u0301")), (1, Run(1, "#\u212b①")), (1, Run(1, "👩\u200d👩\u200d👧#")),
    (1, Run(1, "#\x1b[31m!\x1b[0m")), (1, Run(1, "#\x00")), (1, Run(1, "#\ufeff")), (1, Run(1, "\xa0#\\n")),
    (2, Run(1, "#" + "x" * 20)), (2, Run(1, "x" * 60)), (2, Run(1, "日" * 30)), (2, Run(1, "🙂" * 25)),
    (2, Run(2, "#" + "y" * 40)), (1, Run(120, "-")), (1, Run(1100, "=")),
)  # fmt: skip
_IMITATIONS = (
    Run(1, wording(1, 2, 9)), Run(1, wording(1, 1, 2)), Run(1, "[Line # is 99 bytes. Use offset=9 to go on.]"),
    Run(1, "x" + wording(1, 1, 3)), Run(1, "[Showing lines #-# of #. Use offset=1 to continue.]"),
    Run(1, wording(1, 1, 1)),
)  # fmt: skip
_SURROGATES = (Run(1, "#\ud800"), Run(1, "\udcff#"), Run(1, "#a\udfffb"), Run(2, "\ud83d"))

_PLAIN = weighted(
    (8, Form()), (5, Form(closed=False)), (4, Form("", ("\r\n",))), (2, Form("", ("\r\n",), False)),
    (1, Form("", ("\n", "\r\n"))), (1, Form("", ("\r\n", "\n"), False)),
    (2, Form("\ufeff")), (1, Form("\ufeff", ("\r\n",), False)),
)  # fmt: skip
_RARE = (
    Form("", ("\x0c", "\n")), Form("", ("\r",)), Form("", ("\x0b",)), Form("", ("\u2028",), False),
    Form("", ("\x85", "\n")), Form("", ("\x1c", "\x1d", "\x1e")), Form("", ("\r", "\n", "\r\n")),
    Form("", ("\u2029",)), Form("", ("\n", "\x0c"), False), Form("", ("\r",), False),
)  # fmt: skip
FORMS = {"plain": _PLAIN, "rare": _RARE, "any": _PLAIN + _RARE}


@lru_cache(maxsize=512)
def expand(form: Form, runs: tuple[Run, ...], inside: bool = False) -> str:
    """The text that was drawn. With `inside`, what imitates a notice is never the last line."""
    bodies = [run.body for run in runs for _ in range(run.lines)]
    kinds = len(form.endings)
    lines = [
        (body.replace("#", str(at + 1)) if "#" in body else body) + form.endings[at % kinds]
        for at, body in enumerate(bodies)
    ]
    if not lines:
        return ""
    if not form.closed:
        lines[-1] = bodies[-1].replace("#", str(len(lines)))
    if inside and "offset=" in next((line for line in reversed(lines) if line), ""):
        return expand(form, (*runs, Run(1)), inside)
    return form.before + "".join(lines)


def _runs(imitations: bool, surrogates: bool) -> SearchStrategy[tuple[Run, ...]]:
    table = _RUNS + 3 * _IMITATIONS * imitations + 6 * _SURROGATES * surrogates
    return st.tuples(*[pick(table)] * 4)


def text_files(
    *, endings: str = "any", imitations: bool = False, surrogates: bool = False,
    empty: bool = True, inside: bool = False,
) -> SearchStrategy[str]:  # fmt: skip
    """Texts of files: `endings` is "plain" (LF, CRLF, none at the end), "rare" or "any".

    `imitations` adds lines that look like a notice or an advice (with `inside`, never as the
    last line), `surrogates` what UTF-8 cannot encode. Shrinks to "", or without `empty` to "1\\n".
    """
    nothing = "" if empty else "1\n"
    return st.tuples(pick(FORMS[endings]), _runs(imitations, surrogates)).map(
        lambda drawn: expand(*drawn, inside) or nothing
    )


class Sized(NamedTuple):
    """Equal lines of one letter; `last` is the width of the last line."""

    lines: int
    width: int
    letter: str = "x"
    last: int = 1

    def text(self) -> str:
        """The text, which prints as a multiplication."""
        return (self.letter * self.width + "\n") * (self.lines - 1) + self.letter * self.last + "\n"


_DEFAULT_SIZED = (
    *(Sized(lines, 1) for lines in (2000, 2001, 1999, 2002, 2500)),
    *(Sized(500, 99, "x", last) for last in (99, 100, 98, 199)),
    *(Sized(500, 49, "é", last) for last in (274, 275)),  # 50,000 and 50,002 bytes
    *(Sized(512, 99, "x", last) for last in (99, 100)),  # 51,200 is fifty times 1,024
    *(Sized(2000, 24, "x", last) for last in (24, 25)), Sized(2001, 24, "x", 24), Sized(600, 99, "x", 99),
)  # fmt: skip


def default_sized_texts() -> SearchStrategy[str]:
    """Texts round 2,000 lines and round 50,000 bytes. Shrinks to 2,000 lines of one letter."""
    return pick(_DEFAULT_SIZED).map(Sized.text)


# ---- budgets, offsets and limits ----------------------------------------------------------


class Budget(NamedTuple):
    """A recipe for both budgets: an anchor in the text and a step beside it, for each.

    Anchors: "fit" (just `k` lines fit), "next" (one more), "all" (the whole text), "line" (line
    `k` alone), "one" (1) and "free" (no bound).
    """

    lines: str
    lines_step: int
    bytes: str
    bytes_step: int = 0

    def of(self, sizes: Sequence[int], k: int) -> tuple[int, int]:
        """The budgets for a text whose lines have these sizes; both are at least 1."""
        fit, total = sum(sizes[:k]), sum(sizes)
        bytes_ = {
            "fit": fit, "next": fit + (sizes[k] if k < len(sizes) else 1), "all": total,
            "line": sizes[k - 1] if sizes else 1, "one": 1, "free": FREE,
        }[self.bytes]  # fmt: skip
        lines_ = {"fit": k, "all": len(sizes), "one": 1, "free": FREE}[self.lines]
        return max(1, lines_ + self.lines_step), max(1, bytes_ + self.bytes_step)


_BUDGETS = weighted(
    (4, Budget("fit", 0, "free")), (4, Budget("free", 0, "fit")), (4, Budget("free", 0, "fit", -1)),
    (1, Budget("free", 0, "fit", 1)), (3, Budget("free", 0, "next", -1)),
    (2, Budget("fit", 0, "fit")), (1, Budget("fit", 0, "fit", -1)), (1, Budget("fit", 0, "next")),
    (1, Budget("fit", 1, "fit")), (1, Budget("fit", 0, "next", -1)), (1, Budget("fit", -1, "fit")),
    (1, Budget("free", 0, "line")), (1, Budget("free", 0, "line", 1)), (1, Budget("all", -1, "free")),
    (1, Budget("free", 0, "all", -1)), (1, Budget("one", 0, "free")),
    (2, Budget("all", 0, "all")), (2, Budget("free", 0, "free")),
)  # fmt: skip
_ROOMY = weighted(
    (3, Budget("all", 0, "all")), (2, Budget("all", 0, "free")), (2, Budget("free", 0, "all")),
    (1, Budget("all", 1, "all", 1)), (1, Budget("free", 0, "free")),
)  # fmt: skip
_TIGHT = weighted(
    (4, Budget("free", 0, "line", -1)), (1, Budget("free", 0, "line", -2)), (1, Budget("one", 0, "line", -1)),
    (1, Budget("fit", 1, "line", -1)), (1, Budget("free", 0, "one")), (1, Budget("free", 0, "line", -7)),
)  # fmt: skip
_WHOLE = (Budget("free", 0, "free"),)
_BRIM = (*_TIGHT, *weighted((2, Budget("free", 0, "line")), (1, Budget("fit", 0, "line"))))
BUDGETS = {
    "edge": _BUDGETS, "fits": _ROOMY, "giant": _TIGHT, "brim": _BRIM, "free": _WHOLE,
    "mixed": _BUDGETS + len(_BUDGETS) // 2 * _WHOLE,
}  # fmt: skip
_SPOTS = tuple(range(12))


def budgets(*, kind: str = "edge") -> SearchStrategy[tuple[Budget, int]]:
    """Recipes for budgets, and the place in the text that they are about.

    `kind`: "edge" (round what fits), "fits" (the whole text fits, often just), "giant" (a line
    does not fit), "brim" (a line does not fit, or just so), "free" and "mixed" (edges and free).
    Shrinks to a budget of one line.
    """
    return st.tuples(pick(BUDGETS[kind]), pick(_SPOTS))


def spot(at: int, lines: int) -> int:
    """A line number: the `at`-th of a short text, in a long one that share of the way down."""
    if lines <= len(_SPOTS):
        return 1 + at % max(lines, 1)
    return 1 + at * (lines - 1) // (len(_SPOTS) - 1)


_STARTS = (*(0,) * 6, *_SPOTS[1:], -1, -1, -2)
_SOME = weighted(
    (2, (1,)), (2, (2,)), (1, (1, 2)), (1, (3, None)), (1, (None, 1)), (1, ("rest",)), (2, (3,)),
    (1, ("rest-1",)), (1, ("rest-1", 1)), (1, ("rest+1",)), (1, (5, 1)), (1, (1000,)), (1, (2, 1, None)),
)  # fmt: skip
LIMITS = {
    "none": ((None,),), "some": _SOME, "any": 6 * ((None,),) + _SOME,
    "large": (("rest",), (1000,), ("rest+1",), ("rest-1",), (5,), (100_000,)),
}  # fmt: skip


def offsets_and_limits(*, starts: Sequence[int] = _STARTS, limits: str = "any") -> SearchStrategy[Any]:
    """Where reading starts and how many lines each page asks for, as a recipe for `paged`.

    A start of 0 is the first line, other numbers from 0 are spots, -1 is the last line. `limits`
    is "none", "some", "large" or "any". Shrinks to reading from the first line.
    """
    return st.tuples(pick(starts), pick(LIMITS[limits]))


def _start_of(start: int, lines: int) -> int:
    return max(1, lines + 1 + start) if start < 0 else spot(start, lines)


def _limit_of(limit: Any, rest: int) -> int | None:
    """A limit in lines. In a long file a small one is raised, so that pages stay few."""
    if limit is None:
        return None
    lines: int = {"rest": rest, "rest-1": max(1, rest - 1), "rest+1": rest + 1}.get(limit, limit)
    return lines if rest <= 60 or lines > rest // 6 else rest // 6 + lines


# ---- scripts ------------------------------------------------------------------------------


def cuts(
    *, kind: str = "edge", endings: str = "any", texts: SearchStrategy[str] | None = None,
    closed: bool = False,
) -> SearchStrategy[Cut]:  # fmt: skip
    """A text to cut, with budgets round its own edges, as seen from its head or its tail.

    `closed` gives the last line an ending. Shrinks to an empty text and a budget of one line.
    """

    def build(drawn: tuple[str, tuple[Budget, int], bool]) -> Cut:
        text, (budget, at), from_tail = drawn
        if closed and text and not text.endswith("\n"):
            text += "\n"
        sizes = [size(line) for line in text.splitlines(keepends=True)]
        if from_tail:
            sizes.reverse()
        k = 1 if kind == "giant" else spot(at, len(sizes))
        return Cut(text, *budget.of(sizes, k))

    drawn_texts = text_files(endings=endings) if texts is None else texts
    return st.tuples(drawn_texts, budgets(kind=kind), st.booleans()).map(build)


def default_cuts() -> SearchStrategy[Cut]:
    """Texts that cross the default budgets, cut with the budgets left out. Shrinks to 2,000 lines."""
    return default_sized_texts().map(lambda text: Cut(text, None, None))


def paged(
    text: str, budget: tuple[Budget, int], where: tuple[int, Any], *, room: int | None = 0, start_at_giant: bool = False
) -> Paging:  # fmt: skip
    """The recipes worked out on a text. With `room`, each line fits with so many bytes to spare."""
    sizes = [size(line) for line in text.splitlines(keepends=True)] or [0]
    (recipe, at), (start_, limits_) = budget, where
    start = spot(at, len(sizes)) if start_at_giant else _start_of(start_, len(sizes))
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
    limits = tuple(_limit_of(limit, len(ahead)) for limit in limits_)
    return Paging(text, "a.txt", max_lines, max_bytes, start, limits)


def pagings(
    *, kind: str = "edge", endings: str = "any", imitations: bool = False, inside: bool = True,
    surrogates: bool = False, room: int | None = 0, starts: Sequence[int] = _STARTS,
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
    return st.tuples(
        texts, budgets(kind=kind), offsets_and_limits(starts=starts, limits=limits)
    ).map(build)


_PAST = (1, 2, 9, 1000, 1, 100_000, 1, 2, 0, -1, -3)


def pagings_past_the_end() -> SearchStrategy[Paging]:
    """A file, often empty, and an offset past its end or just before it.

    Shrinks to the empty file read from its start.
    """

    def build(drawn: tuple[str, int, Any]) -> Paging:
        text, past, limits = drawn
        lines = len(text.splitlines())
        start = 1 if not text and past % 2 else max(1, lines + past)
        limit = _limit_of(limits[0], 1)
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


def missing_file_desks(
    *, files: Sequence[int] = (0, 1, 2, 5), long: bool = False, budget: int | None = None
) -> SearchStrategy[Desk]:
    """A read of a file that is not there, beside some that are, with `long` names or odd ones.

    Shrinks to the first number of `files`.
    """

    def build(drawn: tuple[str, int, Any]) -> Desk:
        path, many, more = drawn
        there = [p for p in (dict.fromkeys((*PATHS, "b.txt", "nope/a.txt"))) if p != path]
        if long:
            there = [f"{number}{'x' * 100}" for number in range(many)]
        steps = (Use("read", {"path": path, **more}),)
        return Desk({p: "1\n" for p in there[:many]}, {}, steps, None, budget)

    paths = (*PATHS, "nope.txt", "no such/file.py", "a.tx", "b")
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
    lambda text: "",
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
            return Desk({path: text, "b.txt": "b\n"}, {}, (*first, Use("read", {"path": "b.txt"}), *first, write, read))
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
        if at < len(_SPOTS):
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
    places = (*_SPOTS, len(_SPOTS), *_SPOTS)
    return st.tuples(texts, budgets(), pick(places)).map(build)

