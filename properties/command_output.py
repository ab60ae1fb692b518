"""What a command's result shows of its output: the lines kept, a notice with its numbers, an exit code.

Whoever judges results of the harness's own tools finds here how they are read: which line is a notice,
which numbers stand in it, and what should have been kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from properties.checks import Violation, fail, shown
from strategies import lines
from strategies.notices import numbers
from strategies.outputs import COMMAND
from strategies.script import Desk

MAX_LINES, MAX_BYTES = 2000, 50_000  # what is in force when a budget is left out
ONE_LINE = 300  # bytes that one line of notice and one of status may take together
_NUMBER = re.compile(r"(?:(?<![0-9A-Za-z])[-−])?[0-9]+(?:[,_'\u00a0\u202f][0-9]{3})*(?![0-9])")
_NOTICE = re.compile(
    r"\b(?:lines?|show\w*|truncat\w*|omit\w*|cut|hidden|dropped|skipped|elided|removed|left out)\b"
)
_LAST = re.compile(
    r"\b(?:last|final)\s+([0-9][0-9,_]*)\b(?!\s*-?(?:bytes?|kb|kib|char\w*)\b)", re.IGNORECASE
)
_GONE = re.compile(
    r"([0-9][0-9,_]*)(?:\s+of\s+(?:the\s+)?[0-9][0-9,_]*)?(?:\s+(?:earlier|more|other|previous|first))?"
    r"(?:\s+lines?)?(?:\s+(?:were|was|are|is|have been|has been))?\s+"
    r"(?:cut|omitted|dropped|hidden|removed|left out|skipped|missing|not shown|truncated|elided)\b",
    re.IGNORECASE,
)  # fmt: skip
_RANGE = re.compile(r"([0-9][0-9,_]*)\s*(?:-|–|—|to|through)\s*([0-9][0-9,_]*)")


def said(result: Any, tool: str) -> str:
    """The text of a tool result; anything but a text is a violation."""
    if not isinstance(result.content, str):
        fail(f"the result of {tool} holds {shown(result.content)} where a text should be")
    return str(result.content)


@dataclass(frozen=True)
class Seen:
    """One command as it ran, and what should have been kept of its output.

    `brim` says that only its last line's ending, which does not count, is over the budget of bytes. `added`
    are the lines after the kept output that are not blank; of the whole result, with
    `whole` false, if it does not begin with the kept output.
    """

    text: str
    error: Any
    output: str
    code: int
    kept: str
    count: int
    total: int
    limits: str
    brim: bool = False

    @property
    def cut(self) -> bool:
        return self.count < self.total

    @property
    def whole(self) -> bool:
        return self.text.startswith(self.kept)

    @property
    def added(self) -> list[str]:
        rest = self.text[len(self.kept) :] if self.whole else self.text
        return [line.strip() for line in rest.splitlines() if line.strip()]

    @property
    def more(self) -> bool:
        """Lines of the output stand after what should have been kept."""
        printed = {line.strip() for line in self.output.splitlines()}
        return any(line in printed for line in self.added)

    @property
    def glued(self) -> bool:
        """What was added begins on the last line of the output."""
        after = self.text[len(self.kept) :][:1]
        return bool(self.whole and self.kept and self.kept[-1] not in "\r\n" and after not in "\r\n")


def run(script: Desk, harness: Any) -> Seen:
    """Run the one command of the script."""
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    result = desk.use("bash", {"command": COMMAND})
    if desk.place.runs != [COMMAND]:
        raise Violation(f"what ran for {COMMAND!r} is {shown(desk.place.runs)}", owner="BASH-06")
    ran, model = script.commands[COMMAND], harness.policies.get("bash-lines", "universal")
    max_lines, max_bytes = script.max_lines or MAX_LINES, script.max_bytes or MAX_BYTES
    free = "first" if harness.policies.get("line-ends") == "between" else ""
    kept, count = lines.tail(ran.output, max_lines, max_bytes, model, free)
    text, output = said(result, "bash"), ran.output
    shows = harness.policies.get("results") == "shown" and not output.strip() and not text.startswith(output)
    words = harness.policies.get("notice") == "other" and not kept.strip() and not text.startswith(kept)
    if shows or words or (not output and harness.policies.get("notice") == "other"):
        kept = text.partition("\n")[0]  # that there is nothing to see is said in words of its own
        output = output if output.strip() else kept
    return Seen(
        text, result.is_error, output, ran.code, kept, count,
        len(lines.split(ran.output, model)), f"{amount(max_lines, 'line')} and {amount(max_bytes, 'byte')}",
        bool(free) and lines.size(ran.output) > max_bytes,
    )  # fmt: skip


def amount(count: int, noun: str) -> str:
    """A number of things: 1 line, 2 lines."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def codes_in(line: str) -> list[int]:
    """The whole numbers in a line, each with its sign."""
    return [int(re.sub("[^0-9-]", "", n.replace("−", "-"))) for n in _NUMBER.findall(line) if len(n) < 24]


def like_notice(line: str) -> bool:
    """This line talks about lines that are shown or left out."""
    return bool(_NOTICE.search(line.lower().replace("command line", "command")))


def wrong_counts(line: str, count: int, total: int) -> str:
    """What is wrong with the numbers of a notice, in words; "" if they tell both counts."""
    there = numbers(line)
    gone = {_int(n) for n in _GONE.findall(line)}
    last = {_int(n) for n in _LAST.findall(line)}
    wording = re.search(r"\b(?:one|last line|final line|only line)\b", line, re.IGNORECASE)
    ranged = (total - count + 1, total) in {(_int(a), _int(b)) for a, b in _RANGE.findall(line)}
    named = count in there or ranged or (count == 1 and wording) or total - count in gone
    if total not in there and not (count in there and total - count in gone):
        return f"it does not name the {amount(total, 'line')} in all"
    if not named or (last and count not in last):
        return f"it does not name the {amount(count, 'line')} shown"
    if gone and not gone & {total - count, total}:
        return f"it does not name the {amount(total - count, 'line')} left out"
    return ""


def _int(digits: str) -> int:
    return int(re.sub("[^0-9]", "", digits)[:18])
