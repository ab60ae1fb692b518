"""Truncation notices: how they are worded, and how a reader that trusts them reads them."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_DIGITS = 18  # of a number that is read; nothing that is counted here has more

_NOTICE = re.compile(
    r"\[Showing lines ([0-9]+)-([0-9]+) of ([0-9]+)\. Use offset=([0-9]+) to continue\.\]"
)
_OFFSET = re.compile(r"offset\s*[=:]?\s*([0-9][0-9,_]*)")


class Notice(NamedTuple):
    """Lines `first` to `last` of `total` are shown; `offset` asks for the next part."""

    first: int
    last: int
    total: int
    offset: int


def wording(first: int, last: int, total: int) -> str:
    """The notice that a cut page of these lines ends with."""
    return f"[Showing lines {first}-{last} of {total}. Use offset={last + 1} to continue.]"


def read_notice(line: str) -> Notice | None:
    """The notice that this line is, to the letter, or None."""
    found = _NOTICE.fullmatch(line)
    if not found or max(map(len, found.groups())) > MOST_DIGITS:
        return None
    return Notice(*map(int, found.groups()))


def take_notice(page: str) -> tuple[str, Notice | None]:
    """The page without the notice it ends with, and the notice; (page, None) without one."""
    start = page.rfind("[Showing lines ")
    if start < 0:
        return page, None
    notice = read_notice(page[start:])
    return (page[:start], notice) if notice else (page, None)


def last_line(text: str) -> str:
    """The last line of a text without its ending; "" for an empty text."""
    lines = text.splitlines()
    return lines[-1] if lines else ""


def advised_offset(page: str) -> int | None:
    """The offset that a one-line bracketed advice names, or None."""
    page = page.strip()
    if not (page.startswith("[") and page.endswith("]")):
        return None
    found = _OFFSET.findall(page)
    digits = re.sub(r"[,_]", "", found[-1]) if found else ""
    return int(digits) if 0 < len(digits) <= MOST_DIGITS else None


def numbers(text: str) -> list[int]:
    """The whole numbers that stand in a text, digit separators allowed, in order."""
    found = re.findall(r"(?<![\w])-?[0-9]+(?:[,_'’ \u00a0\u202f][0-9]{3})*(?![0-9])", text)
    plain = re.findall(r"[0-9]+", text)
    joined = [re.sub(r"[^0-9-]", "", n) for n in found]
    return [int(n) for n in [*joined, *plain] if len(n) <= MOST_DIGITS]
