"""WRITE, what is on disk afterwards, and how little has to be said about it."""

from __future__ import annotations

import json
from typing import Any
from unicodedata import normalize

from properties.checks import Violation, check, equal, shown
from properties.command_output import MAX_BYTES, MAX_LINES, said
from properties.pages import as_read
from properties.registry import COURSE, law
from strategies import lines
from strategies.script import Desk, Use
from strategies.writing import told_desks, write_desks

SHORT = 130  # characters that a sentence about one write may take besides the path
# Texts that a tidy mind would tidy, or cut.
TIDIED = (
    " ", "\n", "a\n\n\n", "a \n", "\ufeffa\n", "\r", "a\r\nb\n", "a\u2028b\u2029c\x85d\x0b\x0c\x1c\n",
    "x" * 60_000, "line\n" * 3000,
)  # fmt: skip


@law(
    "WRITE-01", tier=COURSE, needs=("write", "read"), draws=write_desks(), examples=(
        Desk({}, {}, (Use("write", {"path": "a.txt", "content": "e\u0301 \u212b \ufb01\n"}),)),
        Desk({"a.txt": "old\n"}, {}, (Use("write", {"path": "a.txt", "content": " 1\t\r\n\x00\ufeff2 "}),)),
        *(Desk({}, {}, (Use("write", {"path": "a.txt", "content": text}),)) for text in TIDIED),
    ),
    source="lesson 6, the write tool", after=("READ-14",),
    hint="Hand path and content to the workspace exactly as they came: no trimming, no other line endings, "
    "no final newline; and read from the workspace each time, not from memory.",
)  # fmt: skip
def what_is_written_is_there(script: Desk, harness: Any) -> None:
    """After write the workspace holds exactly that text under exactly that path, and read gives it back.

    Catches texts that are tidied or appended, paths that are normalised, and stale caches.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    wanted: dict[str, str] = dict(script.files)
    for number, use in enumerate(script.steps, 1):
        assert isinstance(use, Use)
        result, path, where = desk.use(use.tool, use.arguments), use.arguments["path"], f"call {number}"
        if result.is_error and use.arguments.get("content") == "":
            return  # TOOL-14 says so
        if use.tool == "write":
            wanted[path] = use.arguments["content"]
            _same_files(desk.place.files, wanted, path, result, where)
        elif path in wanted and _fits(wanted[path]):
            _read_back(result, as_read(wanted[path], harness), path, where)


def _read_back(result: Any, wanted: str, path: str, where: str) -> None:
    if result.is_error:
        owner = "READ-01" if wanted else "READ-07"
        raise Violation(f"reading {path!r} back is an error: {shown(result.content)}", where, owner)
    if result.content != wanted:
        found = f"{shown(result.content)}, not {shown(wanted)}"
        raise Violation(f"{path!r} read back is {found}", where, "READ-01")


def _same_files(
    found: dict[str, Any], wanted: dict[str, str], path: str, result: Any, where: str
) -> None:
    told = f"write gave the error {shown(result.content)}, and " if result.is_error else ""
    if path not in found:
        said = f"{told}after a write to {path!a} there is no such file, only {sorted(found)!a}"
        raise Violation(said, where)
    now, then = found[path], wanted[path]
    if isinstance(now, str) and now != then and normalize("NFC", now) == normalize("NFC", then):
        raise Violation(f"after a write, the text of {path!r} is normalised: {now!a}, not {then!a}", where)
    equal(now, then, f"{told}after a write, the text of {path!r}", where)
    other = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
    check(not other, f"a write to {path!r} changed {other}, too", where)


def _fits(text: str) -> bool:
    """One page at the default budgets, whatever counts as a line."""
    return len(text.splitlines()) <= MAX_LINES and lines.size(text) <= MAX_BYTES


@law(
    "WRITE-02", tier=COURSE, needs=("write",), draws=told_desks(), source="lesson 6, one call, two audiences",
    hint="The model knows what it wrote: one short sentence that names the path is enough, every word more "
    "is paid for on every later turn.",
)  # fmt: skip
def a_write_is_told_shortly(script: Desk, harness: Any) -> None:
    """The result of write is short, names the path and does not repeat the content.

    Catches results that carry the content, a diff or a preview, and results that say nothing.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    use = script.steps[0]
    assert isinstance(use, Use)
    path, content = use.arguments["path"], use.arguments["content"]
    result = desk.use("write", use.arguments)
    text = said(result, "write")
    if result.is_error:
        raise Violation(f"writing {path!r} is an error: {shown(text)}", owner="WRITE-01")
    check(named(path, text), f"the result of write does not name {path!r}: {shown(text)}")
    again = repeated(content, text, path)
    check(not again, f"the result of write repeats the content, {again}: {shown(text)}")
    most = SHORT + 2 * len(path)
    check(len(text) <= most, f"the result of write has {len(text)} characters, for {path!r}: {shown(text)}")


def named(path: str, text: str) -> bool:
    """The text names the path: as it is, or quoted in one of the usual ways."""
    return any(p in text for p in (path, repr(path)[1:-1], json.dumps(path)[1:-1], ascii(path)[1:-1]))


def repeated(content: str, text: str, path: str = "") -> str:
    """A piece of a line of `content` that stands in `text` outside the path; "" if there is none."""
    rest = text.replace(path, " ") if path else text
    pieces = [p for line in content.splitlines() for p in (line.strip()[:6], line.strip()[-6:])]
    return next((shown(p) for p in pieces if len(p) >= 5 and p in rest), "")
