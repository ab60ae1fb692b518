"""The tables that scripts are drawn from, simplest row first: draws are indices into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strategies.draws import weighted
from strategies.script import (
    Behaviour,
    Changes,
    Gives,
    Interrupts,
    Raises,
    Returns,
    Tool,
)  # fmt: skip

# Stop labels of replies that did not fail: what providers send, what nobody has heard of,
# words that look like the failure and are not, an empty text, and null.
LABELS: tuple[Any, ...] = weighted(
    (3, "stop"), (2, "toolUse"), (2, "length"), *((1, label) for label in (
        "end_turn", "tool_use", "max_tokens", "content_filter", "", None, "STOP", "tool_calls", "unknown",
        "Error", "errors", "aborted", "done",
    )),
)  # fmt: skip

# Short words that stand before, between and after calls; blank text is text, too.
WORDS = ("ok", "Let me look.", "All done!", "", " ", "\n", "naïve café", "日本語 🚀", "a\r\nb", "[c1]")

# Where text stands in a reply that holds calls, and which: bits for before (1), between (2),
# after (4) the calls, and for a block of an unknown type in front (8).
PATTERNS: tuple[tuple[int, str], ...] = (
    (0, "ok"), *((1, word) for word in WORDS), *((bits, WORDS[bits % 7]) for bits in range(2, 16)),
)  # fmt: skip

PROMPTS = (
    "Go.", "Find the bug.", "", " ", "\n\n", "  padded  ", "two\nlines\n", "naïve 日本語 🚀",
    "Go.", "tab\tand\r\nCRLF", "x" * 5000, "error", "/help", "{}",
)  # fmt: skip

SYSTEMS = (
    "You are a careful assistant.", "", "Be brief.", " padded \n", "Two\nlines.", "naïve 日本語 🚀",
    "x" * 3000, "You are a helpful assistant. Answer in JSON.",
)  # fmt: skip

# Arguments as objects: absent members, null, nesting, and things a harness may be tempted to
# normalise. `text` is what the scripted tools ask for.
ARGUMENTS: tuple[dict[str, Any], ...] = (
    {}, {"text": "a"}, {"text": "b"}, {"text": ""}, {"text": " a "}, {"n": 1}, {"text": None},
    {"n": 1.5, "on": True}, {"a": {"b": [1, {"c": None}]}}, {"list": [3, 1, 2], "text": "日本🚀"},
    {"path": "a.txt", "offset": 999_999_999}, {"id": "c1", "name": "echo"}, {"": ""},
    {"text": "x" * 400}, {"b": 2, "a": 1}, {"text": '{"a": 1}'},
)  # fmt: skip

# Objects with wrong members, for a tool that reads `text`.
WRONG_OBJECTS: tuple[Any, ...] = ({}, {"text": None}, {"text": 3}, {"test": "a"}, {"text": ["a"]})
# What stands where an object should be (TOOL-01 alone in the course tier).
WRONG_ARGUMENTS: tuple[Any, ...] = (None, [], "text", ["text"], '{"text": "a"}')

TOOLS = (
    Tool(),
    Tool("add", "Add numbers.", {"type": "object", "properties": {"n": {"type": "number"}}}),
    Tool("Echo", "", {"type": "object", "properties": {}}, {"timeout": 30}),
    Tool(
        "look_up", "Look a thing up. 日本語",
        {"type": "object", "properties": {"a": {"type": "object"}}, "required": []},
        {"cache": {"a": [1]}, "secret": "never sent"},
    ),
    Tool("noop", "Does nothing.", {"type": "object", "properties": {}, "required": []}),
)  # fmt: skip
TOOLSETS = tuple(
    tuple(TOOLS[i] for i in row) for row in ((0,), (0, 1), (1, 0), (0, 2), (3, 0, 1), (4, 3, 2, 1, 0))
)

# Names that no scripted tool has; matching is exact.
UNKNOWN = ("nope", "echo ", "ECHO", "ech", "", "read_file", "日本", "run agent")

# Names that no tool has and every object: of what a loop may look its tools up in.
INHERITED = ("constructor", "__proto__", "toString", "__class__", "get", "__init__")

RESULTS = (
    "ok", "", " ", "\n", "  padded at both ends  ", "two lines\nof some length\n", "a\r\nb\r\n", "日本語 🚀",
    "error: none", "Error", "x" * 3000, "\tTabbed", '{"a": 1, "b": [null, "c"]}', "[]", "None",
    "no newline at the end", "Error: none", "Failed: 0 of 7 checks",
)  # fmt: skip
LONG_RESULTS = ("x" * 60_000, "line\n" * 3000, "é" * 40_000)

# Exceptions with readable text, by name; `adapters/child/live.py` makes the live ones.
EXCEPTIONS = (
    "ValueError", "KeyError", "TypeError", "RuntimeError", "FileNotFoundError", "OSError",
    "Exception", "Failure", "TimeoutError", "ZeroDivisionError", "StopIteration",
    "AssertionError", "PermissionError", "NotImplementedError", "RecursionError", "LookupError",
    "UnicodeDecodeError", "AttributeError", "MemoryError", "EOFError", "StopAsyncIteration",
)  # fmt: skip
ERROR_TEXTS = ("boom", "bad zip", "no such row: 7", "two\nlines", "日本語 🚀", "x" * 300, "100% {sure}")

INTERRUPTS = ("KeyboardInterrupt", "SystemExit")
PROVIDER_ERRORS = (
    "ConnectionError", "TimeoutError", "ValueError", "RuntimeError", "KeyError", "OSError",
    "Exception", "Failure",
)  # fmt: skip

ODD_VALUES = (
    "None", "True", "False", "int", "float", "bytes", "list", "dict", "nested", "set", "cycle",
    "object", "surrogate",
)  # fmt: skip

# Behaviours of one call, simplest first. None gives each call a result text of its own, so
# that swapped and doubled results show.
WELL_BEHAVED: tuple[Behaviour | None, ...] = (None, *map(Returns, RESULTS))
FAILING = tuple(
    Raises(kind, ERROR_TEXTS[i % len(ERROR_TEXTS)]) for i, kind in enumerate(EXCEPTIONS)
)
MIXED: tuple[Behaviour | None, ...] = (None, *FAILING[:12], *map(Returns, RESULTS[:6]))
INTERRUPTING = tuple(Interrupts(kind) for kind in INTERRUPTS)
TEXTLESS = (Raises("NoText", ""), Raises("BrokenText", ""), Raises("ValueError", ""), Raises("Failure", " "))
MISBEHAVING = (*(Gives(kind) for kind in ODD_VALUES), Changes("ok"))

EXOTIC = (
    "a\r\nb\r\n", "a\x00b", "a\u2028b\u2029c\x85d", "\x1b[31mred\x1b[0m", "\ufeffbom", "👩‍👩‍👧‍👦", "e\u0301",
    "a\x0cb\x0bc", "progress\rdone", "\x1c\x1d\x1e", "\u202eabc", "\ufffd", '{"a": "\\u0041"}', "\\ud83d",
)  # fmt: skip
# Argument strings that are no JSON object, and replies cut off in the middle of one.
UNPARSED = (
    "{bad", "", "null", "[1]", '"text"', '{"a": 1', "{'a': 1}", '{"a": 1}{"b": 2}', "NaN", "{\"a\": }",
    "[" * 3000, "true",
)  # fmt: skip
CUT_SHORT = ('{"a":', '{"text": "all of', "{", '{"text": "a"', "")

USAGES: tuple[dict[str, int], ...] = (
    {"input": 3, "output": 5}, {"input": 0, "output": 0}, {"input": 100, "output": 1},
)  # fmt: skip
# error_message of replies; what it says never decides whether a reply failed.
ERRORS = ("", "overloaded", "429 rate limit")

# What else a reply carries, as (error_message, usage, times): mostly nothing, once. Runs of one
# reply go past the defaults of every known loop detector and most caps.
Extra = tuple[str | None, dict[str, int] | None, int]
TIMES: tuple[Extra, ...] = tuple((None, None, times) for times in (2, 3, 7, 12, 27))
EXTRAS: tuple[Extra, ...] = weighted(
    (30, (None, None, 1)), *[(2, (error, None, 1)) for error in ERRORS],
    *[(1, (None, usage, 1)) for usage in USAGES], *[(1, row) for row in TIMES],
)  # fmt: skip
ONCE: tuple[Extra, ...] = tuple(row for row in EXTRAS if row[2] == 1)


def kinds(
    behaviours: Sequence[Behaviour | None], arguments: Sequence[Any] = ARGUMENTS
) -> tuple[tuple[Any, Behaviour | None], ...]:
    """Calls as (arguments, behaviour): each argument with a plain result, each behaviour once."""
    first = behaviours[0]
    plain = [(given, first) for given in arguments]
    return (*plain, *((arguments[i % 2], does) for i, does in enumerate(behaviours[1:])))
