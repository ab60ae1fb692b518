"""READ, the edges: giant lines, offsets and limits out of range, files that are not there or not text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.contract import Harness
from properties.checks import check, equal, fail, shown
from properties.cut import fixed_budgets
from properties.read_pages import (
    SMALL,
    call_of,
    desk_of,
    file_lines,
    giants,
    is_error,
    own_wording,
    read,
    unix,
    whole_lines,
)  # fmt: skip
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from strategies import lines
from strategies.notices import advised_offset, numbers, take_notice
from strategies.paging import offered
from strategies.readings import (
    LONG_PATHS,
    byte_files,
    missing_file_desks,
    pagings,
    pagings_below_one,
    pagings_past_the_end,
)  # fmt: skip
from strategies.script import Desk, Paging, Use

SHORT_LINE = 250  # bytes that a notice, an advice or a status line may have beside a path


def _content_of(line: str) -> str:
    return line.splitlines()[0] if line.splitlines() else ""


def _advice(script: Paging, harness: Harness) -> tuple[list[str], str, str] | None:
    """All lines, the call and the advice of a read that starts at a giant; None if it does not."""
    all_lines, limit = file_lines(script, harness), script.limits[0]
    first = None if script.start == 1 and limit is None else script.start
    result, text = read(desk_of(script, harness), script.path, first, limit)
    if script.start not in giants(script, all_lines, harness):
        line = all_lines[script.start - 1]
        fits = f"its first line has {lines.size(line)} bytes and the budget is {script.max_bytes}"
        shows = text.startswith(line.rstrip("\r\n"))
        check(shows, f"{call_of(first, limit)} gave back {shown(text)} where a line fits: {fits}")
        return None
    call = f"{call_of(first, limit)}, whose first line is over {script.max_bytes or 50_000} bytes,"
    check(not is_error(result), f"{call} is an error instead of an advice: {shown(text)}")
    return all_lines, call, text


_AT_GIANTS = pagings(kind="brim", room=None, endings="plain", start_at_giant=True)


@law(
    "READ-05", tier=COURSE, needs=("read",), source="lesson 6, statement 10", draws=_AT_GIANTS,
    unless=own_wording,
    hint="One line in brackets: which line it is, its size in bytes, and the next offset if a line follows.",
    after=("CUT-01", "CUT-04", "CUT-07", "READ-07"),
    examples=(
        Paging("x" * 60, "a.txt", 20, 40), Paging("1\n" + "日" * 30 + "\n3\n", "a.txt", 9, 89, 2),
        Paging("x" * 200_000, "min.js", None, None), Paging("1\n" + "x" * 60, "a.txt", 9, 59, 2, (5,)),
    ),
)  # fmt: skip
def a_giant_line_gives_an_advice(script: Paging, harness: Harness) -> None:
    """A first wanted line over the budget, and only that, gives one bracketed line: which, how big, how on.

    Catches half a line shown, a giant passed over, a size in characters, and a line that just
    fits taken for a giant.
    """
    found = _advice(script, harness)
    if not found:
        return
    all_lines, call, text = found
    line, advice, named = all_lines[script.start - 1], text.strip(), numbers(text)
    one_line = advice.startswith("[") and advice.endswith("]") and len(advice.splitlines()) == 1
    check(one_line, f"{call} gave back {shown(text)} instead of one line in brackets")
    check(script.start in named, f"{call} does not say that it is line {script.start}: {shown(text)}")
    bare = lines.size(_content_of(line))
    sizes = range(bare, lines.size(line) + 1)
    check(set(sizes) & set(named), f"{call} does not say that the line has {bare} bytes: {shown(text)}")
    parts = [part for part in ("xxx", "yyy", "日日", "🙂🙂") if part in line and part in text]
    check(not parts, f"{call} shows a part of the line, {shown(parts)}: {shown(text)}")
    following = script.start + 1 if script.start < len(all_lines) else None
    if following:
        equal(advised_offset(text), following, f"the offset that the advice of {call} names")
    else:
        skip = f"offset={script.start + 1}"
        check(skip not in text.replace(" ", ""), f"{call} is about the last line, but offers {skip}")


@also("READ-05", tier=PRINCIPLE, draws=_AT_GIANTS, unless=own_wording)
def the_advice_names_the_budget(script: Paging, harness: Harness) -> None:
    """The advice on a line over the budget names that budget.

    Catches an advice that leaves the reader guessing what would have fitted.
    """
    found = _advice(script, harness)
    if found:
        _, call, text = found
        check(
            (script.max_bytes or 50_000) in numbers(text), f"{call} does not name that budget: {shown(text)}"
        )


@law(
    "READ-07", tier=COURSE, needs=("read",), source="lesson 6, statement 11", draws=pagings_past_the_end(),
    hint="Past the end is an error that says how many lines there are; an empty file is just empty.",
    examples=(
        Paging("", "a.txt", 20, 200), Paging("1\n2\n", "a.txt", 9, 99, 3), Paging("1\n2", "a.txt", 9, 99, 3),
        Paging("1\n" * 50, "a.txt", 20, 200, 51), Paging("1\n" * 12, "a.txt", 20, 200, 2),
        Paging("1\n2\n", "a.txt", 9, 99, 2), Paging("1\n2", "a.txt", 9, 99, 2), Paging("1", "a.txt", 9, 99),
    ),
)  # fmt: skip
def past_the_end_is_an_error(script: Paging, harness: Harness) -> None:
    """An offset past the end is an error naming the number of lines; an empty file is an empty result.

    Catches an empty page past the end, an offset one past the end let through, and empty files refused.
    """
    total, limit = len(file_lines(script, harness)), script.limits[0]
    first = None if script.start == 1 and limit is None else script.start
    result, text = read(desk_of(script, harness), script.path, first, limit)
    call = f"{call_of(first, limit)} of {'a file of ' + str(total) + ' lines' if total else 'an empty file'}"
    if script.start <= max(total, 1):
        check(not is_error(result), f"{call} is an error: {shown(text)}")
        said = text and not take_notice(text)[1] and not own_wording(harness.policies)
        check(total or not said, f"{call} gave back {shown(text)} instead of nothing")
    else:
        check(is_error(result), f"{call} is no error; it gave back {shown(text)}")
        check(
            not total or total in numbers(text),
            f"{call} does not say how many lines there are: {shown(text)}",
        )


@law(
    "READ-08", tier=COURSE, needs=("read",), source="lesson 6, offset and limit",
    draws=pagings_below_one() | pagings(kind="mixed", endings="plain", limits="some"),
    hint="offset and limit count from 1; a page cut by limit says how to go on, like any other.",
    after=("READ-04",),
    examples=(
        Paging("1\n2\n3\n", "a.txt", 20, 200, 1, (2,)), Paging("1\n2\n3\n", "a.txt", 20, 200, 0),
        Paging("1\n2\n3\n4\n5\n", "a.txt", 20, 200, 3, (2,)), Paging("1\n2\n", "a.txt", 20, 200, 1, (0,)),
        Paging("1\n2\n", "a.txt", 20, 200, 1, (-1,)), Paging("1\n2\n", "a.txt", 20, 200, -1),
    ),
)  # fmt: skip
def limit_is_honoured(script: Paging, harness: Harness) -> None:
    """An offset or limit below 1 is an error; limit is honoured, and a page cut by it carries the notice.

    Catches offset 0 taken for 1, a limit that is ignored or one off, and a page cut by it in silence.
    """
    all_lines, limit = file_lines(script, harness), script.limits[0]
    result, text = read(desk_of(script, harness), script.path, script.start, limit)
    call = call_of(script.start, limit)
    lowest = harness.policies.get("first-offset", "1")
    if (lowest != "any" and script.start < int(lowest)) or (limit is not None and limit < 1):
        check(is_error(result), f"{call} is no error; it gave back {shown(text)}")
        return
    check(not is_error(result), f"{call} of a file of {len(all_lines)} lines is an error: {shown(text)}")
    rest = all_lines[max(script.start, 1) - 1 :]
    if limit is None:
        return
    text, rest = unix(text), [unix(line) for line in rest]  # endings are READ-01's concern
    number, following = whole_lines(text, rest), offered(text)
    if own_wording(harness.policies) and following:  # the blank line before its notice is no line of the file
        number = min(number, following - max(script.start, 1))
    check(number <= limit, f"{call} shows {number} lines of the file")
    asked = rest[:limit]
    few = len(asked) < (script.max_lines or 2000)
    easily = few and 2 * lines.size("".join(asked)) < (script.max_bytes or 50_000)
    enough = number == len(asked) or not easily
    check(enough, f"{call} shows {number} lines, but {len(asked)} are there and fit")
    if number == limit < len(rest):
        said = offered(text) or (text[len("".join(rest[:number])) :]).strip()
        which = f"lines {script.start}-{script.start + number - 1} of {len(all_lines)}"
        check(said, f"{call} shows {which} and no notice says that there is more")


@also("READ-08", tier=PRINCIPLE, draws=pagings_below_one())
def an_error_says_what_is_below_one(script: Paging, harness: Harness) -> None:
    """The error on an offset or a limit below 1 names it, or the number that was given.

    Catches an error without a reason, from which a model learns nothing.
    """
    limit = script.limits[0]
    result, text = read(desk_of(script, harness), script.path, script.start, limit)
    named = [w for w, n in (("offset", script.start), ("limit", limit)) if n is not None and n < 1]
    given = [n for n in (script.start, limit) if n is not None and n < 1]
    if is_error(result):
        told = any(word in text.lower() for word in (*named, *map(str, given)))
        check(told, f"{call_of(script.start, limit)} is an error that does not say why: {shown(text)}")


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
