"""Lines, sizes and budgets: the arithmetic that cutting and paging are held to.

What a line is differs between sound harnesses, so each function takes the line model:
`universal` (everything `str.splitlines` splits at), `cr` (LF, CR and CRLF), `lf` (LF only), or `pieces`
(what stands between LFs, so that a text which ends in one has an empty last line).
"""

from __future__ import annotations

import re

MODELS = ("universal", "cr", "lf")
_PATTERNS = {"cr": re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+"), "lf": re.compile(r"[^\n]*\n|[^\n]+")}

PROBE = "a\x0cb\x0bc\x1cd\x85e\u2028f\rg\r\nh\ni\n"


def split(text: str, model: str = "universal") -> list[str]:
    """The lines of `text`, each with its own ending; the last may have none."""
    if model == "universal":
        return text.splitlines(keepends=True)
    if model == "pieces":
        *whole, rest = text.split("\n")
        return [*(piece + "\n" for piece in whole), rest]
    return _PATTERNS[model].findall(text)


def model_of(first_line: str) -> str | None:
    """Which model makes `first_line` the first line of PROBE, None if none does."""
    for model in MODELS:
        if split(PROBE, model)[0] == first_line:
            return model
    return None


def size(text: str) -> int:
    """Bytes of the text in UTF-8; a lone surrogate counts three, as it would if it could be sent."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def fitting(lines: list[str], max_lines: int, max_bytes: int, free: str = "") -> int:
    """How many lines from the front fit both budgets, whole lines only.

    `free` says whose ending does not count, where endings stand between lines: that of the last line that
    is kept ("last"), or of the first, where the lines come from a text's end ("first").
    """
    used = 0
    for count, line in enumerate(lines):
        used += size(line)
        spared = ending(line if free == "last" else lines[0]) if free else 0
        if (count == max_lines and line) or used - spared > max_bytes:
            return count
    return len(lines)


def ending(line: str) -> int:
    """Bytes of the line feed that a line ends with."""
    return int(line.endswith("\n"))


def head(text: str, max_lines: int, max_bytes: int, model: str = "universal") -> tuple[str, int]:
    """The longest start of whole lines within both budgets, and its number of lines."""
    lines = split(text, model)
    count = fitting(lines, max_lines, max_bytes)
    return "".join(lines[:count]), count


def tail(
    text: str, max_lines: int, max_bytes: int, model: str = "universal", free: str = ""
) -> tuple[str, int]:  # fmt: skip
    """The longest end of whole lines within both budgets, and its number of lines."""
    lines = split(text, model)
    count = fitting(lines[::-1], max_lines, max_bytes, free)
    return "".join(lines[len(lines) - count :]), count
