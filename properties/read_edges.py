"""READ, the edges: giant lines, and offsets and limits out of range."""

from __future__ import annotations

from adapters.contract import Harness
from properties.checks import check, equal, fail, shown
from properties.pages import (
    call_of,
    desk_of,
    file_lines,
    giants,
    is_error,
    own_wording,
    pages,
    read,
    shown_lines,
    unix,
    whole_lines,
)  # fmt: skip
from properties.registry import COURSE, PRINCIPLE, also, law
from strategies import lines
from strategies.notices import advised_offset, numbers, take_notice
from strategies.paging import offered
from strategies.readings import pagings, pagings_below_one, pagings_past_the_end
from strategies.script import Paging


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


@law(
    "READ-06", tier=COURSE, needs=("read",), source="lesson 6, statements 8 and 10",
    draws=pagings(kind="giant", room=None, starts=(0,), limits="none"), after=("READ-01", "READ-05"),
    hint="A page stops before a line that is too big; the next read says so and offers the line after it.",
    examples=(
        Paging("1\n" + "x" * 60 + "\n3\n", "a.txt", 9, 40),
        Paging("x" * 60 + "\n" + "y" * 60 + "\n3", "a.txt", 9, 40),
    ),
)  # fmt: skip
def pages_glue_round_giants(script: Paging, harness: Harness) -> None:
    """Following notices and advice gives every line that fits exactly once, and names each that does not.

    Catches a giant passed over in silence, and one that takes its neighbours with it.
    """
    all_lines = file_lines(script, harness)
    too_big = giants(script, all_lines, harness)
    at, announced = script.start, set()
    for page in pages(script, harness, all_lines):
        if at in too_big:
            announced.add(at)
            at = page.next or len(all_lines) + 1
            continue
        rest = all_lines[at - 1 :]
        number = shown_lines(page, rest)
        if "".join(rest[:number]) != page.body or not number:
            part = page.body[sum(map(len, rest[:number])) :]
            line = shown("".join(rest[number : number + 1]), 60)
            fail(f"{page.call} shows {shown(part, 60)} for line {at + number}, which is {line}", page.call)
        end = at + number - 1
        passed = too_big & set(range(at, end + 1))
        check(
            not passed,
            f"{page.call} shows line {passed}, which is over the budget of {script.max_bytes} bytes",
            page.call,
        )
        check(
            page.next in (None, end + 1),
            f"{page.call} shows lines {at}-{end} and goes on at offset={page.next}",
            page.call,
        )
        at = page.next or len(all_lines) + 1
        check(
            page.next or end == len(all_lines),
            f"{page.call} shows lines {at}-{end} of {len(all_lines)} and offers no more",
            page.call,
        )
    missed = too_big - announced
    check(not missed, f"no read says that line {min(missed, default=0)} is left out")
