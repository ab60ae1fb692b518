"""What the harness's own tools are given: good and bad arguments, alone and in conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.draws import below, pick, weighted
from strategies.outputs import COMMAND
from strategies.script import ABSENT, Call, Conversation, Desk, Own, Prompt, Ran, Reply, Say, Use
from strategies.writing import STRANGE_OLD

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
    "config.py": "PORT = 9090\n", "big.log": "GET /orders/1 200 in 12 ms\n" * 400,
    "one_line.js": "x" * 20_000, "wide.txt": ("日本語" * 20 + "\n") * 100,
}  # fmt: skip
BILL_COMMANDS = {
    "make": Ran("ok\n"), "pytest": Ran("tests/test_cart.py PASSED\n" * 300 + "1 failed\n", 1),
    "cat wide.txt": Ran(("é" * 40 + "\r\n") * 200, -9),
}
BILLED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("read", {"path": path}) for path in BILL_FILES), ("read", {"path": "big.log", "offset": 300}),
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

    calls = st.lists(pick(BILLED), min_size=1, max_size=4)
    return st.tuples(calls, pick(BILL_BUDGETS), pick((1, 2)), pick((False, True))).map(build)


def shown_desks() -> SearchStrategy[Desk]:
    """Writes over old files, commands and reads, one to three of them.

    Shrinks to one write of one strange line to a.txt.
    """
    old = {"a.txt": STRANGE_OLD[0], "c.txt": STRANGE_OLD[1], "empty.txt": ""}
    commands = {
        "ok": Ran("ok\n"), "quiet": Ran(""), "fail": Ran("boom\n", 3), "killed": Ran("", -9),
        "long": Ran("ok\n" * 30 + "1 failed", 1), "noisy": Ran("ok\n" * 9 + "1 failed\n"),
    }  # fmt: skip
    steps = (
        Use("write", {"path": "a.txt", "content": "zqvorp = 41\n"}),
        Use("write", {"path": "new.txt", "content": "grumblefex()\n" * 3}),
        Use("write", {"path": "c.txt", "content": ""}), Use("read", {"path": "a.txt"}),
        *(Use("bash", {"command": command}) for command in commands),
        Use("read", {"path": "c.txt"}), Use("read", {"path": "empty.txt"}),
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
