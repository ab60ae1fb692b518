"""What commands print, what is written, and what the harness's own tools are given.

Every script is a few indices into tables, put together in Python. Budgets are computed from
the drawn output's own edges, so that "just fits" and "just does not" come up all the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies import lines
from strategies.draws import below, pick, weighted
from strategies.script import ABSENT, Call, Conversation, Desk, Own, Prompt, Ran, Reply, Say, Use

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
    *weighted((6, 0), (3, 1)), 2, -9, 127, 255, 256, 1000, -1, 3, 130, 512, -15, 65536, 3221225477,
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


# ---- writing ------------------------------------------------------------------------------

PATHS = (
    "a.txt", "A.TXT", "b.txt ", " b.txt", "my notes.txt", "src/a.py", "src/Deep/er/b.py", "日本/メモ.txt",
    "e\u0301.txt", "é.txt", "it's \"q\".txt", "no_extension", ".hidden", "a&b;c.txt", "/abs/a.txt",
    "two  spaces.md", "src/a.py.bak",
)  # fmt: skip
BYSTANDER = "keep.me"
WRITTEN = (
    "hello\n", "", "no newline", "a\r\nb\r\n", "\n", " ", "  padded  \n", "a\r\nb\nc", "\n\n\n", "a\n\n",
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


# ---- arguments ----------------------------------------------------------------------------

TEXTS = {"read": ("path",), "write": ("path", "content"), "bash": ("command",)}
GOOD = {"path": "a.txt", "content": "new\n", "command": COMMAND}
NOT_TEXT: tuple[Any, ...] = (
    ABSENT, None, 1, 0, 1.5, 0.0, True, False, [], ["a.txt"], {}, {"a": "b"}, -3, [["a"]], 10**20,
)


def tool_arguments(*, values: Sequence[Any] = (*NOT_TEXT, "")) -> SearchStrategy[Desk]:
    """One call of read, write or bash in which one text argument is `values`' choice.

    Every other wrong call has a member more that nobody asked for. There are few such calls, so
    that a hundred draws are all of them. Shrinks to read without a path.
    """
    slots = [(tool, name) for tool, names in TEXTS.items() for name in names]

    def build(drawn: tuple[tuple[str, str], int]) -> Desk:
        (tool, name), row = drawn
        members = {**{n: GOOD[n] for n in TEXTS[tool]}, name: values[row]}
        given = {k: v for k, v in members.items() if v is not ABSENT}
        if row % 2 and values[row] != "":
            given["note"] = [1]
        # a file lies where a value made into a text would lead
        trap = "None" if values[row] is ABSENT else str(values[row])
        files = {"a.txt": "old\n", "": "nameless\n", trap: "trap\n"} if tool == "read" else {}
        commands = {COMMAND: Ran("ok\n"), "": Ran("nothing\n")} if tool == "bash" else {}
        return Desk(files, commands, (Use(tool, given),))

    return st.tuples(pick(slots), below(len(values))).map(build)


WHOLE: tuple[Any, ...] = (ABSENT, None, 1, 2, 3)
NOT_WHOLE: tuple[Any, ...] = (
    "2", "", "0", "two", 1.5, 2.0, 1.0, 0.0, [], [2], {}, {"n": 2}, " 3 ", "1e3", -1.5, "None", [1, 2],
    "-1",
)
NUMBERED = "alpha\nbravo\ncharlie\ndelta\n"


def number_arguments(
    *, good: Sequence[Any] = WHOLE, wrong: Sequence[Any] = NOT_WHOLE
) -> SearchStrategy[Desk]:
    """One read in which offset or limit is any of these, and the other one is good.

    Absent, null, whole numbers, and what is none of these. Shrinks to a read of a.txt with
    nothing else.
    """

    def build(drawn: tuple[Any, Any, tuple[str, str]]) -> Desk:
        value, beside, (name, other) = drawn
        given = {"path": "a.txt", name: value, other: beside}
        given = {k: v for k, v in given.items() if v is not ABSENT}
        return Desk({"a.txt": NUMBERED}, {}, (Use("read", given),))

    names = pick((("offset", "limit"), ("limit", "offset")))
    return st.tuples(pick((*good, *wrong)), pick((ABSENT, None, 2)), names).map(build)


# ---- the harness's own tools in a conversation --------------------------------------------

# Calls as a model may write them: what is absent, null, mistyped or unknown stays so.
WRITTEN_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("read", {"path": "a.txt"}), ("read", {"path": "a.txt", "offset": None, "limit": None}),
    ("read", {"path": "a.txt", "offset": 2}), ("read", {"limit": 1, "path": "a.txt", "offset": None}),
    ("read", {"path": "a.txt", "offset": "2"}), ("read", {"path": "a.txt", "offset": 2.0}),
    ("read", {"path": "a.txt", "limit": []}), ("read", {"path": 1, "offset": 9}), ("read", {}),
    ("read", {"path": "missing.txt"}), ("read", {"path": " a.txt ", "note": {"b": [1, None]}}),
    ("write", {"path": "b.txt", "content": "x\r\n"}), ("write", {"path": "b.txt", "content": ""}),
    ("write", {"content": 1, "path": "b.txt"}), ("write", {"path": "b.txt", "content": None}),
    ("write", {"path": " ./b.txt", "content": "e\u0301 \n", "mode": None}), ("write", {}),
    ("bash", {"command": COMMAND}), ("bash", {"command": "  Odd  command \n"}), ("bash", {}),
    ("bash", {"command": COMMAND, "timeout": None}), ("bash", {"command": None, "cwd": "/"}),
    ("bash", {"command": ["ls"]}),
)  # fmt: skip


def _replies(calls: Sequence[tuple[str, dict[str, Any]]], together: int) -> tuple[Reply, ...]:
    """Replies that make these calls, so many in each, and a closing one."""
    blocks = [Call(f"c{n}", name, dict(given)) for n, (name, given) in enumerate(calls, 1)]
    chunks = [blocks[at : at + together] for at in range(0, len(blocks), together)]
    return (*(Reply(tuple(chunk), "toolUse") for chunk in chunks), Reply((Say("Done."),)))


def own_conversations() -> SearchStrategy[Conversation]:
    """One to four calls of read, write and bash. Shrinks to one read of a.txt."""

    def build(drawn: tuple[list[tuple[str, dict[str, Any]]], int]) -> Conversation:
        return Conversation(
            (Prompt(replies=_replies(*drawn)),), (Own("read"), Own("write"), Own("bash")),
            files={"a.txt": NUMBERED}, commands={COMMAND: Ran("ok\n")},
        )  # fmt: skip

    calls = st.lists(pick(WRITTEN_CALLS), min_size=1, max_size=4)
    return st.tuples(calls, pick((1, 2, 4))).map(build)


# Files and commands that are far larger than a small budget.
BILL_FILES = {
    "config.py": "PORT = 9090\n", "big.log": "GET /orders/1 200 in 12 ms\n" * 800,
    "one_line.js": "x" * 20_000, "wide.txt": ("日本語" * 20 + "\n") * 100,
}  # fmt: skip
BILL_COMMANDS = {
    "make": Ran("ok\n"), "pytest": Ran("tests/test_cart.py PASSED\n" * 600 + "1 failed\n", 1),
    "cat wide.txt": Ran(("é" * 40 + "\r\n") * 200, -9),
}
BILLED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("read", {"path": path}) for path in BILL_FILES), ("read", {"path": "big.log", "offset": 600}),
    *(("bash", {"command": command}) for command in BILL_COMMANDS), ("read", {"path": "missing.txt"}),
    ("write", {"path": "part.py", "content": "print(1)\n" * 300}), ("read", {"path": "config.py"}),
)  # fmt: skip
BILL_BUDGETS = weighted((4, (20, 200)), (2, (None, 300)), (2, (5, None)), (1, (None, None)), (1, (1, 90)))


def bills() -> SearchStrategy[Conversation]:
    """Conversations that read, write and run things far over budget, under one or two prompts.

    Shrinks to one read of a small file at 20 lines and 200 bytes.
    """

    def build(drawn: tuple[list[tuple[str, dict[str, Any]]], Any, int, bool]) -> Conversation:
        calls, (max_lines, max_bytes), together, again = drawn
        halves = [calls[: len(calls) // 2], calls[len(calls) // 2 :]] if again else [calls]
        prompts = tuple(
            Prompt(f"Job {n}.", _replies(half, together)) for n, half in enumerate(halves, 1)
        )
        named = {str(value) for _, given in calls for value in given.values()}
        tools = (Own("read", max_lines, max_bytes), Own("write"), Own("bash", max_lines, max_bytes))
        return Conversation(
            prompts, tools, files={k: v for k, v in BILL_FILES.items() if k in named},
            commands={k: v for k, v in BILL_COMMANDS.items() if k in named},
        )  # fmt: skip

    calls = st.lists(pick(BILLED), min_size=1, max_size=5)
    return st.tuples(calls, pick(BILL_BUDGETS), pick((1, 2)), pick((False, True))).map(build)


def shown_desks() -> SearchStrategy[Desk]:
    """Writes over old files, commands and reads, one to three of them.

    Shrinks to one write of one strange line to a.txt.
    """
    old = {"a.txt": STRANGE_OLD[0], "c.txt": STRANGE_OLD[1]}
    commands = {
        "ok": Ran("ok\n"), "quiet": Ran(""), "fail": Ran("boom\n", 3), "killed": Ran("", -9),
        "long": Ran("ok\n" * 30 + "1 failed", 1), "noisy": Ran("ok\n" * 9 + "1 failed\n"),
    }  # fmt: skip
    steps = (
        Use("write", {"path": "a.txt", "content": "zqvorp = 41\n"}),
        Use("write", {"path": "new.txt", "content": "grumblefex()\n" * 3}),
        Use("write", {"path": "c.txt", "content": ""}), Use("read", {"path": "a.txt"}),
        *(Use("bash", {"command": command}) for command in commands),
        Use("read", {"path": "c.txt"}),
    )  # fmt: skip

    def build(drawn: tuple[list[Use], tuple[int | None, int | None]]) -> Desk:
        named = {value for use in drawn[0] for value in use.arguments.values()}
        files = {path: text for path, text in old.items() if path in named}
        used = {command: ran for command, ran in commands.items() if command in named}
        return Desk(files, used, tuple(drawn[0]), *drawn[1])

    budgets = pick(((None, None), (12, 400), (5, None)))
    return st.tuples(st.lists(pick(steps), min_size=1, max_size=3), budgets).map(build)


USAGES = (
    {"input": 1, "output": 2}, {"input": 0, "output": 0}, {"input": 15, "output": 15}, {"input": 7}, None,
)  # fmt: skip


def usage_conversations() -> SearchStrategy[Conversation]:
    """Replies that say what they used, or do not. Shrinks to one reply that used 1 and 2."""

    def build(used: list[dict[str, int] | None]) -> Conversation:
        calls = [Reply((Call(f"c{n}"),), "toolUse", usage=u) for n, u in enumerate(used[:-1], 1)]
        return Conversation((Prompt(replies=(*calls, Reply((Say("Done."),), usage=used[-1]))),))

    return st.lists(pick(USAGES), min_size=1, max_size=5).map(build)


# Blocks of one message, for the helpers: text, calls, and types nobody has heard of.
BLOCKS: tuple[dict[str, Any], ...] = (
    {"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "text", "text": ""},
    {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}},
    {"type": "text", "text": " "}, {"type": "text", "text": "line\n"}, {"type": "text", "text": " 日本🚀 "},
    {"type": "toolCall", "id": "c2", "name": "read", "arguments": {"path": "a.txt", "text": "no"}},
    {"type": "thinking", "thinking": "hm"}, {"type": "note", "text": "not said"},
    {"type": "toolCall", "id": "c1", "name": "echo", "arguments": {}, "text": "beside"},
    {"type": "tool_call", "id": "c9", "name": "echo", "arguments": {}}, {"type": "Text", "text": "no"},
)  # fmt: skip
SAID = ("a", "", " ", "  padded \n", "two\nlines", "日本語 🚀", "e\u0301", "error", "x" * 3000, "{0} %s")


def helper_messages() -> SearchStrategy[Conversation]:
    """One assistant message of up to six blocks, as history, and a text, as the prompt.

    Shrinks to a message without blocks and the text "a".
    """

    def build(drawn: tuple[list[dict[str, Any]], str]) -> Conversation:
        message = {"role": "assistant", "content": [dict(b) for b in drawn[0]], "stop_reason": "stop"}
        return Conversation((Prompt(drawn[1], ()),), (), history=(message,))

    return st.tuples(st.lists(pick(BLOCKS), max_size=6), pick(SAID)).map(build)
