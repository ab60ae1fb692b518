"""What commands print and what becomes of it.

Every script is a few indices into tables, put together in Python. Budgets are computed from
the drawn output's own edges, so that "just fits" and "just does not" come up all the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies import lines
from strategies.draws import pick, weighted
from strategies.script import Desk, Ran, Use

COMMAND = "run"

# Lines of output, without their endings: simplest first, sizes in bytes and characters apart,
# white space at both ends. None imitates a notice or a status line.
LINES = (
    "a", "", "ok", "é", "  indented", "日本", "padded  ", "\ttab", "🚀", "x" * 40, "1 failed", " ",
    "Größe: 3 µm", "FAILED tests/test_cart.py::test_total", "===== FAILURES =====", "ж" * 20,
)  # fmt: skip
# The ending of every line, and whether the last line has one.
ENDINGS = weighted(
    (4, ("\n", True)), (2, ("\n", False)), (2, ("\r\n", True)), (1, ("\r\n", False))
)
CODES = (
    *weighted((12, 0), (3, 1)), 2, -9, 127, 255, 256, 1000, -1, 3, 130, 512, -15, 65536, 3221225477,
    -1073741819,
)  # fmt: skip

# Output at the edges of the default budgets of 2,000 lines and 50,000 bytes.
BIG = (
    "a\n" * 1999 + "1 failed\n",
    "a\n" * 3000 + "1 failed",
    ("x" * 99 + "\n") * 500,
    ("é" * 49 + "x\n") * 600 + "1 failed\n",
    ("x" * 98 + "\r\n") * 501,
    ("x" * 4999 + "\n") * 11 + "1 failed\n",
)


class Budget(NamedTuple):
    """How the budgets are found: `kind`, an edge `at` so many lines from the end, and a step."""

    kind: str
    at: int = 1
    step: int = 0


BUDGETS = weighted(
    (9, Budget("defaults")),
    (1, Budget("lines", 1)), (1, Budget("lines", 2)), (1, Budget("lines", 3)), (1, Budget("lines", 4)),
    (2, Budget("lines", 0, -1)), (2, Budget("lines", 0, 0)), (1, Budget("lines", 0, 1)),
    *((1, Budget("bytes", at, step)) for at in (1, 2, 3, 4) for step in (0, -1, 1)),
    (3, Budget("bytes", 0, 0)), (2, Budget("bytes", 0, -1)), (1, Budget("bytes", 0, 1)),
    (1, Budget("bytes", 9)),
    *((1, Budget("both", at, step)) for at in (1, 2, 3) for step in (0, -1, 1)),
    (2, Budget("both", 0, 0)), (1, Budget("both", 0, -1)),
    *((2, Budget("big", row)) for row in range(len(BIG))),
)  # fmt: skip


def joined(words: Sequence[str], ending: tuple[str, bool]) -> str:
    """These lines as one text."""
    newline, closed = ending
    return newline.join(words) + (newline if closed and words else "")


def budgets_of(output: str, rule: Budget) -> tuple[int | None, int | None]:
    """max_lines and max_bytes for this output, each at least 1; None leaves it at its default."""
    if rule.kind in ("defaults", "big"):
        return None, None
    split = lines.split(output)
    at = min(rule.at or len(split), len(split)) if rule.at < 9 else 0
    edge = lines.size("".join(split[len(split) - at :]))
    in_lines = max(1, at + (rule.step if rule.kind == "lines" else 0))
    in_bytes = max(1, edge + rule.step)
    return in_lines if rule.kind != "bytes" else None, in_bytes if rule.kind != "lines" else None


def _desk(drawn: tuple[list[str], tuple[str, bool], Budget, int]) -> Desk:
    words, ending, rule, code = drawn
    output = BIG[rule.at] if rule.kind == "big" else joined(words, ending)
    max_lines, max_bytes = budgets_of(output, rule)
    return one_command(output, code, max_lines, max_bytes)


def one_command(
    output: str, code: int = 0, max_lines: int | None = None, max_bytes: int | None = None
) -> Desk:
    """A desk on which one command is run, which prints this."""
    use = Use("bash", {"command": COMMAND})
    return Desk({}, {COMMAND: Ran(output, code)}, (use,), max_lines, max_bytes)


def command_outputs(
    *, words: Sequence[str] = LINES, endings: Sequence[tuple[str, bool]] = ENDINGS, max_lines: int = 6
) -> SearchStrategy[str]:
    """What a command prints: a few lines. Shrinks to nothing, then to one line "a"."""
    return st.tuples(st.lists(pick(words), max_size=max_lines), pick(endings)).map(
        lambda drawn: joined(*drawn)
    )


def bash_desks(
    *, words: Sequence[str] = LINES, endings: Sequence[tuple[str, bool]] = ENDINGS,
    budgets: Sequence[Budget] = BUDGETS, codes: Sequence[int] = CODES, max_lines: int = 6,
) -> SearchStrategy[Desk]:  # fmt: skip
    """One command that prints some lines and exits with a code, and budgets at its edges.

    Shrinks to a command that prints nothing and exits with 0, at the default budgets.
    """
    output = st.lists(pick(words), max_size=max_lines)
    return st.tuples(output, pick(endings), pick(budgets), pick(codes)).map(_desk)


# Lines that harnesses break differently: only where the harness's own line model is asked.
RARE_LINES = ("a", "b\x0cc", "d\x0be", "f\x85g", "h\u2028i", "j\u2029", "k\x1cl", "m\rn", "ok", "")


def giant_desks() -> SearchStrategy[Desk]:
    """Output whose last line alone is over the byte budget.

    Shrinks to one short line of "x" at a budget of 50 bytes that it exceeds by one.
    """

    def build(drawn: tuple[int | None, int, str, int, str, int]) -> Desk:
        budget, over, fill, before, end, code = drawn
        room = budget or 50_000
        last = fill * ((room + over) // lines.size(fill) + 1)
        return one_command("ok\n" * before + last + end, code, None, budget)

    rows = (pick((50, 200, None)), pick((0, 1, 150_000)), pick(("x", "é", "日", "🚀", "x y")))
    return st.tuples(*rows, pick((0, 1, 3)), pick(("", "\n")), pick(CODES)).map(build)


ODD_PIECES = (
    "a\n", "\x1b[31mred\x1b[0m\n", "10%\r20%\r30%\r", "nul \x00 here\n", "lone \ud800 high\n",
    "caf\udce9\n", "\ufeffbom\n", "form\x0cfeed\n", "u\u2028v\n", "\r", "bell\x07\b\b\n", "\x1b[2K",
    "half a line", "\udfff", "x" * 3000 + "\n", "\r\n", "\x1b]0;title\x07", "日本\x85\n",
)  # fmt: skip
VERDICTS = ("1 failed", "FAILED: 3 of 9", "Killed")


def odd_desks() -> SearchStrategy[Desk]:
    """Output of any characters that ends with a plain line, at budgets which that line fits.

    Shrinks to the line "1 failed" and exit code 0.
    """

    def build(drawn: tuple[list[str], str, str, int, tuple[int | None, int | None]]) -> Desk:
        pieces, verdict, end, code, budget = drawn
        body = "".join(pieces)
        if body and body[-1] not in "\n\r":
            body += "\n"
        return one_command(body + verdict + end, code, *budget)

    budgets = pick(((None, None), (2, None), (None, 40), (1, 20)))
    pieces = st.lists(pick(ODD_PIECES), max_size=5)
    return st.tuples(pieces, pick(VERDICTS), pick(("\n", "")), pick(CODES), budgets).map(build)


# Command lines that a tidy mind would tidy: case, spacing, quotes, line breaks, odd letters.
COMMANDS = (
    "ls", " ls", "ls ", "ls\n", "\tls", "LS -la", "echo 'a  b'", 'echo "q"', "a\nb", "a\r\nb\r\n",
    "ls  -l   .", "echo $HOME && ls | wc -l", "printf 'a\\nb'", "cat <<EOF\nx\nEOF\n", "echo é",
    "echo e\u0301", "日本 🚀", "# comment", "echo `date` $(pwd)", "a;b", "a;", "'", "echo \\", "\u00a0ls",
    "echo " + "x" * 3000, "make -j4 2>&1", "{}", "%s %d {0}", "cd .. ", "python -c 'print(1)'",
)  # fmt: skip


def command_desks() -> SearchStrategy[Desk]:
    """One to four command lines, repeats and failing ones among them. Shrinks to one "ls"."""

    def build(drawn: tuple[list[str], int]) -> Desk:
        chosen, code = drawn
        printed = {command: Ran("ok\n", code) for command in chosen}
        return Desk({}, printed, tuple(Use("bash", {"command": c}) for c in chosen))

    lists = st.lists(pick(COMMANDS), min_size=1, max_size=4)
    return st.tuples(lists, pick((0, 1, 127, -9))).map(build)
