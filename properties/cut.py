"""CUT, what is kept of a text that is cut to a budget, at its head or at its tail."""

from __future__ import annotations

from adapters.contract import Harness
from properties.checks import check, equal, fail, shown
from properties.kept import DEFAULT_BYTES, DEFAULT_LINES, both_ends, cut_at, first_difference, some_kept
from properties.registry import COURSE, PRINCIPLE, law
from strategies import lines
from strategies.budgets import FREE
from strategies.script import Cut
from strategies.texts import cuts

EXAMPLES = (
    Cut("1\n2\n3\n", 2, 200), Cut("1\n2\n3\n", 20, 5), Cut("日本\n1\n", 9, 4), Cut("1\r\n2\r\n", 9, 5),
    Cut("1\n" + "x" * 60 + "\n3\n", 9, 30), Cut("🙂\n1\n🙂\n", 9, 6),
    Cut("1\n2\n", 1, 200), Cut("1\r2\x0c3\r\n4\u20285", 9, 200),
    Cut("\ufeff1\n\n\t\x00e\u0301 \n\x1b[31m4\xa0\\n\n", 9, 200),
)  # fmt: skip
RARE_ENDINGS = ("\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


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
    "CUT-08", tier=PRINCIPLE, version=2, needs=("truncate",), draws=cuts(),
    source="lesson 6, whole lines in a budget",
    hint="Cut the same text with a larger budget, and cut what was kept once more.",
    after=("CUT-05",), implied_by="CUT-02 to CUT-05 together say exactly what is kept",
)  # fmt: skip
def keeps_more_with_more_room(script: Cut, harness: Harness) -> None:
    """A larger budget keeps at least as much, and cutting twice is cutting once.

    Catches cuts that depend on anything but the text and the budgets.
    """
    for kept in both_ends(script, harness):
        again = cut_at(kept.end, Cut(kept.text, script.max_lines, script.max_bytes), harness)
        part = not kept.text and harness.policies.get("giants") == "partial"  # of a line, or no line
        equal(
            (again.text, kept.counted if part else again.counted),
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
