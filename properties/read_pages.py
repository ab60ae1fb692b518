"""READ, the pages: what following the notices from page to page gives."""

from __future__ import annotations

from adapters.contract import Harness
from properties.checks import check, fail, shown
from properties.pages import (
    SMALL,
    agreement,
    call_of,
    desk_of,
    file_lines,
    file_text,
    free,
    giants,
    is_error,
    own_wording,
    pages,
    read,
    unix,
    whole_lines,
)  # fmt: skip
from properties.registry import COURSE, law
from strategies import lines
from strategies.budgets import FREE
from strategies.notices import last_line, read_notice, wording
from strategies.readings import pagings
from strategies.script import Paging

ODD = Paging("\ufeff1\n\n\t\x00e\u0301 \n\x1b[31m4\xa0\\n\n", "a.txt", 3, 200)
BLANKS = Paging("\n1\n\n\n\n2\n\n", "a.txt", 2, 200)
LONG = Paging("ok\n" * 2400, "a.txt", 1000, FREE)


def _glues(script: Paging, harness: Harness, wanted: str, all_lines: list[str]) -> None:
    """Follow the notices and hold each page against what comes next in `wanted`."""
    at = 0
    for page in pages(script, harness, all_lines):
        if not wanted.startswith(page.body, at):
            good = at + agreement(page.body, wanted[at:])
            line = script.start + len(lines.split(wanted[:good], harness.policies["read-lines"]))
            line -= good > 0 and not wanted[:good].endswith(("\n", "\r"))
            found, there = shown(page.body[good - at :][:40], 50), shown(wanted[good : good + 40], 50)
            fail(
                f"glued together the pages are not the file: at line {line} {page.call} has {found} "
                f"where the file has {there}",
                page.call,
            )
        at += len(page.body)
    check(
        at == len(wanted),
        f"{page.call} offers no next page, but the file goes on: {shown(wanted[at : at + 60])}",
        page.call,
    )


@law(
    "READ-01", tier=COURSE, needs=("read",), source="lesson 6, statement 8",
    draws=pagings(imitations=True, room=1, starts=(0,), limits="none"),
    hint="Read page by page by your own notices and join the pages: nothing may be lost, added or changed.",
    after=("CUT-02", "CUT-03", "READ-04"),
    examples=(
        SMALL, Paging("1\r\n2\r\n3", "a.txt", 1, 200), BLANKS, LONG,
        Paging("1\x0c2\n3\u20284\r5", "a.txt", 1, 200),
        Paging("1\r2\u2028", "a.txt", 9, 200), Paging("1\x00\n\x002 \t\n 3  ", "a.txt", 2, 200),
        Paging("x" * 2500 + "\n1\n" + "y" * 2400, "a.txt", 1, 5000),
    ),
)  # fmt: skip
def pages_glue_to_the_file(script: Paging, harness: Harness) -> None:
    """The pages from the first to the last, joined, are the file byte for byte.

    Catches lines lost or doubled at a page break, and line endings or blanks changed there.
    """
    all_lines = file_lines(script, harness)
    if not giants(script, all_lines, harness):
        _glues(script, harness, file_text(script, harness), all_lines)


@law(
    "READ-02", tier=COURSE, needs=("read",), source="lesson 6, statement 8",
    draws=pagings(room=None), after=("READ-04", "READ-05"), examples=(SMALL, Paging("", "a.txt", 20, 200)),
    hint="Each page, and each line left out, must bring the reader at least one line further.",
)  # fmt: skip
def following_comes_to_an_end(script: Paging, harness: Harness) -> None:
    """Each offset offered is larger than the last, and there are never more pages than lines.

    Catches a notice on the last page, and an offset that stays where it is.
    """
    all_lines = file_lines(script, harness)
    if script.start > max(1, len(all_lines)):
        return  # not a line in the harness's own line model
    number = sum(1 for _ in pages(script, harness, all_lines))
    rest = max(1, len(all_lines) + 1 - script.start)
    check(number <= rest, f"reading {rest} lines from offset={script.start} takes {number} pages")


@law(
    "READ-03", tier=COURSE, version=2, needs=("read",), source="lesson 6, at most the budget",
    draws=pagings(endings="plain", limits="large"), after=("CUT-04",),
    examples=(
        SMALL, Paging("日本\n日本\n", "a.txt", 9, 8), Paging("1\n2\n3\n", "a.txt", 2, 200, 1, (3,)),
        Paging("1\n2\n3\n", "a.txt", 9, 5, 1, (3,)), Paging("1\n2\n3\n", "a.txt", 2, 200, 1, (100_000,)),
    ),
    hint="What read shows of a file keeps max_lines and max_bytes, whatever limit asks for.",
)  # fmt: skip
def pages_keep_both_budgets(script: Paging, harness: Harness) -> None:
    """A page, its notice aside, keeps both budgets.

    Catches a limit that replaces the budget, and a tool that was given budgets it does not use.
    """
    all_lines, desk = file_lines(script, harness), desk_of(script, harness)
    rest = "".join(all_lines[script.start - 1 :])
    for limit in dict.fromkeys((*script.limits, None)):
        _, text = read(desk, script.path, script.start, limit)
        budgets = f"max_lines={script.max_lines}, max_bytes={script.max_bytes}"
        call = f"{call_of(script.start, limit)} with {budgets}"
        page = rest[: agreement(text, rest)]
        if page.endswith("\n\n") and text[len(page) :].startswith("["):
            page = page[:-1]  # an empty line before the notice is READ-04's concern
        own_lines = [line for line in lines.split(page, harness.policies["read-lines"]) if line]
        if free(harness) and own_lines and not own_lines[-1].strip("\r\n"):
            own_lines.pop()  # where endings stand between lines, an empty last line takes no room
        number, size = len(own_lines), lines.size(page)
        size -= lines.ending(page) if free(harness) else 0
        check(number <= (script.max_lines or 2000), f"{call} shows {number} lines of the file")
        check(size <= (script.max_bytes or 50_000), f"{call} shows {size} bytes of the file")


def _check_notice(page_text: str, call: str, rest: list[str], offset: int, limit: int | None) -> int:
    """Hold one page against its notice; returns how many lines it shows."""
    text, rest = unix(page_text), [unix(line) for line in rest]  # endings are READ-01's concern
    number, total = whole_lines(text, rest), offset - 1 + len(rest)
    added, last = text[sum(map(len, rest[:number])) :], offset - 1 + number
    if not rest:
        return 0  # what an empty file gives is READ-07's concern
    if not number:
        fail(f"{call} begins {shown(text[:60])} instead of with line {offset}: {shown(rest[0], 50)}", call)
    if number == len(rest):
        check(not added, f"{call} shows the last line, and then adds {shown(added)}", call)
        return number
    if not added and limit == number:
        return number  # cut by the limit without a word: READ-08
    wanted = wording(offset, last, total)
    bare = rest[number].rstrip("\n")
    if bare and added.endswith("]") and added.startswith(bare + "["):
        fail(f"the notice of {call} does not stand on a line of its own: the page ends {shown(added)}", call)
    said = read_notice(last_line(added))
    if not added or not (added.lstrip().startswith("[") or said):
        fail(
            f"{call} shows lines {offset}-{last} of {total} and then {shown(added)}, not the notice {wanted}",
            call,
        )
    if said and added != wanted and said != read_notice(wanted):
        fail(f"{call} shows lines {offset}-{last} of {total}, but its notice is {last_line(added)}", call)
    check(added == wanted, f"after line {last} of {call} stands {shown(added)}, not exactly {wanted}", call)
    return number


@law(
    "READ-04", tier=COURSE, needs=("read",), source="lesson 6, statements 6, 7 and 9",
    draws=pagings(endings="plain", imitations=True, room=1), unless=own_wording,
    hint="A and B are line numbers in the file, N is its number of lines, and nothing else is added.",
    after=("CUT-02", "CUT-03", "CUT-06", "READ-07"),
    examples=(
        SMALL, Paging("1\n2\n3\n4\n", "a.txt", 1, 200, 2), Paging("1\n2\n3\n4\n", "a.txt", 1, 200, 1, (2,)),
        Paging("1\n2\n3", "a.txt", 3, 200), LONG, ODD, BLANKS, Paging("1\n2\n3\n", "a.txt", 2, 4),
        Paging("é\n2\n3\n", "a.txt", 2, 5),
    ),
)  # fmt: skip
def a_cut_page_ends_with_a_true_notice(script: Paging, harness: Harness) -> None:
    """A cut page is the lines shown and exactly the notice, numbers true; to a last page nothing is added.

    Catches a missing notice, wrong numbers in it, other words, and a notice where nothing is left.
    """
    all_lines, desk = file_lines(script, harness), desk_of(script, harness)
    offset = script.start
    for number in range(12):
        limit = script.limits[number % len(script.limits)]
        first = None if offset == 1 and limit is None else offset
        result, text = read(desk, script.path, first, limit)
        if is_error(result):
            fail(f"{call_of(first, limit)} of a file of {len(all_lines)} lines is an error: {shown(text)}")
        offset += _check_notice(text, call_of(first, limit), all_lines[offset - 1 :], offset, limit)
        if offset > len(all_lines):
            return


@law(
    "READ-09", tier=COURSE, needs=("read",), source="lesson 6, offset and limit",
    draws=pagings(kind="mixed", room=1, limits="some"), after=("READ-01", "READ-08"),
    hint="Ask for a few lines at a time, from any start: joined, the pages are the rest of the file.",
    examples=(
        Paging("1\n2\n3\n4\n5\n", "a.txt", 9, 200, 2, (1, 2)),
        Paging("1\r\n2\r\n3\r\n", "a.txt", 9, 200, 1, (1,)), Paging("1\r2\r3\r", "a.txt", 9, 200, 1, (1,)),
    ),
)  # fmt: skip
def pages_glue_with_any_limits(script: Paging, harness: Harness) -> None:
    """With any limits, changed from page to page, from any start, the pages are that tail of the file.

    Catches a limit counted from the file's start, and one that changes where the next page begins.
    """
    all_lines = file_lines(script, harness)
    if script.start <= len(all_lines) and not giants(script, all_lines, harness):
        _glues(script, harness, "".join(all_lines[script.start - 1 :]), all_lines)
