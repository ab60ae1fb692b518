"""CUT, the edges: lines over the budget, texts that cannot be encoded, budgets that were left out."""

from __future__ import annotations

import re
from typing import Any

from adapters.contract import Harness, HarnessFault
from properties.checks import Violation, check, equal, shown
from properties.kept import both_ends, cut_at, fixed_budgets
from properties.registry import COURSE, FIELD, law
from strategies import lines
from strategies.script import Cut, Ran
from strategies.texts import cuts, default_cuts, text_files


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
