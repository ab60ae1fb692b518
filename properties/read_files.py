"""READ, the files: those that are not there or not text, and results that grow beyond the budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.contract import Harness
from properties.checks import check, fail, shown
from properties.kept import fixed_budgets
from properties.pages import SMALL, call_of, desk_of, file_lines, is_error, read, whole_lines
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from strategies import lines
from strategies.notices import numbers, take_notice
from strategies.readings import LONG_PATHS, byte_files, missing_file_desks, pagings
from strategies.script import Desk, Paging, Use

SHORT_LINE = 250  # bytes that a notice, an advice or a status line may have beside a path


def _missing(script: Desk, harness: Harness) -> tuple[str, str]:
    """The path that is not there, and the error that reading it gives."""
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    use = script.steps[0]
    assert isinstance(use, Use)
    path = use.arguments["path"]
    result, text = read(desk, path, use.arguments.get("offset"), use.arguments.get("limit"))
    check(is_error(result), f"reading {path!r}, which is not there, is no error; it gave back {shown(text)}")
    return path, text


@law(
    "READ-11", tier=COURSE, needs=("read",), source="lesson 4, errors the model can read",
    draws=missing_file_desks(),
    hint="A file that is not there is an error that repeats the path, so that a typing mistake shows.",
    examples=(Desk({"config.py": "PORT = 1\n"}, {}, (Use("read", {"path": "missing.py"}),)),),
)  # fmt: skip
def a_missing_file_is_named(script: Desk, harness: Harness) -> None:
    """Reading a file that is not there is an error that names the path.

    Catches an empty page, an ordinary result that only looks like an error, and paths that are
    changed before they are looked up.
    """
    path, text = _missing(script, harness)
    check(path in text or repr(path)[1:-1] in text, f"the error does not name {path!r}: {shown(text)}")


def _only_named(policies: Mapping[str, str]) -> str | None:
    """Why the error on a missing file need not say what is there, None if it has to."""
    alone = policies.get("missing-files") == "named"
    return "its error on a missing file names that file alone" if alone else None


@also(
    "READ-11", tier=PRINCIPLE, draws=missing_file_desks(files=(1, 2, 5, 7), long=True, budget=600),
    unless=_only_named,
)  # fmt: skip
def a_missing_file_names_what_is_there(script: Desk, harness: Harness) -> None:
    """The error on a missing file names something that is there, within the budget.

    Catches a dead end for the reader, and a listing without bound.
    """
    _, text = _missing(script, harness)
    check(any(name in text for name in script.files), f"the error names nothing that is there: {shown(text)}")
    size = lines.size(text)
    check(
        size <= 600,
        f"the error on a missing file has {size} bytes, budget 600, with {len(script.files)} files there",
    )


@law(
    "READ-16", tier=FIELD, needs=("read", "bytes"), draws=byte_files(), source="reports of strict decoding",
    hint="Decode with a replacement, or say in an error what the file is; never let the decoding error out.",
)  # fmt: skip
def survives_any_bytes(script: Desk, harness: Harness) -> None:
    """Any bytes give a page or a clear error: invalid UTF-8, NUL, byte order marks, UTF-16.

    Catches a decoding error that ends the run. The script writes a byte as the character of its number.
    """
    files: dict[str, str | bytes] = {path: text.encode("latin-1") for path, text in script.files.items()}
    desk = harness.desk(files, {}, script.max_lines, script.max_bytes)
    result, text = read(desk, "a.bin")
    check(not is_error(result) or text.strip(), "the error on a file that is not text says nothing")
    plain = script.files["a.bin"]
    if plain.isascii() and plain.replace("\n", "").isprintable():
        check(text.startswith(plain), f"a file of plain text is shown as {shown(text)}")
    check(not any("\ud800" <= c <= "\udfff" for c in text), f"the page cannot be sent: {shown(text)}")


@law(
    "READ-18", tier=PRINCIPLE, needs=("read",), source="lesson 6, never cut without saying so",
    draws=pagings(kind="free", surrogates=True, endings="plain", limits="none"),
    hint="A lone surrogate cannot be sent: say in which line it stands, rather than show another character.",
    examples=(Paging("1\n2\ud800\n", "a.txt", 9, 200),),
)  # fmt: skip
def what_cannot_be_encoded_is_named(script: Paging, harness: Harness) -> None:
    """A page whose text UTF-8 cannot encode is an error that says which line, or that very text.

    Catches replacement characters that nobody announced, and errors that name no place.
    """
    all_lines = file_lines(script, harness)
    result, text = read(desk_of(script, harness), script.path, script.start, None)
    rest = all_lines[script.start - 1 :]
    bad = [n for n, line in enumerate(rest, script.start) if any("\ud800" <= c <= "\udfff" for c in line)]
    call = call_of(script.start, None)
    if is_error(result):
        check(bad, f"{call} is an error: {shown(text)}")
        check(
            set(bad) & set(numbers(text)),
            f"{call} does not say that line {bad[0]} cannot be encoded: {shown(text)}",
        )
    else:
        body = take_notice(text)[0]
        check(
            whole_lines(body, rest) and "".join(rest).startswith(body),
            f"{call} shows other characters than the file has: {shown(body)}",
        )


@law(
    "READ-19", tier=FIELD, needs=("read",), source="reports of overflowing results",
    draws=pagings(room=None) | missing_file_desks(files=(0, 7, 5), long=True, budget=600)
    | missing_file_desks(files=(0, 2), budget=600, paths=LONG_PATHS),
    hint="A page and its notice are at most the budget and one short line; errors keep the budget, too.",
    examples=(
        SMALL, Desk({}, {}, (Use("read", {"path": "a" * 900}),), None, 600),
        Paging("some words\n" * 90, "a.txt", 20, 200, 91), Paging("x" * 900, "a.txt", 20, 200, 2),
    ),
)  # fmt: skip
def nothing_is_longer_than_budget_and_notice(script: Any, harness: Harness) -> None:
    """A page with its notice is at most one short line over the byte budget, and an error keeps the budget.

    Catches notices that repeat the file, and errors that list a whole folder.
    """
    if isinstance(script, Desk):
        path, text = _missing(script, harness)
        room = 50_000 if fixed_budgets(harness.policies) else 600
        size = lines.size(text)
        check(size <= room, f"an error has {size} bytes, budget {room}: {shown(text)}")
        ends = [end for name in (path, repr(path)[1:-1]) for end in (name[:20], name[-20:])]
        check(any(end in text for end in ends), f"the error names nothing of {shown(path)}: {shown(text)}")
        return
    result, text = read(desk_of(script, harness), script.path, script.start, script.limits[0])
    size, budget = lines.size(text), script.max_bytes or 50_000
    over = 0 if is_error(result) and budget >= SHORT_LINE else SHORT_LINE + len(script.path)
    if size > budget + over:
        fail(f"{call_of(script.start, script.limits[0])} gave back {size} bytes, budget {budget}")
