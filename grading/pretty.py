"""A script's Python over several lines, as one would write it by hand.

It works on what `strategies.printing.to_python` gives. What comes out is the same expression:
it rebuilds the script after `from strategies.script import *`.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

STEP = 4  # columns of one level of indentation
_LITERAL = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)


def pretty(code: str, width: int = 88) -> str:
    """The expression in lines of at most `width` columns, as far as its parts can be parted."""
    return "\n".join(_laid_out(code, "", 0, width))


def _signs(code: str) -> Iterator[tuple[int, str, int]]:
    """Each bracket, comma and plus outside of texts, as (index, character, depth)."""
    depth, index = 0, 0
    while index < len(code):
        char = code[index]
        if char in "'\"":
            found = _LITERAL.match(code, index)
            index = found.end() if found else len(code)
            continue
        if char in "([{":
            yield index, char, depth
            depth += 1
        elif char in ")]}":
            depth -= 1
            yield index, char, depth
        elif char in ",+":
            yield index, char, depth
        index += 1


def _parts(code: str, sign: str) -> list[str]:
    """The code between the outermost signs of this kind; an empty last part is kept."""
    ends = [i for i, char, depth in _signs(code) if char == sign and depth == 0]
    edges = [-1, *ends, len(code)]
    return [code[a + 1 : b].strip() for a, b in itertools.pairwise(edges)]


def _opener(code: str) -> int | None:
    """Where the bracket opens that closes with the last character."""
    opened = [i for i, char, depth in _signs(code) if depth == 0 and char in "([{"]
    return opened[-1] if opened and code[-1] in ")]}" else None


def _laid_out(code: str, tail: str, indent: int, width: int) -> list[str]:
    pad = " " * indent
    at = _opener(code)
    if at is None or indent + len(code) + len(tail) <= width:
        return [pad + code + tail]
    head, end, parts = "", tail, [code]
    while True:  # brackets around one single thing open and close on the same lines
        only = parts[0]
        at = _opener(only)
        if at is None or len([part for part in parts if part]) != 1:
            break
        comma = "," if len(parts) > 1 else ""
        head, inner, end = head + only[: at + 1], only[at + 1 : -1], only[-1] + comma + end
        parts = _parts(inner, ",")
        if len(parts) == 1 and head[-1] == "(" and not re.search(r"\w\($", head):  # a sum of texts
            return [pad + head, *_sum(inner, indent + STEP, width), pad + end]
    lines = [pad + head]
    for part in parts:
        if part:
            lines += _laid_out(part, ",", indent + STEP, width)
    return [*lines, pad + end]


def _sum(code: str, indent: int, width: int) -> list[str]:
    """Texts that are added up: a line for each, long ones as several texts side by side."""
    lines: list[str] = []
    for number, part in enumerate(_parts(code, "+")):
        sign = "+ " if number else ""
        lines += _side_by_side(sign, part, indent, width)
    return lines


def _side_by_side(sign: str, code: str, indent: int, width: int) -> list[str]:
    pieces: list[str] = []
    rest = 0
    room = max(20, width - indent - 2)
    for found in _LITERAL.finditer(code):
        if code[rest : found.start()].strip():
            break
        pieces += _pieces(found.group(), room)
        rest = found.end()
    after = code[rest:].strip()
    lines = [sign]
    for piece in pieces:
        if lines[-1] not in ("", sign) and len(lines[-1]) + 1 + len(piece) > room:
            lines.append("")
        gap = "" if lines[-1] in ("", sign) else " "
        lines[-1] += gap + piece
    if after:
        lines[-1] += (" " if pieces else "") + after
    return [" " * indent + line for line in lines]


def _pieces(literal: str, room: int) -> list[str]:
    """A text as several that stand side by side, none longer than `room` columns."""
    if len(literal) <= room:
        return [literal]
    pieces, held, size = [], "", 2
    for char in ast.literal_eval(literal):
        longer = len(repr(char)) - 2
        if held and size + longer > room:
            pieces.append(repr(held))
            held, size = "", 2
        held, size = held + char, size + longer
    return [*pieces, repr(held)]


def clipped(lines: list[str], most: int) -> list[str]:
    """At most `most` lines: the middle of more is left out, and a line says how much that is."""
    if len(lines) <= most:
        return lines
    tail = min(3, most // 3)
    head = max(1, most - tail - 1)
    left = len(lines) - head - tail
    return [*lines[:head], f"# … {left} more lines, all of them in the report that --json writes …",
            *lines[len(lines) - tail :]]  # fmt: skip
