"""What is written, over which old files, and what a result of it may tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.draws import pick
from strategies.outputs import ENDINGS, joined
from strategies.script import Desk, Use

PATHS = (
    "a.txt", "A.TXT", "b.txt ", " b.txt", "my notes.txt", "src/a.py", "src/Deep/er/b.py", "日本/メモ.txt",
    "e\u0301.txt", "é.txt", "it's \"q\".txt", "no_extension", ".hidden", "a&b;c.txt", "/abs/a.txt",
    "two  spaces.md", "src/a.py.bak",
)  # fmt: skip
BYSTANDER = "keep.me"
WRITTEN = (
    "hello\n", "", "no newline", "a\r\nb\r\n", "\n", " ", "  padded  \n", "a\r\nb\nc", "\n\n\n", "a\n\n",
    "a\r\nb\n", "a\n\r\nb\n",
    "\ttab\n", "日本語 🚀\n", "e\u0301 é\n", "\ufeffbom\n", "old mac\r", "a\u2028b\x0cc\x85\n",
    "{'a': \"b\"}\\n", "x\r", "\r\n", "def f():\n    return 1\n", "%s {0} \\t $HOME\n", "None", "0",
    ("x" * 99 + "\n") * 450, "line\n" * 1900, "x" * 60_000, "long\n" * 3000, "trailing  \n",
)  # fmt: skip
OLD = ("old\n", "", "old old old\n" * 9, "hello\n", "x" * 2000)


class Plan(NamedTuple):
    """Which steps are taken: "r" reads the file, "w" and "v" write it, "o" writes another one."""

    steps: str
    old: bool


PLANS = (
    Plan("w", False), Plan("wr", False), Plan("w", True), Plan("wr", True), Plan("wvr", False),
    Plan("wrvr", False), Plan("wor", False), Plan("owr", True), Plan("rwr", True), Plan("rwrvr", True),
)  # fmt: skip
SECOND = ("again\n", "", "again\n" * 50, "no newline")


def write_desks(
    *, paths: Sequence[str] = PATHS, texts: Sequence[str] = WRITTEN, plans: Sequence[Plan] = PLANS
) -> SearchStrategy[Desk]:
    """A file that is written, over an old one or not, read before, read back.

    A file that nobody touches lies beside it. Shrinks to one write of "hello" to a.txt.
    """

    def build(drawn: tuple[Plan, str, str, str, str]) -> Desk:
        plan, path, text, second, old = drawn
        files = {BYSTANDER: "kept\n"} | ({path: old} if plan.old else {})
        does = {
            "r": Use("read", {"path": path}),
            "w": Use("write", {"path": path, "content": text}),
            "v": Use("write", {"path": path, "content": second}),
            "o": Use("write", {"path": f"{path}.other", "content": second}),
        }
        return Desk(files, {}, tuple(does[step] for step in plan.steps))

    return st.tuples(pick(plans), pick(paths), pick(texts), pick(SECOND), pick(OLD)).map(build)


# Lines that no sentence about a file would hold.
STRANGE = (
    "zqvorp = 41", "grumblefex()", "  vlixt indented", "ẞtraßqx", "日本語のログ", "qwyx\tqwyx",
    "xyzzyplugh", "жщфъ жщфъ", "zxqjk " * 40,
)  # fmt: skip
STRANGE_OLD = ("jabberwock()\nsnarkbojum()\n", "кхмщэюя\n" * 30)


def told_desks() -> SearchStrategy[Desk]:
    """A write of lines that give themselves away where a result repeats them.

    Shrinks to one write of one line to a.txt.
    """

    def build(drawn: tuple[list[str], tuple[str, bool], str, int]) -> Desk:
        words, ending, path, times = drawn
        return Desk(steps=(Use("write", {"path": path, "content": joined(words * times, ending)}),))

    words = st.lists(pick(STRANGE), min_size=1, max_size=4)
    return st.tuples(words, pick(ENDINGS), pick(PATHS), pick((1, 1, 30))).map(build)
