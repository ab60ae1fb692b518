"""Pages of a file: one read as a page, or as a violation in plain words, and the way from page to page.

All READ chapters read by these. A page's body is held against the lines of the file as the harness's read
tool counts and shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adapters.contract import Harness, OpenDesk, ToolResult
from properties.checks import check, fail, shown
from strategies import lines
from strategies.notices import Notice, take_notice
from strategies.paging import offered
from strategies.script import Paging


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


SMALL = Paging("1\n2\n3\n", "a.txt", 2, 200)
