"""Miniatures of the READ chapter."""

from tests.miniatures.planting import plant

NOTICE = "[Showing lines {offset}-{last} of {total}. Use offset={last + 1} to continue.]"


@plant("READ-01", ("read._page", "    wanted = lines[", "    lines = [line for n, line in enumerate(lines, 1) if line.strip() or n < offset or n == total]\n    wanted = lines["))
def leaves_blank_lines_out() -> None:
    """Blank lines are left out of a page."""


@plant("READ-02", ("read._page", "Use offset={last + 1} to", "Use offset={max(offset, last)} to"))
def sends_the_reader_in_circles() -> None:
    """The notice's offset is the last line shown, so that one-line pages never end."""


@plant("READ-03", ("read._page", "truncate_head(\"\".join(wanted), max_lines, max_bytes)", "truncate_head(\"\".join(wanted), max_lines, max_bytes + (limit != max_lines) * 40)"))
def lets_a_limit_stretch_the_budget() -> None:
    """With a limit a page may be forty bytes over the budget."""


@plant("READ-04", ("read._page", NOTICE, NOTICE.replace("of {total}", "of {offset - 1 + len(wanted)}")))
def takes_the_limit_for_the_file() -> None:
    """With a limit the notice gives the line where the limit ends as the file's length."""


@plant("READ-05", ("read._page", "byte_size(wanted[0])", "len(wanted[0])"))
def measures_giants_in_characters() -> None:
    """The size of a line that is too big is given in characters."""


@plant("READ-06", ("read._advice", "Use offset={number + 1} to", "Use offset={number + 2} to"))
def skips_the_line_after_a_giant() -> None:
    """The advice for a line that is too big skips the line after it, too."""


@plant("READ-07", ("read._page", "if offset > max(total, 1):", "if offset > max(total, 1) + 1:"))
def takes_the_line_after_the_last() -> None:
    """The offset just past the end gives an empty page instead of an error."""


@plant("READ-08", ("read._page", "if offset < 1 or limit < 1:", "if offset < 1 or limit < 0:"))
def takes_a_limit_of_nothing() -> None:
    """A limit of 0 is no error."""


@plant("READ-09", ("read._page", "last = offset - 1 + shown", "last = offset - 1 + (shown if limit == max_lines else len(wanted))"))
def trusts_the_limit() -> None:
    """With a limit the next page is said to begin where the limit ends, even if less was shown."""


@plant("READ-10", ("read._page", "if last < total or", "if last < total and last < 1000 or"))
def loses_the_thread_in_long_files() -> None:
    """Beyond line 1,000 a page says no more how to go on."""


@plant("READ-11", ("read._page", 'f"No file {path!r}. ', 'f"There is no such file. '))
def does_not_name_the_missing_file() -> None:
    """The error for a missing file does not say which file was asked for."""


@plant("READ-12", ("read._page", "if last < total or _ends_like_a_notice(page):", "if last < total:"))
def believes_imitations() -> None:
    """A last page that ends in an imitation of the notice gets no true one."""


@plant("READ-13", ("read._page", "    total = len(lines)\n", "    total = len(lines) if offset > 1 else ws.read_text(path).count(\"\\n\") + (not lines or lines[-1][-1:] != \"\\n\") * bool(lines)\n"))
def counts_the_file_in_another_way() -> None:
    """On the first page the notice counts line feeds, whatever else ends a line."""


@plant("READ-14", ("read.make_read_tool", "    def execute(arguments: Any) -> str:\n        try:\n            return _page(",
    "    seen: dict[str, str] = {}\n\n    class _Cached:\n        exists, listdir = ws.exists, ws.listdir\n\n        def read_text(self, path: str) -> str:\n            return seen.setdefault(path, ws.read_text(path))\n\n    cached = _Cached()\n\n    def execute(arguments: Any) -> str:\n        try:\n            return _page("),
    ("read.make_read_tool", "_page(ws, arguments", "_page(cached, arguments"))  # fmt: skip
def remembers_files() -> None:
    """A file that was read once is never looked at again."""


@plant("READ-15", ("read.make_read_tool", "One call returns at most {max_lines} lines or", "One call returns at most 2000 lines or"))
def states_a_fixed_budget() -> None:
    """The description of read states 2,000 lines whatever the budget is."""


@plant("READ-17", ("read.make_read_tool", 'schema(["path"], ["offset", "limit"])', 'schema(["path"], ["offset"])'))
def does_not_offer_limit() -> None:
    """The advertised parameters of read do not offer limit."""


@plant("READ-18", ("read._page", "    _check(wanted[:shown], offset)\n", "    page = sendable(page)\n"))
def shows_other_characters() -> None:
    """A page that UTF-8 cannot encode is shown with other characters in it."""


@plant("READ-19", ("read.make_read_tool", "clipped(reason(error), max_bytes)", "reason(error)"))
def lists_every_file_it_has() -> None:
    """The error for a missing file lists all files, whatever the budget is."""
