"""Lines, sizes and budgets: the arithmetic that cutting and paging are held to.

What a line is differs between sound harnesses, so each function takes the line model:
`universal` (everything `str.splitlines` splits at), `cr` (LF, CR and CRLF) or `lf` (LF only).
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


def fitting(lines: list[str], max_lines: int, max_bytes: int) -> int:
    """How many lines from the front fit both budgets, whole lines only."""
    used = 0
    for count, line in enumerate(lines):
        used += size(line)
        if count == max_lines or used > max_bytes:
            return count
    return len(lines)


def head(text: str, max_lines: int, max_bytes: int, model: str = "universal") -> tuple[str, int]:
    """The longest start of whole lines within both budgets, and its number of lines."""
    lines = split(text, model)
    count = fitting(lines, max_lines, max_bytes)
    return "".join(lines[:count]), count


def tail(text: str, max_lines: int, max_bytes: int, model: str = "universal") -> tuple[str, int]:
    """The longest end of whole lines within both budgets, and its number of lines."""
    lines = split(text, model)
    count = fitting(lines[::-1], max_lines, max_bytes)
    return "".join(lines[len(lines) - count :]), count
