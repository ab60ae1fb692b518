"""Planted bugs of the READ chapter from page to page: notices, advice, gluing, imitations, giant lines."""

from tests.planted.catalogue import bug

PAGE = "read._page"
MORE = "if last < total or _ends_like_a_notice(page):"
LINES = "    lines = ws.read_text(path).splitlines(keepends=True)\n"
TEXT = "ws.read_text(path)"


# ---- the notice ---------------------------------------------------------------------------


@bug("READ-04", (PAGE, "of {total}. Use", "of {text.count(chr(10)) + 1 if last < total else total}. Use"),
     (PAGE, LINES, LINES + "    text = ''.join(lines) if lines[:1] and lines[0].endswith('\\r\\n') else chr(10) * (len(lines) - 1)\n"),
     source="students")  # fmt: skip
def counts_one_line_more_in_crlf_files() -> None:
    """In a file with CRLF the notice counts the nothing after the last ending as a line."""


@bug("READ-04", (PAGE, "of {total}. Use", "of {min(total, last + 1)}. Use"), source="topcheer/ggcode#2306")
def knows_one_line_beyond_the_page() -> None:
    """The notice gives as the file's length what was looked at, one line more than is shown."""


@bug("READ-04", (PAGE, "of {total}. Use", "of {total:,}. Use"), source="students")
def separates_thousands() -> None:
    """In files of a thousand lines and more the notice writes the total as 2,400."""


@bug("READ-04", (PAGE, "{offset}-{last} of", "{offset - (offset > 1000)}-{last} of"), source="students")
def begins_one_line_early_in_words() -> None:
    """Beyond line 1,000 the notice gives a first line that is one too small."""


@bug("READ-04", (PAGE, MORE, "if last < total - 1 or _ends_like_a_notice(page):"), source="students")
def thinks_one_line_is_nothing() -> None:
    """When exactly one line is left there is no notice."""


@bug("READ-04", (PAGE, MORE, 'if "".join(lines[last:]).strip() or _ends_like_a_notice(page):'), source="students")
def thinks_blank_lines_are_nothing() -> None:
    """When only blank lines are left there is no notice."""


@bug("READ-04", (PAGE, MORE, "if last < total or limit == shown < max_lines or _ends_like_a_notice(page):"),
     source="students")  # fmt: skip
def announces_more_after_the_last_page() -> None:
    """When the limit is exactly the number of lines left, the last page carries a notice."""


@bug("READ-04", (PAGE, MORE, "if last < total and shown == min(limit, max_lines) or _ends_like_a_notice(page):"),
     source="No-Compromise-AI/glm-mcp#40")  # fmt: skip
def says_nothing_of_cut_bytes() -> None:
    """A page that the byte budget cuts has no notice."""


@bug("READ-04", ("read.make_read_tool", "return _page(ws, arguments, max_lines, max_bytes)",
                 "return clipped(sendable(_page(ws, arguments, max_lines, max_bytes)), max_bytes)"),
     source="monotykamary/pi-fabric PR 138")  # fmt: skip
def cuts_its_own_notice() -> None:
    """Page and notice together are cut to the byte budget, which takes the notice away."""


@bug("READ-04", (PAGE, "        page += f", "        page = page.rstrip() + '\\n'\n        page += f"), source="students")
def strips_a_page_before_its_notice() -> None:
    """Blank lines and trailing blanks at the end of a cut page are lost."""


@bug("READ-04", (PAGE, "    return page\n", "    return page + '\\n' * (last == total and offset > 1 and page[-1:] != '\\n' and page[-1:] != ']')\n"),
     source="students")  # fmt: skip
def ends_the_last_page() -> None:
    """A last page without a line ending gets one, unless it is the only page."""


# ---- gluing pages together ----------------------------------------------------------------


@bug("READ-01", (PAGE, "    return page\n", "    lone = page.splitlines() != page.split('\\n')[:-1] and page.splitlines(True)[-1:] != page.splitlines()[-1:]\n"
                 "    whole = offset == 1 and limit == max_lines and last == total\n"
                 "    return page + '\\n' if whole and lone and page[-1:] != '\\n' else page\n"), source="students")  # fmt: skip
def ends_a_whole_file_with_a_line_feed() -> None:
    """A file that is read whole and ends in a rare separator gets a line feed after it."""


@bug("READ-01", (PAGE, "lines[offset - 1 : offset - 1 + limit]", "lines[:limit]"), source="Kilo-Org/kilocode#12756")
def reads_from_the_first_line() -> None:
    """Every page begins at line 1, whatever the offset is."""


@bug("READ-01", (PAGE, TEXT, TEXT + '.removeprefix("\\ufeff")'), source="students")
def drops_the_mark_at_the_start() -> None:
    """A byte order mark at the start of a file is not shown."""


@bug("READ-01", (PAGE, TEXT, TEXT + '.replace("\\r\\n", "\\n")'), source="students")
def shows_crlf_as_lf() -> None:
    """CRLF is shown as LF."""


@bug("READ-04", (PAGE, TEXT, TEXT + '.replace("\\0", "")'), source="students")
def drops_nul() -> None:
    """NUL characters are not shown."""


@bug("READ-01", (PAGE, TEXT, '__import__("re").sub(r"\\x1b\\[[0-9;]*m", "", ws.read_text(path))'), source="students")
def removes_colours() -> None:
    """Escape sequences for colours are removed from a file."""


@bug("READ-04", (PAGE, LINES, LINES + "    lines = [s.rstrip(' \\t\\r\\n') + s[len(s.rstrip('\\r\\n')) :] if s.strip() else s for s in lines]\n"),
     source="students")  # fmt: skip
def strips_trailing_blanks() -> None:
    """Blanks at the ends of lines are not shown."""


@bug("READ-01", (PAGE, LINES, LINES + "    lines[1000:] = [s for s in lines[1000:] if s.strip('=\\r\\n ')]\n"), source="students")
def skips_rules_in_long_files() -> None:
    """Beyond line 1,000, lines that are blank or a rule of equals signs are left out."""


@bug("READ-09", (PAGE, "        page += f", "        page += '\\n' * (page.endswith('\\r') and limit < max_lines)\n        page += f"),
     source="students")  # fmt: skip
def completes_a_cr_at_the_limit() -> None:
    """A page that a limit cuts behind a lone CR gets a line feed more."""


@bug("READ-10", ("tools._outcome", "            return _text(tool[\"execute\"](deepcopy(call.get(\"arguments\"))))",
                 "            text = _text(tool[\"execute\"](deepcopy(call.get(\"arguments\"))))\n"
                 "            return text[:50_000] if \"offset\" in tool[\"parameters\"].get(\"properties\", ()) else text"),
     source="monotykamary/pi-fabric PR 138")  # fmt: skip
def cuts_full_pages_once_more() -> None:
    """What read gives back is cut to 50,000 characters once more, which takes the notice of a full page away."""


# ---- imitations ---------------------------------------------------------------------------


@bug("READ-12", ("read._ends_like_a_notice", r"Use offset=\d+ to", r"Use offset=\d\d+ to"), source="students")
def believes_imitations_of_early_pages() -> None:
    """A last line that imitates a notice with an offset below 10 is left standing alone."""


@bug("READ-12", (PAGE, MORE, "if last < total or offset > 1 and _ends_like_a_notice(page):"), source="students")
def believes_imitations_in_short_files() -> None:
    """A file of a single page that ends in an imitation of a notice gets no true one."""


@bug("READ-12", (PAGE, MORE, "if last < total or page.endswith('\\n') and _ends_like_a_notice(page):"), source="students")
def believes_unended_imitations() -> None:
    """A file that ends in an imitation without a line ending gets no true notice."""


@bug("READ-12", (PAGE, '        if page.endswith("]"):', '        if page.endswith("]") and last < total:'), source="students")
def glues_its_notice_to_an_imitation() -> None:
    """The true notice stands on the same line as an imitation without a line ending."""


@bug("READ-12", ("read._ends_like_a_notice", "page.splitlines()[-1:]", "[s.rstrip('\\r') for s in page.split('\\n')][-1:]"),
     source="students")  # fmt: skip
def looks_behind_the_last_line() -> None:
    """A last line that imitates a notice is seen only if it has no line ending."""


# ---- giant lines --------------------------------------------------------------------------


@bug("READ-05", (PAGE, "byte_size(wanted[0])", 'byte_size("".join(wanted))'), source="students")
def gives_the_size_of_the_rest() -> None:
    """The advice gives the size of all that was wanted as the size of the line."""


@bug("READ-05", ("read._advice", "takes {size} bytes", "takes {size / 1000:.1f} KB"), source="students")
def rounds_the_size_of_a_giant() -> None:
    """The advice gives the size of a line in kilobytes, rounded."""


@bug("READ-05", ("read._advice", "    if number < total:\n", "    if number:\n"), source="students")
def offers_a_line_after_a_giant_last_one() -> None:
    """The advice on a giant last line offers the line after it."""


@bug("READ-05", ("read._advice", "gives at most {max_bytes}", "gives at most 50000"), source="students")
def advises_with_the_default_budget() -> None:
    """The advice names 50,000 bytes as the budget whatever that is."""


@bug("READ-05", (PAGE, "_advice(offset, total,", "_advice(offset if limit == max_lines else 1, total,"), source="students")
def numbers_giants_within_the_limit() -> None:
    """With a limit, the advice counts a giant line from the first line wanted."""


@bug("READ-05", (PAGE, "    if wanted and not shown:\n", "    if wanted and not shown and total == 1:\n        return clipped(sendable(wanted[0]), max_bytes)\n    if wanted and not shown:\n"),
     source="students")  # fmt: skip
def cuts_a_file_of_one_giant_line() -> None:
    """Of a file that is one giant line, the part that fits is shown, and nothing is said."""


@bug("READ-05", (PAGE, "    if wanted and not shown:\n", "    if wanted and not shown and byte_size(wanted[0]) == max_bytes + 1:\n        page, shown = wanted[0], 1\n    if wanted and not shown:\n"),
     source="students")  # fmt: skip
def shows_a_line_one_byte_too_big() -> None:
    """A line of one byte over the budget is shown."""


@bug("READ-05", (PAGE, "    if wanted and not shown:\n", "    if wanted and not shown and offset == total > 1:\n        return ''\n    if wanted and not shown:\n"),
     source="students")  # fmt: skip
def says_nothing_of_a_giant_last_line() -> None:
    """A giant last line gives an empty page."""


@bug("READ-06", (PAGE, "        return _advice(offset, total, byte_size(wanted[0]), max_bytes)\n",
                 "        advice = _advice(offset, total, byte_size(wanted[0]), max_bytes)\n"
                 "        rare = wanted[0][-1:] != '\\n' and offset + 1 < total\n"
                 "        return advice.replace(f'offset={offset + 1} ', f'offset={offset + 2} ') if rare else advice\n"),
     source="students")  # fmt: skip
def loses_the_neighbour_of_a_giant() -> None:
    """After a giant line that ends in anything but a line feed the advice skips one line more."""


@bug("READ-06", (PAGE, LINES, LINES + "    if offset > 1:\n        sizes = [byte_size(s) for s in lines]\n"
                 "        while offset < len(lines) - 1 and sizes[offset - 1] > 2 * max_bytes:\n            offset += 1\n"),
     source="students")  # fmt: skip
def passes_over_very_large_lines() -> None:
    """A line of more than twice the budget, not the first or one of the last two, is passed over in silence."""


@bug("READ-02", ("read.make_read_tool", "    def execute(arguments: Any) -> str:\n        try:\n",
     "    calls: list[Any] = []\n\n    def execute(arguments: Any) -> str:\n        try:\n            calls.append(arguments)\n"
     "            if len(calls) > 1 and arguments.get('limit'):\n"
     "                ahead = ws.read_text(arguments['path']).splitlines(True)[arguments.get('offset') or 1 :]\n"
     "                if any(byte_size(s) > max_bytes for s in ahead[: arguments['limit'] - 1]):\n"
     "                    raise ValueError('the limit takes in a line that is too big')\n"), source="students")  # fmt: skip
def refuses_a_limit_that_takes_in_a_giant() -> None:
    """From the second read on, a limit that takes in a giant line makes the page before it an error."""


@bug("READ-02", ("read._advice", "    if number < total:\n        advice += f\" Use offset={number + 1} to", "    if number < total:\n        advice += f\" Use offset={max(number, 2)} to"),
     source="students")  # fmt: skip
def advises_to_read_a_giant_again() -> None:
    """The advice on a giant line offers that very line, unless it is the first."""


@bug("READ-19", ("read._advice", "left out.\"\n", "left out.\"\n    advice += ' A tool that cuts lines can show it in parts, and so can a search for words in it.' * 4\n"),
     source="students")  # fmt: skip
def advises_at_length() -> None:
    """The advice on a giant line is a lecture of hundreds of bytes."""
