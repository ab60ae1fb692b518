"""Miniatures of the CUT chapter: the public functions are broken, the tools keep the right ones."""

from tests.miniatures.planting import plant

HEAD = "\n_head = truncate_head\n\n\ndef truncate_head(text, max_lines=2000, max_bytes=50_000):\n"
TAIL = "\n_tail = truncate_tail\n\n\ndef truncate_tail(text, max_lines=2000, max_bytes=50_000):\n"


@plant("CUT-01", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    whole = kept == text and text and not text.endswith('\\n')\n"
    "    return (kept + '\\n' if whole else kept), count\n")))  # fmt: skip
def closes_the_last_line() -> None:
    """A text that fits gets a line break at its end."""


@plant("CUT-02", ("__init__", "", TAIL + "    return truncate_head(text, max_lines, max_bytes)\n"))
def cuts_the_wrong_end() -> None:
    """truncate_tail keeps the start of the text."""


@plant("CUT-03", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    return kept.removesuffix('\\n') if kept != text else kept, count\n")))  # fmt: skip
def drops_the_last_ending() -> None:
    """The last line that is kept of a cut text loses its ending."""


@plant("CUT-04", ("__init__", "", HEAD + "    return _head(text, max_lines + 1, max_bytes)\n"))
def keeps_one_line_too_many() -> None:
    """One line more than max_lines is kept."""


@plant("CUT-05", ("__init__", "", TAIL + "    return _tail(text, max_lines, max_bytes - 1)\n"))
def leaves_one_byte_free() -> None:
    """A text of exactly max_bytes is cut."""


@plant("CUT-06", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    return kept, kept.count('\\n')\n")))  # fmt: skip
def counts_line_breaks() -> None:
    """The count is the number of line breaks kept, one too few when the last line has none."""


@plant("CUT-07", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    if not count and text:\n"
    "        return text.encode()[:max_bytes].decode(errors='ignore'), 1\n"
    "    return kept, count\n")))  # fmt: skip
def keeps_half_a_giant() -> None:
    """Of a first line over the budget the part that fits is kept."""


@plant("CUT-08", ("__init__", "", HEAD + (
    "    return _head(text, max_lines - 2 * (max_lines > 2 and max_lines % 2 == 0), max_bytes)\n")))  # fmt: skip
def does_not_like_even_budgets() -> None:
    """An even line budget is taken for two lines less."""


@plant("CUT-09", ("__init__", "", TAIL + (
    "    kept, count = _tail(text, max_lines, max_bytes)\n"
    "    return (kept, count) if count < 2 else _tail(text, count - 1, max_bytes)\n")))  # fmt: skip
def the_tail_is_one_line_shorter() -> None:
    """truncate_tail keeps one line less than truncate_head would from the other end."""


@plant("CUT-10", ("__init__", "", HEAD + (
    '    return _head(text.encode(errors="ignore").decode(), max_lines, max_bytes)\n')))  # fmt: skip
def drops_what_it_cannot_encode() -> None:
    """Lone surrogates vanish from the text without a word."""


@plant("CUT-11", ("__init__", "", HEAD.replace("2000", "2001") + "    return _head(text, max_lines, max_bytes)\n"))
def has_another_default() -> None:
    """Left out, the line budget is 2,001."""
