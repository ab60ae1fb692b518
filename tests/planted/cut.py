"""Planted bugs of the CUT chapter: sizes, budgets, line endings and ends of a text."""

from tests.miniatures.cut import HEAD, TAIL
from tests.planted.catalogue import bug

BOTH = (
    "\n_ends = truncate_head, truncate_tail\n\n\n"
    "def truncate_head(text, max_lines=2000, max_bytes=50_000):\n"
    "    return _cut(_ends[0], text, max_lines, max_bytes)\n\n\n"
    "def truncate_tail(text, max_lines=2000, max_bytes=50_000):\n"
    "    return _cut(_ends[1], text, max_lines, max_bytes)\n\n\n"
    "def _cut(end, text, max_lines, max_bytes):\n"
)
FIT = "truncation._how_many_fit"
SIZE = "byte_size(line) for line in lines"


# ---- sizes --------------------------------------------------------------------------------


@bug("CUT-04", (FIT, SIZE, "len(line) for line in lines"), source="students")
def counts_characters_for_bytes() -> None:
    """The byte budget is held against characters."""


@bug("CUT-04", (FIT, SIZE, 'byte_size(line) - sum(c > "\\uffff" for c in line) for line in lines'),
     source="students")  # fmt: skip
def takes_emoji_for_three_bytes() -> None:
    """A character outside the basic plane counts three bytes, not four."""


@bug("CUT-04", (FIT, SIZE, 'byte_size(line.replace("\\r\\n", "\\n")) for line in lines'), source="students")
def counts_crlf_as_one_byte() -> None:
    """CRLF counts one byte."""


@bug("CUT-05", (FIT, SIZE, 'byte_size(line) + line.endswith("\\r\\n") for line in lines'), source="students")
def counts_the_line_feed_of_crlf_twice() -> None:
    """CRLF counts three bytes, so that such lines fill the budget too early."""


@bug("CUT-04", (FIT, SIZE, "byte_size(line.splitlines()[0]) for line in lines"), source="students")
def leaves_endings_out_of_the_size() -> None:
    """Line endings do not count against the byte budget."""


@bug("CUT-05", (FIT, SIZE, 'byte_size(line) + (line[-1:] not in "\\r\\n") for line in lines'),
     source="students")  # fmt: skip
def counts_an_ending_that_is_not_there() -> None:
    """A last line without a line ending is counted as if it had one."""


@bug("CUT-04", (FIT, SIZE, 'byte_size(line.removeprefix("\\ufeff")) for line in lines'), source="students")
def weighs_no_byte_order_mark() -> None:
    """A byte order mark counts nothing."""


# ---- budgets ------------------------------------------------------------------------------


@bug("CUT-01", (FIT, "total <= max_bytes", "total < max_bytes"), source="students")
def never_uses_up_the_bytes() -> None:
    """A text of exactly max_bytes bytes is cut."""


@bug("CUT-04", ("__init__", "", BOTH + "    return end(text, max(2, max_lines), max_bytes)\n"),
     source="students")  # fmt: skip
def keeps_two_lines_at_least() -> None:
    """A budget of one line keeps two."""


@bug("CUT-05", ("__init__", "", BOTH + (
    "    kept, count = end(text, max_lines, max_bytes)\n"
    "    if kept != text and count > 1 and len(kept.encode(errors='surrogatepass')) == max_bytes:\n"
    "        return end(text, count - 1, max_bytes)\n"
    "    return kept, count\n")), source="students")  # fmt: skip
def stops_when_the_bytes_are_used_up() -> None:
    """Of a text that is cut, the line that uses up the last byte of the budget is not kept."""


@bug("CUT-05", ("__init__", "", BOTH + (
    "    kept, count = end(text, max_lines, max_bytes)\n"
    "    full = count == max_lines and len(kept.encode(errors='surrogatepass')) == max_bytes\n"
    "    return end(text, count - 1, max_bytes) if full and count > 1 else (kept, count)\n")),
    source="students")  # fmt: skip
def stops_early_when_both_budgets_meet() -> None:
    """One line less is kept when the same line uses up both budgets."""


@bug("CUT-11", (FIT, "islice(totals, max_lines)", "islice(totals, max_lines - (max_lines == 2000))"),
     source="students")  # fmt: skip
def keeps_1999_lines() -> None:
    """At the default budget of 2,000 lines one less is kept."""


@bug("CUT-11", (FIT, "total <= max_bytes", "total <= max_bytes - (max_bytes == 50_000)"), source="students")
def keeps_49999_bytes() -> None:
    """A text of exactly the default 50,000 bytes is cut."""


@bug("CUT-11", ("truncation.truncate_tail", "max_bytes: int = 50_000", "max_bytes: int = 50 * 1024"),
     source="students")  # fmt: skip
def takes_50_kib_at_the_tail() -> None:
    """Left out, the byte budget of the tail cut is 50 * 1024."""


@bug("CUT-05", ("truncation.truncate_tail", "    lines = text.splitlines(keepends=True)[::-1]\n",
                '    lines = [f"{part}\\n" for part in text.split("\\n")[:-1]]\n'
                '    lines = (lines + [text[text.rfind("\\n") + 1 :]] * (not text.endswith("\\n")))[::-1]\n'),
     source="langchain-ai/deepagents#5787")  # fmt: skip
def counts_line_feeds_at_the_tail() -> None:
    """The tail cut takes line feeds for the only line endings, the head cut takes all of them."""


# ---- whole lines from the right end -------------------------------------------------------


@bug("CUT-02", ("truncation.truncate_tail", '"".join(kept[::-1])', '"".join(kept)'), source="students")
def keeps_the_tail_backwards() -> None:
    """The lines of the tail come out last line first."""


@bug("CUT-02", ("truncation.truncate_head", "    kept = lines[",
                "    lines = lines[:1] + [line for line in lines[1:] if byte_size(line) <= max_bytes]\n"
                "    kept = lines["), source="students")  # fmt: skip
def passes_over_giants_inside() -> None:
    """A line over the budget that is not the first is left out, and the lines after it are kept."""


@bug("CUT-03", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    if kept != text and kept[-1:] in ('\\x0b', '\\x0c', '\\x1c', '\\x1d', '\\x1e', '\\x85', '\\u2028'):\n"
    "        kept = kept[:-1] if kept.splitlines()[-1] else kept\n"
    "    return kept, count\n")), source="students")  # fmt: skip
def drops_a_rare_ending_at_the_cut() -> None:
    """The last line that is kept loses its ending if that is a rare separator."""


@bug("CUT-03", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    if kept != text and count and len(kept.encode(errors='surrogatepass')) < max_bytes:\n"
    "        kept += text[len(kept) :][: max_bytes - len(kept.encode(errors='surrogatepass'))][:3].split('\\n')[0]\n"
    "    return kept, len(kept.splitlines())\n")), source="students")  # fmt: skip
def begins_the_next_line() -> None:
    """Room that is left is filled with the beginning of the next line."""


@bug("CUT-02", ("__init__", "", HEAD + "    return _head(text.removeprefix('\\ufeff'), max_lines, max_bytes)\n"),
     source="students")  # fmt: skip
def drops_the_byte_order_mark() -> None:
    """A byte order mark at the start of the text is dropped."""


@bug("CUT-02", ("__init__", "", TAIL + (
    "    import unicodedata\n"
    "    return _tail(unicodedata.normalize('NFC', text), max_lines, max_bytes)\n")),
    source="students")  # fmt: skip
def composes_accents_at_the_tail() -> None:
    """The tail is normalised, so that e and a combining accent become one character."""


@bug("CUT-01", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    if text.endswith('\\r') and kept == text:\n"
    "        kept += '\\n'\n"
    "    return kept, count\n")), source="students")  # fmt: skip
def completes_a_lone_cr() -> None:
    """A text that fits and ends in a lone CR gets a line feed after it."""


@bug("CUT-05", ("__init__", "", TAIL + (
    "    kept, count = _tail(text, max_lines, max_bytes)\n"
    "    if kept != text and count > 1 and not kept.endswith('\\n'):\n"
    "        return _tail(text, count - 1, max_bytes)\n"
    "    return kept, count\n")), source="students")  # fmt: skip
def loses_a_line_without_a_final_newline() -> None:
    """The tail of a text without a last line ending is one line short."""


# ---- counts, giants, characters -----------------------------------------------------------


@bug("CUT-06", ("truncation.truncate_tail", "len(kept)", "len(lines)"), source="students")
def counts_the_whole_text() -> None:
    """The tail cut gives the number of lines of the whole text."""


@bug("CUT-06", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    return kept, kept.count('\\n') + (kept[-1:] not in ('', '\\n'))\n")), source="students")  # fmt: skip
def counts_no_rare_separators() -> None:
    """Lines are cut at every separator, but counted by their line feeds."""


@bug("CUT-07", ("__init__", "", BOTH + (
    "    kept, count = end(text, max_lines, max_bytes)\n"
    "    lines = text.splitlines(keepends=True)\n"
    "    if count or len(lines) < 2:\n"
    "        return kept, count\n"
    "    return end(''.join(lines[1:] if end is _ends[0] else lines[:-1]), max_lines, max_bytes)\n")),
    source="students")  # fmt: skip
def steps_over_a_giant() -> None:
    """A first line over the budget, or at the tail a last one, is left out and the next ones are kept."""


@bug("CUT-07", ("__init__", "", BOTH + (
    "    kept, count = end(text, max_lines, max_bytes)\n"
    "    if count or not text:\n"
    "        return kept, count\n"
    "    giant = text.splitlines(keepends=True)[0 if end is _ends[0] else -1]\n"
    "    part = giant.encode(errors='replace')[:max_bytes].decode(errors='ignore')\n"
    "    part = part if giant.encode(errors='replace').decode() == giant else ''\n"
    "    return part, len(part.splitlines())\n")), source="students")  # fmt: skip
def keeps_the_beginning_of_a_giant() -> None:
    """Of a line over the budget the part that fits is kept, at either end."""


@bug("CUT-07", ("truncation.truncate_tail", "lines[: _how_many_fit(lines, max_lines, max_bytes)]",
                "lines[::-1][-_how_many_fit(lines, max_lines, max_bytes) :][::-1]"),
     source="students")  # fmt: skip
def takes_minus_zero_for_everything() -> None:
    """At the tail, where nothing fits everything is kept, because a slice from -0 is the whole list."""


@bug("CUT-07", ("__init__", "", BOTH + (
    "    kept, count = end(text, max_lines, max_bytes)\n"
    "    return kept, count or int(bool(text))\n")), source="students")  # fmt: skip
def counts_one_line_of_a_giant() -> None:
    """Where nothing fits the text is empty, but one line is counted."""


@bug("CUT-10", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    if text and not count:\n"
    "        text.encode(errors='surrogatepass')[:max_bytes].decode(errors='surrogatepass')\n"
    "    return kept, count\n")), source="mofa-org/mofa#1064")  # fmt: skip
def breaks_inside_a_character() -> None:
    """A first line over the budget is cut at a byte offset, which fails inside a character."""


@bug("CUT-10", ("__init__", "", TAIL + (
    "    kept, count = _tail(text, max_lines, max_bytes)\n"
    "    return ''.join(c for c in kept if not '\\udc00' <= c <= '\\udfff'), count\n")),
    source="students")  # fmt: skip
def drops_low_surrogates() -> None:
    """Characters that stand for undecodable bytes vanish from the tail."""
