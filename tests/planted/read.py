"""Planted bugs of the READ chapter on one page: offsets, limits, arguments, errors, missing files, decoding."""

from tests.planted.catalogue import bug

PAGE = "read._page"
PAST = "    if offset > max(total, 1):\n"
MISSING = """raise FileNotFoundError(f"No file {path!r}. Here are {[*ws.listdir('.')]}.")"""
DOWN = "    if offset < 1 or limit < 1:\n"


# ---- offsets and limits out of range ------------------------------------------------------


@bug("READ-07", (PAGE, "max(total, 1)", "total"), source="students")
def refuses_an_empty_file() -> None:
    """Reading an empty file is an error, because its first line is past the end."""


@bug("READ-04", (PAGE, PAST, "    if offset >= max(total, 2):\n"), source="students")
def takes_the_last_line_for_past_the_end() -> None:
    """The last line cannot be asked for by its number."""


@bug("READ-07", (PAGE, "{total} lines in {path}", "{ws.read_text(path).count(chr(10))} lines in {path}"),
     source="students")  # fmt: skip
def forgets_an_unended_line_in_the_error() -> None:
    """The error past the end counts line feeds, one too few when the last line has none."""


@bug("READ-07", (PAGE, PAST, "    if offset > total + 500:\n        offset = max(total, 1)\n" + PAST),
     source="students")  # fmt: skip
def goes_back_from_far_past_the_end() -> None:
    """An offset far past the end shows the last line instead of an error."""


@bug("READ-07", (PAGE, PAST, "    if total and offset > total and limit != max_lines:\n        return ''\n" + PAST),
     source="students")  # fmt: skip
def says_nothing_past_the_end_with_a_limit() -> None:
    """With a limit, an offset past the end gives an empty page."""


@bug("READ-07", (PAGE, "    wanted = lines[", "    if not total:\n        return '(empty file)'\n    wanted = lines["),
     source="students")  # fmt: skip
def describes_an_empty_file() -> None:
    """An empty file is described by a remark that the file does not hold."""


@bug("READ-08", (PAGE, DOWN, "    if offset < 0:\n"
                 "        offset = max(1, len(ws.read_text(path).splitlines()) + 1 + offset)\n" + DOWN),
     source="students")  # fmt: skip
def counts_negative_offsets_from_the_end() -> None:
    """A negative offset counts from the end of the file."""


@bug("READ-08", (PAGE, '"offset", 1)', '"offset", 1) or 1'), source="students")
def takes_offset_zero_for_one() -> None:
    """Offset 0 shows the first line."""


@bug("READ-08", (PAGE, '"limit", max_lines)', '"limit", max_lines) or max_lines'),
     source="langchain-ai/deepagents#5180")  # fmt: skip
def takes_limit_zero_for_none() -> None:
    """A limit of 0 is taken for no limit at all."""


@bug("READ-08", (PAGE, DOWN, "    if limit == -1:\n        limit = max_lines\n" + DOWN), source="students")
def takes_limit_minus_one_for_everything() -> None:
    """A limit of -1 means as much as there is."""


@bug("READ-08", (PAGE, DOWN, "    if offset < 1 and limit >= 1:\n        return ''\n" + DOWN),
     source="langchain-ai/deepagents#5180")  # fmt: skip
def shows_nothing_before_the_first_line() -> None:
    """An offset below 1 gives an empty page, not an error."""


@bug("READ-08", (PAGE, "offset - 1 + limit]", "max(offset, limit)]"), source="students")
def takes_the_limit_for_the_last_line() -> None:
    """The limit is taken for the number of the last line wanted."""


@bug("READ-08", (PAGE, "offset - 1 + limit]", "offset - 1 + limit + (offset > 1 and limit < 4)]"), source="students")
def shows_one_line_more_after_the_first() -> None:
    """A limit of one to three lines shows one more, anywhere but at the start of the file."""


@bug("READ-08", (PAGE, "    wanted = lines[", "    limit = max_lines if offset == total - 1 else limit\n    wanted = lines["),
     source="students")  # fmt: skip
def drops_the_limit_near_the_end() -> None:
    """The limit is ignored from the last line but one on."""


@bug("READ-08", (PAGE, "offset - 1 + limit]", "offset - 1 + limit - (limit > 2 and limit % 2)]"), source="students")
def rounds_limits_down() -> None:
    """A limit of three and more lines is rounded down to an even number."""


@bug("READ-03", (PAGE, "    page, shown =", "    max_lines = len(wanted) if limit > 50_000 else max_lines\n    page, shown ="),
     source="students")  # fmt: skip
def takes_a_huge_limit_for_the_budget() -> None:
    """A limit far beyond any file lifts the line budget."""


@bug("READ-03", (PAGE, "_lines, max_bytes)", "_lines, max_bytes if limit < 500 else 10**9)"),
     ("read._page", "    if wanted and not shown:\n", "    if wanted and (not shown or byte_size(wanted[0]) > max_bytes):\n"),
     source="langchain-ai/deepagents#553")  # fmt: skip
def forgets_bytes_for_large_limits() -> None:
    """A limit of hundreds of lines lifts the byte budget."""


@bug("READ-13", (PAGE, "    page, shown =", "    if limit < max_lines:\n"
                 "        within = ''.join(lines[offset - 1 :]).split('\\n')[:limit]\n"
                 "        wanted = ''.join(lines[offset - 1 :])[: len('\\n'.join(within)) + 1].splitlines(True)\n"
                 "    page, shown ="), source="langchain-ai/deepagents#5787")  # fmt: skip
def counts_limits_in_line_feeds() -> None:
    """The limit counts line feeds, offset and notice count every separator."""


@bug("READ-13", (PAGE, "of {total}. Use", "of {total - sum(s[-1] in '\x0b\x0c' for s in lines)}. Use"), source="students")
def leaves_page_breaks_out_of_the_total() -> None:
    """Lines that end in a form feed or a vertical tab are not in the total that the notice gives."""


# ---- files that are not there -------------------------------------------------------------


@bug("READ-11", (PAGE, MISSING, "return ''"),
     source="students")  # fmt: skip
def takes_a_missing_file_for_an_empty_one() -> None:
    """A file that is not there reads as an empty one."""


@bug("READ-11", (PAGE, MISSING, 'return f"Error: no file {path!r}."'),
     source="gleanwork/glean-agent-toolkit#42")  # fmt: skip
def reports_a_missing_file_as_a_success() -> None:
    """The sentence on a missing file is an ordinary result, not an error."""


@bug("READ-11", (PAGE, "No file {path!r}.", "No file {path.rpartition('/')[2]!r}."),
     source="students")  # fmt: skip
def names_a_missing_file_without_its_folder() -> None:
    """The error for a missing file leaves its folder out."""


@bug("READ-11", (PAGE, "    if not ws.exists(path):", "    path = path.strip()\n    if not ws.exists(path):"),
     source="students")  # fmt: skip
def strips_the_path_to_read() -> None:
    """Blanks round a path are removed before the file is looked for, so that another one is shown."""


@bug("READ-11", (PAGE, MISSING, MISSING.replace("{[*ws.listdir('.')]}", "{[n for n in ws.listdir('.') if n[-3:] == '.py']}")),
     source="students")  # fmt: skip
def lists_files_of_one_kind() -> None:
    """The error for a missing file lists only files whose names end like the one asked for."""


@bug("READ-11", (PAGE, MISSING, MISSING.replace("{[*ws", "{[] if ws.listdir('.')[3:] else [*ws")),
     source="No-Compromise-AI/glm-mcp#40")  # fmt: skip
def lists_all_files_or_none() -> None:
    """When not all names fit into the error for a missing file, none is listed."""


@bug("READ-19", ("read.make_read_tool", "clipped(reason(error), max_bytes)", "reason(error)[:max_bytes]"), source="students")
def cuts_errors_by_characters() -> None:
    """An error is cut to so many characters as it may have bytes."""


@bug("READ-19", ("text.clipped", 'decode(errors="ignore")', "decode()"), source="mofa-org/mofa#1064")
def breaks_cutting_an_error() -> None:
    """An error that is cut inside a character is lost to the decoding error."""


# ---- what the model is told ---------------------------------------------------------------


@bug("READ-15", ("bash.make_bash_tool", "{max_lines} lines or {max_bytes} bytes, and", "{max_lines} lines or 50000 bytes, and"),
     source="students")  # fmt: skip
def bash_states_the_default_bytes() -> None:
    """The description of bash states 50,000 bytes whatever the budget is."""


@bug("READ-15", ("read.make_read_tool", "{max_bytes} bytes: `offset`", "{max_bytes // 1000} KB: `offset`"), source="students")
def states_whole_kilobytes() -> None:
    """The description of read rounds the byte budget down to thousands."""


@bug("READ-15", ("read.make_read_tool", "at most {max_lines} lines or", "at most {min(max_lines, 2000)} lines or"), source="students")
def states_the_default_at_most() -> None:
    """The description of read states 2,000 lines when the budget is larger."""


@bug("READ-17", ("arguments.schema", '"required": [*texts]', '"required": [*asked]'), source="students")
def requires_every_argument() -> None:
    """The parameters call offset and limit required, although they may be left out."""


@bug("READ-17", ("bash.make_bash_tool", 'schema(["command"], [])', 'schema(["cmd"], [])'), source="students")
def advertises_another_name() -> None:
    """The parameters of bash offer cmd, but the tool reads command."""


@bug("READ-17", ("write.make_write_tool", 'schema(["path", "content"], [])', 'schema(["path"], [])'), source="students")
def does_not_offer_content() -> None:
    """The parameters of write do not offer content."""


# ---- characters and bytes -----------------------------------------------------------------


@bug("READ-18", (PAGE, "_check(wanted[:shown], offset)", "_check(wanted[:shown], 1)"), source="students")
def counts_bad_lines_from_the_page() -> None:
    """The error on a line that cannot be encoded counts lines from the page's first."""


@bug("READ-18", ("read._check", "if sendable(line) != line:", 'if any("\\ud800" <= c <= "\\udbff" for c in line):'),
     source="students")  # fmt: skip
def overlooks_low_surrogates() -> None:
    """Only high surrogates are looked for; a low one is shown as other characters."""


@bug("READ-18", ("read._check", 'f"line {number} has characters', 'f"a line of this page has characters'), source="students")
def does_not_say_which_line_is_bad() -> None:
    """The error on a page that cannot be encoded does not say which line it is."""


@bug("READ-18", (PAGE, "_check(wanted[:shown], offset)", "_check(wanted[: shown - 1] or wanted[:1], offset)"), source="students")
def does_not_check_the_last_line() -> None:
    """The last line of a page is not checked for what cannot be encoded, unless it is the only one."""


@bug("READ-16", ("__init__", "", (
    "EXTRAS = ['bytes']\n_run_tool = run_tool\n\n\n"
    "def run_tool(tools, call):\n"
    "    result = _run_tool(tools, call)\n"
    "    return {**result, 'content': ''} if \"can't decode\" in result['content'] else result\n")),
    source="PrimeIntellect-ai/nano-rlm PR 61")  # fmt: skip
def is_silent_about_bad_bytes() -> None:
    """The error on a file that is not UTF-8 has no text."""
