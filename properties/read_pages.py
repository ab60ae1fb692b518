"""READ, the pages: what following the notices from page to page gives.

The helpers that turn one read into a page, or into a violation in plain words, serve the other
READ chapters too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adapters.contract import Harness, OpenDesk, ToolResult
from properties.checks import check, fail, shown
from properties.registry import COURSE, law
from strategies import lines
from strategies.notices import Notice, last_line, read_notice, take_notice, wording
from strategies.paging import offered
from strategies.readings import pagings
from strategies.script import Paging
from strategies.texts import FREE

# ---- one page -----------------------------------------------------------------------------


class Page(NamedTuple):
    """What one read gave back: `body` is the page without its notice."""

    call: str
    text: str
    body: str
    notice: Notice | None
    next: int | None  # the offset that it offers


def own_wording(policies: Mapping[str, str]) -> str | None:
    """Why the course's own wording of notices is not asked for, or None."""
    return None if policies["notice"] == "course" else "this harness words its notices in its own way"


def as_read(text: str, harness: Harness) -> str:
    """A file's text with the line endings that the harness's read tool shows."""
    if harness.policies.get("read-endings") == "lf":
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def file_text(script: Paging, harness: Harness) -> str:
    """The text of the script's file, with the line endings that the harness's read tool shows."""
    return as_read(script.text, harness)


def file_lines(script: Paging, harness: Harness) -> list[str]:
    """The lines of the file, in the line model of the harness's read tool."""
    return lines.split(file_text(script, harness), harness.policies["read-lines"])


def free(harness: Harness) -> str:
    """Whose ending does not count in a page's budget (see `lines.fitting`)."""
    return "last" if harness.policies.get("line-ends") == "between" else ""


def giants(script: Paging, in_lines: list[str], harness: Harness) -> set[int]:
    """The numbers of the lines that are over the byte budget all by themselves."""
    most = script.max_bytes or 50_000
    return {n for n, line in enumerate(in_lines, 1) if not lines.fitting([line], 1, most, free(harness))}


def desk_of(script: Paging, harness: Harness) -> OpenDesk:
    """The harness's tools over the one file of the script."""
    return harness.desk({script.path: script.text}, {}, script.max_lines, script.max_bytes)


def call_of(offset: int | None, limit: int | None) -> str:
    """A read as it is named in a message: read(), read(offset=3, limit=2)."""
    given = (("offset", offset), ("limit", limit))
    return f"read({', '.join(f'{k}={v}' for k, v in given if v is not None)})"


def read(
    desk: OpenDesk, path: str, offset: int | None = None, limit: int | None = None
) -> tuple[ToolResult, str]:
    """One read and the text it gave back; a result without a text is a violation."""
    arguments = {"path": path, "offset": offset, "limit": limit}
    result = desk.use("read", {k: v for k, v in arguments.items() if v is not None})
    call = call_of(offset, limit)
    check(isinstance(result.content, str), f"{call} gave back {shown(result.content)} instead of text")
    return result, result.content


def is_error(result: ToolResult) -> bool:
    """Whether a result is marked as an error, in whatever way."""
    return result.is_error not in (False, None, 0, "")


def page_at(script: Paging, harness: Harness, desk: OpenDesk, all_lines: list[str],
            offset: int, limit: int | None) -> Page:  # fmt: skip
    """The page from `offset` on; an error result is a violation."""
    first = None if offset == 1 and limit is None else offset
    result, text = read(desk, script.path, first, limit)
    call = call_of(first, limit)
    if is_error(result):
        fail(f"{call} of a file of {len(all_lines)} lines is an error: {shown(text)}", call)
    rest = "".join(all_lines[offset - 1 :])
    if text == rest:
        return Page(call, text, text, None, None)
    if offset in giants(script, all_lines, harness):
        return Page(call, text, "", None, offered(text))
    own = harness.policies["notice"] != "course"
    body, notice = (text, None) if own else take_notice(text)
    following = notice.offset if notice else offered(text)
    if own and following:
        body = "".join(all_lines[offset - 1 : following - 1])  # in its own words: take it at them
        check(
            text.startswith(body), f"{call} offers offset={following}, but does not show the lines before it"
        )
    return Page(call, text, body, notice, following)


def pages(script: Paging, harness: Harness, all_lines: list[str]) -> Iterator[Page]:
    """The pages from `start` to the end, each where the one before says it continues."""
    desk = desk_of(script, harness)
    offset = script.start
    for number in range(len(all_lines) + 2):
        limit = script.limits[number % len(script.limits)]
        page = page_at(script, harness, desk, all_lines, offset, limit)
        yield page
        if page.next is None:
            return
        if page.next <= offset:
            fail(f"the last line of {page.call} leads back to offset={page.next}", page.call)
        offset = page.next
    fail(f"after {number + 1} pages of a file of {len(all_lines)} lines there is still a next one")


def agreement(found: str, wanted: str) -> int:
    """How many characters two texts have in common at their start."""
    low, high = 0, min(len(found), len(wanted))
    while low < high:
        middle = (low + high + 1) // 2
        if found.startswith(wanted[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def unix(text: str) -> str:
    """The text with LF for each CRLF, for claims that line endings are no concern of."""
    return text.replace("\r\n", "\n")


def whole_lines(text: str, of: list[str]) -> int:
    """With how many whole lines of `of` the text begins."""
    common, used = agreement(text, "".join(of)), 0
    for number, line in enumerate(of):
        used += len(line)
        if used > common:
            return number
    return len(of)


def shown_lines(page: Page, rest: list[str]) -> int:
    """How many lines of `rest` a page shows; an empty last one counts if no next page offers it."""
    number = whole_lines(page.body, rest)
    offered_next = page.next is not None and number and not rest[number - 1]
    return number - 1 if offered_next else number


# ---- the properties -----------------------------------------------------------------------

SMALL = Paging("1\n2\n3\n", "a.txt", 2, 200)
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
    "READ-03", tier=COURSE, needs=("read",), source="lesson 6, at most the budget",
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
