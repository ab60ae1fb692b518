"""A model that reads page by page and believes every word: the reader that notices are for."""

from __future__ import annotations

from typing import Any

from strategies.notices import advised_offset, last_line, read_notice
from strategies.script import Call, Pager, Reply, Say

MISSING = "does not exist"


def next_page(pager: Pager, messages: Any, turn: int) -> Reply | None:
    """What the pager replies to this request; `turn` counts its requests from 1.

    None when it has asked more often than `max_replies`, which a finite file never needs.
    """
    if turn > pager.max_replies:
        return None
    if turn == 1:
        return _ask(pager, 1, turn)
    last = messages[-1] if isinstance(messages, (list, tuple)) and messages else {}
    page = last.get("content") if isinstance(last, dict) else None
    if not isinstance(page, str) or last.get("role") != "toolResult":
        return Reply((Say(f"I was shown nothing: {MISSING}."),))
    if not last.get("is_error") and pager.needle in page:
        return Reply((Say(f"Found {pager.needle}."),))
    offset = None if last.get("is_error") else offered(page)
    if offset is None:
        return Reply((Say(f"{pager.needle} {MISSING}."),))
    return _ask(pager, offset, turn)


def offered(page: str) -> int | None:
    """The offset that the last line of a page offers, in a notice or in an advice."""
    line = last_line(page)
    notice = read_notice(line)
    return notice.offset if notice else advised_offset(line)


def _ask(pager: Pager, offset: int, turn: int) -> Reply:
    arguments: dict[str, Any] = {"path": pager.path}
    if offset != 1:
        arguments["offset"] = offset
    return Reply((Call(f"p{turn}", "read", arguments),), "toolUse")
