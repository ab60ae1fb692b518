"""Texts on their way into the page: made visible, cut to a length, written as JSON.

A text that is cut says how much is left out. Nothing here depends on the clock or the machine.
"""

from __future__ import annotations

import json
from typing import Any

from grading.screen import safe

NAME, SENTENCE, MESSAGE, LINE, CODE = 80, 400, 2000, 240, 6000  # characters that are kept of each


def visible(text: object, most: int = MESSAGE) -> str:
    """The text with control characters, bidi controls and lone surrogates spelled out.

    Of more than `most` characters the rest is left out, and how many those are is said. Line
    ends are kept. The result can always be encoded in UTF-8.
    """
    whole = text if isinstance(text, str) else str(text)
    cut = len(whole) - most
    if cut <= 0:
        return _safe(whole)
    return f"{_safe(whole[:most])} … {cut:,} more characters"


def _safe(text: str) -> str:
    return text if text.isprintable() else safe(text)


def one_line(text: object, most: int = LINE) -> str:
    """The same on one line."""
    return visible(text, most).replace("\n", "\\n")


def number(value: float) -> str:
    """Points as a person writes them: 37.5, 50."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def data(value: Any) -> str:
    """JSON for an inline data block: nothing in it can end the block or start markup."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign, stead in (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e")):
        text = text.replace(sign, stead)
    return text
