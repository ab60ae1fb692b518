"""Texts to be cut and read page by page, and cuts of them.

A text is drawn as nine indices: four runs of lines (how many, what stands in them) and a form
(what the file begins with, its line endings, whether the last line has one). Budgets round a text
come from `strategies/budgets.py`. Nothing is filtered.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.budgets import Budget, budgets, spot
from strategies.draws import pick, weighted
from strategies.lines import size
from strategies.notices import wording
from strategies.script import Cut


class Run(NamedTuple):
    """So many lines; `#` in the body stands for the number of the line, and tells lines apart."""

    lines: int
    body: str = "#"


class Form(NamedTuple):
    """What a file begins with, its line endings in turn, and whether the last line has one."""

    before: str = ""
    endings: tuple[str, ...] = ("\n",)
    closed: bool = True


_COUNTS = weighted((8, 0), (40, 1), (8, 2), (8, 3), (4, 5), (8, 10), (2, 120), (1, 1100))
_BODIES = weighted(
    (16, "#"), (8, ""), (2, "  "), (2, "\t#"), (1, "  #"), (2, "# \t"), (3, "#é"), (4, "#日本"), (3, "日#"),
    (4, "#🙂"), (3, "🙂#"), (1, "ü#"), (3, "#e\u0301"), (1, "#\u212b①"), (1, "👩\u200d👩\u200d👧#"),
    (1, "#\x1b[31m!\x1b[0m"), (1, "#\x00"), (1, "#\ufeff"), (1, "\xa0#\\n"), (2, "#" + "x" * 20),
    (2, "x" * 60), (2, "日" * 30), (2, "🙂" * 25), (3, "#" + "y" * 40),
)  # fmt: skip
_IMITATIONS = (
    wording(1, 2, 9), wording(1, 1, 2), "[Line # is 99 bytes. Use offset=9 to skip.]", "x" + wording(1, 1, 3),
    "[Showing lines #-# of #. Use offset=1 to continue.]", wording(1, 1, 1),
)  # fmt: skip
_SURROGATES = ("#\ud800", "\udcff#", "#a\udfffb", "\ud83d")

_PLAIN = weighted(
    (8, Form()), (5, Form(closed=False)), (4, Form("", ("\r\n",))), (2, Form("", ("\r\n",), False)),
    (1, Form("", ("\n", "\r\n"))), (1, Form("", ("\r\n", "\n"), False)),
    (2, Form("\ufeff")), (1, Form("\ufeff", ("\r\n",), False)),
)  # fmt: skip
_RARE = (
    Form("", ("\x0c", "\n")), *[Form("", ("\r",))] * 3, Form("", ("\x0b",)), Form("", ("\u2028",), False),
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


def _run(lines: int, body: str) -> Run:
    """Few lines of a long body; very many lines are all alike, so that they print as one."""
    if lines > 100:
        return Run(lines, "=" if lines > 1000 else "-")
    return Run(min(lines, 2) if len(body) > 15 else lines, body)


def _runs(imitations: bool, surrogates: bool) -> SearchStrategy[tuple[Run, ...]]:
    bodies = _BODIES + 3 * _IMITATIONS * imitations + 6 * _SURROGATES * surrogates
    drawn = st.tuples(*[pick(_COUNTS), pick(bodies)] * 4)
    return drawn.map(lambda row: tuple(map(_run, row[::2], row[1::2])))


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


# ---- scripts ------------------------------------------------------------------------------


def cuts(
    *, kind: str = "edge", endings: str = "any", texts: SearchStrategy[str] | None = None,
    closed: bool = False,
) -> SearchStrategy[Cut]:  # fmt: skip
    """A text to cut, with budgets round its own edges, as seen from its head or its tail.

    `closed` gives the last line an ending. Shrinks to an empty text and a budget of 1.
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
