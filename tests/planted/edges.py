"""Planted bugs at the edges of texts and pages: blanks, long lines, rare separators, both budgets at once."""

from tests.miniatures.cut import HEAD, TAIL
from tests.planted.catalogue import bug


@bug("CUT-01", ("__init__", "", TAIL + (
    "    return _tail(text.rstrip(' '), max_lines, max_bytes)\n"
)), source="students")  # fmt: skip
def loses_blanks_at_the_very_end() -> None:
    """Blanks after the last line's last word are lost by the tail cut."""


@bug(
    "WRITE-01",
    (
        "write.make_write_tool",
        'str_arg(arguments, "content"))',
        '__import__("unicodedata").normalize("NFC", str_arg(arguments, "content")))',
    ),
    source="students",
)
def composes_what_it_writes() -> None:
    """Content is written in another Unicode normal form."""


@bug(
    "BILL-02",
    (
        "read.make_read_tool",
        "return _page(ws, arguments, max_lines, max_bytes)",
        'return _page(ws, arguments, max_lines, max_bytes) or "(read in 0.2 ms)"',
    ),
    source="students",
)
def times_an_empty_read() -> None:
    """Reading an empty file gives back how long it took."""


@bug("CUT-04", ("__init__", "", HEAD + (
    "    more = text.startswith(('\\n', '\\r\\n'))\n"
    "    return _head(text, max_lines + more, max_bytes)\n"
)), source="students")  # fmt: skip
def does_not_count_a_blank_first_line() -> None:
    """A blank line at the start of a text is kept on top of the budget."""


@bug(
    "CUT-04",
    ("truncation._how_many_fit", "    totals =", "    lines = [s[:2000] for s in lines]\n    totals ="),
    source="students",
)
def weighs_no_more_than_2000_characters() -> None:
    """A line longer than 2,000 characters is weighed as if it had no more."""


@bug(
    "READ-01",
    (
        "read._page",
        "    total = len(lines)\n",
        "    lines = [s if len(s) <= 2000 else s[:2000] + '...' + s[len(s.rstrip('\\r\\n')):] for s in lines]\n    total = len(lines)\n",
    ),
    source="students",
)
def shortens_lines_of_2000_characters() -> None:
    """A line of more than 2,000 characters is shown shortened although it fits."""


@bug("BASH-03", ("bash.make_bash_tool", "{code}", "{code if code < 2**31 else hex(code)}"), source="students")
def tells_large_codes_in_hex() -> None:
    """An exit code above two to the thirty-first is told in hexadecimal."""


@bug(
    "READ-04",
    (
        "read._page",
        "if last < total or",
        "if last < total and not (shown == max_lines and byte_size(page) == max_bytes) or",
    ),
    source="students",
)
def says_nothing_when_both_budgets_meet() -> None:
    """A page that is full by lines and by bytes at once carries no notice."""


@bug(
    "CUT-04",
    (
        "truncation._how_many_fit",
        "byte_size(line) for line in lines",
        "byte_size(line.translate({0x2028: 10, 0x2029: 10})) for line in lines",
    ),
    source="students",
)
def weighs_a_line_separator_as_one_byte() -> None:
    """U+2028 and U+2029 are weighed as one byte each."""


@bug("CUT-05", ("__init__", "", HEAD + (
    "    kept, count = _head(text, max_lines, max_bytes)\n"
    "    while kept != text and kept.endswith('\\n\\n'):\n"
    "        kept, count = kept[:-1], count - 1\n"
    "    return kept, count\n"
)), source="students")  # fmt: skip
def drops_blank_lines_at_the_cut() -> None:
    """Blank lines that stand right before the cut are dropped."""


@bug("READ-17", ("arguments.schema", '{"type": "integer"}', "{}"), source="students")
def offers_numbers_without_a_type() -> None:
    """The schema does not say that offset and limit are whole numbers."""


@bug(
    "READ-08",
    ("read._page", 'f"offset and limit start at 1, but they are {offset} and {limit}"', '"out of range"'),
    source="students",
)
def does_not_say_what_is_out_of_range() -> None:
    """The error on an offset below 1 says neither what it is about nor what was given."""


@bug("TOOL-02", (
    "tools._outcome", '    raise LookupError(f"there is no tool {name!r}")',
    "    if hasattr({}, str(name)):\n        return str(getattr({}, str(name)))\n"
    '    raise LookupError(f"there is no tool {name!r}")',
), source="the finding ai-sdk-6/unknown-tool-called-constructor")  # fmt: skip
def finds_tools_among_the_members_of_an_object() -> None:
    """A call of a name that is no tool's and that every dict has, such as get, gives what the dict has."""


@bug("LIMIT-05", (
    "loop.run_agent", "if has_failed(reply) or not calls:",
    'if has_failed(reply) or not calls or reply.get("stop_reason") in ("length", "content_filter"):',
), source="the finding ai-sdk-6/cut-off-calls-stay-open")  # fmt: skip
def leaves_the_calls_of_a_cut_reply_open() -> None:
    """The calls of a reply that is labelled as cut off are neither run nor answered."""
