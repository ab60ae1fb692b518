"""The read tool: a file, one page at a time, each page saying how to get the next.

Lines count from 1 and are those of ``str.splitlines``, in the offset, the limit, the budget and
the notice alike.
"""

import re
from collections.abc import Sequence
from typing import Any

from .arguments import int_arg, schema, str_arg
from .shapes import Tool, Workspace
from .text import byte_size, clipped, reason, sendable
from .truncation import truncate_head


def make_read_tool(ws: Workspace, max_lines: int = 2000, max_bytes: int = 50_000) -> Tool:
    """Return the `read` tool over the workspace `ws`.

    One call gives at most `max_lines` lines and `max_bytes` UTF-8 bytes of a file, and after
    them one notice if there is more. Its ``execute`` raises ValueError, in at most `max_bytes`
    bytes, for arguments of a wrong kind, a file that is not there or cannot be read, an offset
    past the end, and a page that UTF-8 cannot encode.
    """

    def execute(arguments: Any) -> str:
        try:
            return _page(ws, arguments, max_lines, max_bytes)
        except Exception as error:
            raise ValueError(clipped(reason(error), max_bytes)) from error

    return {
        "name": "read",
        "description": f"Read a text file. One call returns at most {max_lines} lines or "
        f"{max_bytes} bytes: `offset` is the first line wanted, counted from 1, and `limit` how "
        f"many lines are wanted. A page that is not the last says how to go on.",
        "parameters": schema(["path"], ["offset", "limit"]),
        "execute": execute,
    }


def _page(ws: Workspace, arguments: Any, max_lines: int, max_bytes: int) -> str:
    path = str_arg(arguments, "path")
    offset = int_arg(arguments, "offset", 1)
    limit = int_arg(arguments, "limit", max_lines)
    if offset < 1 or limit < 1:
        raise ValueError(f"offset and limit start at 1, but they are {offset} and {limit}")
    if not ws.exists(path):
        raise FileNotFoundError(f"No file {path!r}. Here are {[*ws.listdir('.')]}.")
    lines = ws.read_text(path).splitlines(keepends=True)
    total = len(lines)
    if offset > max(total, 1):
        raise ValueError(f"{total} lines in {path}: offset={offset} is past the end")
    wanted = lines[offset - 1 : offset - 1 + limit]
    page, shown = truncate_head("".join(wanted), max_lines, max_bytes)
    if wanted and not shown:
        return _advice(offset, total, byte_size(wanted[0]), max_bytes)
    _check(wanted[:shown], offset)
    last = offset - 1 + shown
    if last < total or _ends_like_a_notice(page):
        if page.endswith("]"):  # an imitation without a line ending; a cut page always has one
            page += "\n"
        page += f"[Showing lines {offset}-{last} of {total}. Use offset={last + 1} to continue.]"
    return page


def _advice(number: int, total: int, size: int, max_bytes: int) -> str:
    """Return the line that stands in for line `number`, which is too big for any page."""
    advice = f"Line {number} takes {size} bytes and one read gives at most {max_bytes}: left out."
    if number < total:
        advice += f" Use offset={number + 1} to continue."
    return f"[{advice}]"


def _ends_like_a_notice(page: str) -> bool:
    """Say whether the last line could be taken for a notice or advice that is not there.

    A page like that gets a true notice of its own, so that the last line can always be believed.
    """
    last_line = page.splitlines()[-1:]
    return any(re.fullmatch(r"\[.*Use offset=\d+ to continue\.\]", line) for line in last_line)


def _check(lines: Sequence[str], first: int) -> None:
    """Raise ValueError for the first line that UTF-8 cannot encode; they count from `first`."""
    for number, line in enumerate(lines, first):
        if sendable(line) != line:
            raise ValueError(
                f"line {number} has characters that UTF-8 cannot encode; "
                f"use offset and limit to read round it"
            )
