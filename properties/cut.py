"""CUT: what is kept of a text that is cut to a budget, at its head or at its tail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from adapters.contract import Harness, HarnessFault
from properties.checks import Violation, check, equal, fail, shown
from properties.registry import COURSE, FIELD, PRINCIPLE, law
from strategies import lines
from strategies.script import Cut, Ran
from strategies.texts import FREE, cuts, default_cuts, text_files

DEFAULT_LINES, DEFAULT_BYTES = 2000, 50_000
EXAMPLES = (
    Cut("1\n2\n3\n", 2, 200), Cut("1\n2\n3\n", 20, 5), Cut("日本\n1\n", 9, 4), Cut("1\r\n2\r\n", 9, 5),
    Cut("1\n" + "x" * 60 + "\n3\n", 9, 30), Cut("🙂\n1\n🙂\n", 9, 6),
    Cut("1\n2\n", 1, 200), Cut("1\r2\x0c3\r\n4\u20285", 9, 200),
    Cut("\ufeff1\n\n\t\x00e\u0301 \n\x1b[31m4\xa0\\n\n", 9, 200),
)  # fmt: skip
RARE_ENDINGS = ("\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


# ---- what came back -----------------------------------------------------------------------


class Kept(NamedTuple):
    """What one cut kept, beside what a recount says it should be."""

    end: str
    call: str  # how it was called, in the words of a message
    text: str
    counted: int
    lines: list[str]  # of the whole text, in the harness's own line model
    fits: int  # how many lines fit both budgets
    model: str
    spared: int = 0  # bytes of the last ending, which is not shown where endings stand between lines

    @property
    def whole(self) -> str:
        """What should have been kept."""
        return "".join(
            self.lines[: self.fits] if self.end == "head" else self.lines[len(self.lines) - self.fits :]
        )


def pair_of(back: Any, call: str) -> tuple[str, int]:
    """The (text, number of lines) that a cut gave back; anything else is a violation."""
    if not isinstance(back, (tuple, list)) or len(back) != 2:
        fail(f"{call} gave back {shown(back)} instead of a pair (text, number of lines)")
    text, count = back
    check(isinstance(text, str), f"{call} kept {shown(text)}, which is not a text")
    check(isinstance(count, int), f"{call} counted {shown(count)}, which is not a whole number")
    return text, count


def cut_at(end: str, script: Cut, harness: Harness) -> Kept:
    """Cut the text at one end."""
    model = harness.policies["lines"]
    max_lines = DEFAULT_LINES if script.max_lines is None else script.max_lines
    max_bytes = DEFAULT_BYTES if script.max_bytes is None else script.max_bytes
    given = {"max_lines": script.max_lines, "max_bytes": script.max_bytes}
    named = "".join(f", {k}={v}" for k, v in given.items() if v is not None)
    call = f"truncate_{end}({shown(script.text, 40)}{named})"
    text, count = pair_of(harness.cut(end, script.text, script.max_lines, script.max_bytes), call)
    split = lines.split(script.text, model)
    between = harness.policies.get("line-ends") == "between"
    free = ("last" if end == "head" else "first") if between else ""
    fits = lines.fitting(split if end == "head" else split[::-1], max_lines, max_bytes, free)
    spared = 0
    if between and text != script.text and count:  # the ending of the last line is not shown
        closed = f"{text}\n"
        spared = int(script.text.startswith(closed) if end == "head" else script.text.endswith(closed))
        text = closed if spared else text
    return Kept(end, call, text, count, split, fits, model, spared)


def both_ends(script: Cut, harness: Harness) -> Iterator[Kept]:
    """The text cut at its head, then at its tail."""
    yield cut_at("head", script, harness)
    yield cut_at("tail", script, harness)


def some_kept(script: Cut, harness: Harness) -> Iterator[Kept]:
    """Both cuts, but for those that a line over the budget leaves with nothing (CUT-07)."""
    return (kept for kept in both_ends(script, harness) if kept.fits or not kept.lines)


def first_difference(found: str, wanted: str) -> str:
    """Where two texts part, in words."""
    at = next(
        (i for i, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b),
        min(len(found), len(wanted)),
    )
    line = wanted.count("\n", 0, at) + 1
    return (
        f"from character {at + 1} (line {line}) on it reads {shown(found[at : at + 30], 40)}, "
        f"the text {shown(wanted[at : at + 30], 40)}"
    )


# ---- the properties -----------------------------------------------------------------------


@law(
    "CUT-01", tier=COURSE, needs=("truncate",), draws=cuts(kind="fits"), source="lesson 6, statement 1",
    after=("CUT-02", "CUT-03", "CUT-06"), implied_by="CUT-03, CUT-05 and CUT-06 say it of any text",
    hint="Try a text of exactly max_lines lines, or of exactly max_bytes bytes: both budgets may be used up.",
    examples=(
        Cut("", 1, 1), Cut("1\n", 9, 2), Cut("1\n2\n", 2, 4), Cut("1\r\n2", 2, 4), Cut(" 1 \n\t2 \t", 9, 99),
        Cut("1\n2  ", 2, 6), Cut("x" * 2500 + "\n1\n", 2, 2503),
    ),
)  # fmt: skip
def leaves_what_fits_alone(script: Cut, harness: Harness) -> None:
    """A text within both budgets comes back unchanged, with its number of lines.

    Catches budgets used exclusively, a lost or added last line ending, endings rewritten.
    """
    for kept in both_ends(script, harness):
        if kept.fits < len(kept.lines):
            continue  # not in the harness's own line model
        if kept.text != script.text:
            fits = f"{len(kept.lines)} lines and {lines.size(script.text)} bytes fit"
            fail(f"{kept.call} changed a text that fits ({fits}): {shown(kept.text)} came back")
        equal(kept.counted, len(kept.lines), f"the number of lines that {kept.call} counted")


@law(
    "CUT-02", tier=COURSE, needs=("truncate",), draws=cuts(), source="lesson 6, statements 2 and 14",
    implied_by="CUT-03 asks for whole lines of that very text",
    hint="The head keeps the beginning, the tail the end, each character as it was: compare with the text.",
    examples=EXAMPLES,
)  # fmt: skip
def keeps_one_end_of_the_very_text(script: Cut, harness: Harness) -> None:
    """The head cut keeps a beginning of the very same text, the tail cut an end of it.

    Catches the wrong end, lines in the wrong order, and line endings, blanks or marks rewritten.
    """
    for kept in some_kept(script, harness):
        if kept.end == "head" and not script.text.startswith(kept.text):
            where = first_difference(kept.text, script.text)
            fail(f"{kept.call} kept something else than the beginning: {where}")
        if kept.end == "tail" and not script.text.endswith(kept.text):
            end = script.text[-len(kept.text) :]
            fail(f"{kept.call} kept {shown(kept.text)}, but the text ends {shown(end)}")


@law(
    "CUT-03", tier=COURSE, needs=("truncate",), draws=cuts(), source="lesson 6, statements 3 and 5",
    hint="Cut between lines only: split with the endings kept, and keep or drop whole lines.",
    after=("CUT-02",),
    examples=(*EXAMPLES, *(Cut(f"1{ending}2{ending}3{ending}", 2, 200) for ending in RARE_ENDINGS)),
)  # fmt: skip
def keeps_whole_lines(script: Cut, harness: Harness) -> None:
    """Only whole lines are kept, each with its own ending.

    Catches a cut by characters or bytes, half a line kept, and a last ending lost.
    """
    for kept in some_kept(script, harness):
        number = len(lines.split(kept.text, kept.model))
        at_head = kept.end == "head"
        whole = kept.lines[:number] if at_head else kept.lines[max(0, len(kept.lines) - number) :]
        if kept.text != "".join(whole):
            pairs = zip(lines.split(kept.text, kept.model), whole, strict=False)
            part, line = next(pair for pair in pairs if pair[0] != pair[1])
            what = f"{shown(part, 50)} of the line {shown(line, 50)}"
            fail(f"{kept.call} kept {what}: not a whole line with its ending")


@law(
    "CUT-04", tier=COURSE, needs=("truncate",), draws=cuts(), source="lesson 6, statements 2 to 4",
    hint="Count what is kept: at most max_lines lines and max_bytes bytes of UTF-8, line endings included.",
    examples=(
        *EXAMPLES, Cut("é", 9, 1), Cut("\n\n1\n", 1, 99), Cut("\r\n1\r\n2", 1, 99), Cut("1\n\n\n", 2, 99),
        Cut("1\u20282\u2028", 9, 5), Cut("1\x852\x85", 9, 3), Cut("x" * 2500 + "\n1\n", 9, 2400),
        Cut("\ufeff1\n2\n", 9, 6), Cut("1\n\ufeff2\n", 9, 6),
    ),
)  # fmt: skip
def keeps_within_both_budgets(script: Cut, harness: Harness) -> None:
    """At most max_lines lines and at most max_bytes bytes of UTF-8 are kept.

    Catches one line too many, characters counted for bytes, endings not counted, one budget ignored.
    """
    for kept in both_ends(script, harness):
        number, size = len(lines.split(kept.text, kept.model)), lines.size(kept.text) - kept.spared
        check(
            number <= (script.max_lines or DEFAULT_LINES),
            f"{kept.call} kept {number} lines, budget {script.max_lines}",
        )
        characters = f" ({len(kept.text)} characters)" if len(kept.text) != size else ""
        check(
            size <= (script.max_bytes or DEFAULT_BYTES),
            f"{kept.call} kept {size} bytes{characters}, budget {script.max_bytes}",
        )


@law(
    "CUT-05", tier=COURSE, needs=("truncate",), draws=cuts(), source="lesson 6, statements 2 and 3",
    hint="Stop only when the next line would break a budget: a line that just fits is kept.",
    after=("CUT-01", "CUT-02", "CUT-03", "CUT-04"),
    examples=(
        *EXAMPLES, Cut("1\n\n\n2\n", 3, 99), Cut("1\n\n\n2\n", 9, 4),
        Cut("x\n" * 2100, 3000, FREE), Cut("x" * 70_000 + "\n1\n", 9, FREE),
    ),
)  # fmt: skip
def keeps_all_that_fits(script: Cut, harness: Harness) -> None:
    """One more line would break a budget.

    Catches a budget that is never quite used up, and line endings counted twice.
    """
    for kept in both_ends(script, harness):
        number = len(lines.split(kept.text, kept.model))
        if number < kept.fits:
            size = lines.size(kept.whole)
            fail(f"{kept.call} kept {number} lines, but {kept.fits} fit: they have {size} bytes")


@law(
    "CUT-06", tier=COURSE, needs=("truncate",), draws=cuts(), source="lesson 6, (kept, lines_shown)",
    hint="The second of the pair is the number of lines in the first, also when the last one has no ending.",
    after=("CUT-03",), examples=EXAMPLES,
)  # fmt: skip
def counts_what_it_kept(script: Cut, harness: Harness) -> None:
    """The second of the pair is the number of lines kept.

    Catches counts of line endings, counts of what was dropped, and counts from before the cut.
    """
    for kept in some_kept(script, harness):
        number = len(lines.split(kept.text, kept.model))
        check(
            kept.counted == number,
            f"{kept.call} says that it kept {kept.counted} lines, but it kept {number}",
        )


@law(
    "CUT-07", tier=COURSE, needs=("truncate",), draws=cuts(kind="giant"), source="lesson 6, statement 5",
    hint='A first line that is too big leaves nothing: return ("", 0), not half of it and not the next one.',
    after=("CUT-02", "CUT-03", "CUT-04", "CUT-06"),
    examples=(Cut("x" * 500, 20, 200), Cut("日本\n1\n", 9, 6), Cut("1\n" + "x" * 60, 9, 30)),
)  # fmt: skip
def keeps_nothing_of_a_giant(script: Cut, harness: Harness) -> None:
    """A first line over the byte budget, or at the tail a last one, leaves nothing: ("", 0).

    Catches half a line kept, the giant skipped, and None or a sentence in place of the pair.
    """
    for kept in both_ends(script, harness):
        if kept.end == "tail" and harness.policies.get("giants") == "partial":
            continue
        if kept.lines and not kept.fits:
            size = lines.size(kept.lines[0 if kept.end == "head" else -1])
            why = f"the line has {size} bytes, budget {script.max_bytes}"
            check(not kept.text, f"{kept.call} kept {shown(kept.text, 40)} where nothing fits: {why}")
            check(kept.counted == 0, f"{kept.call} kept nothing but says {kept.counted} lines: {why}")


@law(
    "CUT-08", tier=PRINCIPLE, needs=("truncate",), draws=cuts(), source="lesson 6, whole lines in a budget",
    hint="Cut the same text with a larger budget, and cut what was kept once more.",
    after=("CUT-05",), implied_by="CUT-02 to CUT-05 together say exactly what is kept",
)  # fmt: skip
def keeps_more_with_more_room(script: Cut, harness: Harness) -> None:
    """A larger budget keeps at least as much, and cutting twice is cutting once.

    Catches cuts that depend on anything but the text and the budgets.
    """
    for kept in both_ends(script, harness):
        again = cut_at(kept.end, Cut(kept.text, script.max_lines, script.max_bytes), harness)
        equal(
            (again.text, again.counted),
            (kept.text, kept.counted),
            f"a second cut at the {kept.end} with the same budgets",
        )
        for lines_, bytes_ in ((1, 0), (0, 1), (1, 40)):
            more = Cut(script.text, (script.max_lines or 0) + lines_, (script.max_bytes or 0) + bytes_)
            larger = cut_at(kept.end, more, harness)
            check(len(larger.text) >= len(kept.text), f"{larger.call} kept less than {kept.call}")


@law(
    "CUT-09", tier=PRINCIPLE, needs=("truncate",), draws=cuts(endings="plain", closed=True),
    source="lesson 6, the same job from the other end",
    hint="Turn the lines of a text round: the tail of the one is the head of the other.",
    after=("CUT-05",), implied_by="CUT-02 to CUT-05 hold at both ends",
)  # fmt: skip
def tail_mirrors_head(script: Cut, harness: Harness) -> None:
    """The tail cut is the head cut seen from the other end.

    Catches budgets that are counted differently at the two ends.
    """
    tail = cut_at("tail", script, harness)
    if tail.lines and not tail.fits and harness.policies.get("giants") == "partial":
        return
    mirrored = Cut("".join(tail.lines[::-1]), script.max_lines, script.max_bytes)
    head = cut_at("head", mirrored, harness)
    turned = "".join(lines.split(head.text, head.model)[::-1])
    equal(
        (tail.text, tail.counted),
        (turned, head.counted),
        f"what {tail.call} gave back, the head cut turned round,",
    )


_BROKEN = text_files(endings="any", surrogates=True)


@law(
    "CUT-10", tier=FIELD, needs=("truncate",), draws=cuts(texts=_BROKEN),
    source="reports of panics inside a character",
    hint="Cut between lines and never inside a character; what cannot be encoded is an error, not a crash.",
    examples=(Cut("日本\n🙂\n", 9, 5), Cut("1\ud800\n2\n", 1, 9)),
)  # fmt: skip
def never_splits_a_character(script: Cut, harness: Harness) -> None:
    """A cut never splits a character; what UTF-8 cannot encode is an error or a visible replacement.

    Catches cuts at a byte offset and replacement characters that the text does not hold.
    """
    sound = not any("\ud800" <= c <= "\udfff" for c in script.text)
    for end in ("head", "tail"):
        try:
            kept = cut_at(end, script, harness)
        except HarnessFault as fault:
            if sound or type(fault) is not HarnessFault:
                raise
            continue  # an error is an answer to a text that cannot be sent
        if sound:
            strange = sorted({c for c in kept.text if c not in script.text})
            check(
                not strange,
                f"{kept.call} kept {shown(kept.text)}, with characters the text does not hold: {strange}",
            )
        else:
            own = script.text.startswith(kept.text) if end == "head" else script.text.endswith(kept.text)
            says = any(mark in kept.text for mark in ("\ufffd", "\\u", "?"))
            check(
                own or says,
                f"{kept.call} kept {shown(kept.text)}: what cannot be encoded is gone without a word",
            )


def fixed_budgets(policies: Any) -> str | None:
    """Why the course's defaults and descriptions of budgets are not asked for, or None."""
    return "its tools have budgets of their own" if policies.get("budgets") == "fixed" else None


def _lines_shown(text: str, content: Any, who: str) -> int:
    """How many lines of a text of one letter stand in what a tool returned."""
    check(isinstance(content, str), f"{who} gave back {shown(content)} instead of text")
    return sum(bool(line) and set(line) == {text[0]} for line in re.split(r"[\n\[]", content))


@law(
    "CUT-11", tier=COURSE, needs=("truncate", "read", "bash"), draws=default_cuts(),
    source="lesson 6, MAX_LINES and MAX_BYTES",
    hint="The defaults are 2000 lines and 50_000 bytes, in both cuts and in the read and bash tools.",
    after=("CUT-04", "CUT-05"), unless=fixed_budgets,
    examples=(Cut("x\n" * 2001, None, None), Cut(("x" * 99 + "\n") * 501, None, None)),
)  # fmt: skip
def defaults_are_2000_lines_and_50000_bytes(script: Cut, harness: Harness) -> None:
    """Left out, the budgets are 2,000 lines and 50,000 bytes, in both cuts, in read and in bash.

    Catches other defaults (50 * 1024, 1,000 lines) and a tool whose default is not the cut's.
    """
    whole = f"{len(script.text.splitlines())} lines and {lines.size(script.text)} bytes"
    fits = {}
    for kept in both_ends(script, harness):
        number, fits[kept.end] = len(lines.split(kept.text, kept.model)), kept.fits
        equal(number, kept.fits, f"the number of lines that truncate_{kept.end} keeps of {whole} by default")
    desk = harness.desk({"a.txt": script.text}, {"run": Ran(script.text)}, None, None)
    for tool, arguments, end in (("read", {"path": "a.txt"}, "head"), ("bash", {"command": "run"}, "tail")):
        number = _lines_shown(script.text, desk.use(tool, arguments).content, tool)
        if number != fits[end]:
            said = f"{tool} gives back {number} lines of {whole} by default, not {fits[end]}"
            raise Violation(said, owner="BASH-01" if tool == "bash" else "READ-04")
