"""Student text made harmless: for JSON, for XML, for Markdown, and cut to a size that is stated.

What a harness says can hold anything. Each function keeps what can be read and leaves nothing
that a browser, a terminal or a parser would obey.
"""

from __future__ import annotations

import re
from collections.abc import Callable

REPLACED = "\N{REPLACEMENT CHARACTER}"
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, escape sequences among them
    "\u2028\u2029"  # lines that only some programs see
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the text round
    "\ud800-\udfff\ufffe\uffff]"  # what no UTF-8, or no XML, can hold
)
_MARKS = re.compile(r"([\\`*_{}\[\]~|#])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def clean(text: str) -> str:
    """The text with control characters, text-direction marks and what no UTF-8 can hold replaced.

    Line feeds and tabs stay; CRLF and CR become line feeds. What is left is valid in JSON, in
    XML 1.0 and on a terminal.
    """
    return _HARMFUL.sub(REPLACED, text.replace("\r\n", "\n").replace("\r", "\n"))


def inline(text: str) -> str:
    """One line of Markdown that shows the text and does nothing else; line breaks become spaces."""
    line = " ".join(clean(text).split())
    escaped = "".join(_ENTITIES.get(character, character) for character in line)
    return _MARKS.sub(r"\\\1", escaped)


def block(text: str) -> str:
    """A Markdown code block that shows the text as it is, line by line.

    Indented and not fenced: no text can close an indented block, and every Markdown knows it.
    """
    return "\n".join(f"    {line}".rstrip() for line in clean(text).split("\n"))


def short(text: str, size: int) -> str:
    """At most about `size` characters from the beginning, and how many were left out."""
    if len(text) <= size:
        return text
    return f"{text[:size]} … ({len(text) - size:,} more characters)"


def cleaned(data: object, how: Callable[[str], str] = clean) -> object:
    """JSON data with every text in it, keys included, put through `how`."""
    if isinstance(data, str):
        return how(data)
    if isinstance(data, dict):
        return {how(str(key)): cleaned(value, how) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [cleaned(value, how) for value in data]
    return data
