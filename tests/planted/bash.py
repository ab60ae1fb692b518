"""Planted bugs of the BASH chapter: the end of the output, the notice, the exit code, odd characters, commands."""

from tests.planted.catalogue import bug

TOOL = "bash.make_bash_tool"
RUN = 'printed, code = shell.run(str_arg(arguments, "command"))'
OUTPUT = "output = sendable(printed)"
KEPT = "result, shown = truncate_tail(output, max_lines, max_bytes)"
CUT = "        if shown < total:\n"
NOTICE = 'f"\\n[Showing the last {shown} of {total} lines. "'
STATUS = 'result += f"\\nExit code: {code}"'
FAILED = "        if code != 0:\n"


# ---- what is kept -------------------------------------------------------------------------


@bug("BASH-01", (TOOL, "        return result\n", '        return result + "\\n" * (code == 0 and result[-1:] not in ("", "\\n"))\n'),
     source="students")  # fmt: skip
def ends_output_with_a_newline() -> None:
    """Output without a final line ending gets one."""


@bug("BASH-01", (TOOL, "        return result\n", '        return result + "\\n" * (code == 0 and shown == total == max_lines)\n'),
     source="students")  # fmt: skip
def closes_output_that_fills_the_lines() -> None:
    """Output of exactly max_lines lines gets a line break more."""


@bug("BASH-05", (TOOL, KEPT, "from .truncation import truncate_head\n        result, shown = truncate_head(output, max_lines, max_bytes)"),
     source="The-AI-Alliance/cube-harness PR 368")  # fmt: skip
def keeps_the_beginning_of_output() -> None:
    """Of long output the beginning is kept, so that what a command concluded is lost."""


@bug("BASH-04", (TOOL, KEPT, "result, shown = truncate_tail(output, max_lines, 10**9)"), source="langchain-ai/deepagents#553")
def limits_output_by_lines_only() -> None:
    """Output is cut by lines only, so that one huge line comes back whole."""


@bug("BASH-04", (TOOL, KEPT, KEPT + "\n        if output and not shown:\n"
                 "            result, shown = output[: max_bytes // 4] + ' … ' + output[-max_bytes:], 1"), source="students")  # fmt: skip
def keeps_both_ends_of_a_giant() -> None:
    """Of a last line over the budget a piece of its beginning is shown on top of all that fits of its end."""


# ---- the notice ---------------------------------------------------------------------------


@bug("BASH-02", (TOOL, "len(output.splitlines())", 'len(__import__("re").split("[\\\\r\\\\n]", output)) - (output[-1:] in "\\r\\n")'),
     source="students")  # fmt: skip
def counts_crlf_as_two_lines() -> None:
    """In the notice a line that ends in CRLF counts two."""


@bug("BASH-02", (TOOL, "len(output.splitlines())", 'output.count("\\n")'), source="students")
def does_not_count_an_unended_line() -> None:
    """The notice does not count a last line without an ending, and with one line cut there is none."""


@bug("BASH-02", (TOOL, NOTICE, NOTICE.replace("{total}", "{total + (total > 2500)}")), source="students")
def miscounts_very_long_output() -> None:
    """In output of thousands of lines the notice counts one too many in all."""


@bug("BASH-02", (TOOL, NOTICE, NOTICE.replace("{shown}", "{min(total, max_lines)}")), source="students")
def gives_the_line_budget_as_lines_shown() -> None:
    """The notice names the line budget as the lines shown, also where bytes made the cut."""


@bug("BASH-02", (TOOL, CUT, "        if shown < total and (code == 0 or not shown):\n"), source="students")
def tells_the_code_instead_of_the_cut() -> None:
    """Cut output of a command that failed has a status line and no notice."""


@bug("BASH-02", (TOOL, CUT, "        if shown < total or total == max_lines:\n"), source="students")
def announces_a_cut_of_nothing() -> None:
    """Output of exactly max_lines lines carries a notice."""


@bug("BASH-02", (TOOL, NOTICE, NOTICE.replace("\\n[", "{chr(10) * result.endswith(chr(10))}[")), source="students")
def glues_the_notice_to_an_unended_line() -> None:
    """The notice stands on the last line of the output if that has no line ending."""


@bug("BASH-02", (TOOL, CUT, "        if 1 < shown < total or not shown < total or not shown:\n            pass\n        if shown < total and (shown > 1 or not shown):\n"),
     source="students")  # fmt: skip
def says_nothing_of_a_cut_to_one_line() -> None:
    """When just one line is kept there is no notice."""


@bug("BASH-04", (TOOL, CUT, "        if 0 < shown < total:\n"), source="students")
def says_nothing_when_nothing_fits() -> None:
    """When not even the last line fits there is no notice."""


@bug("BASH-04", (TOOL, "        return result\n", "        return result if shown or not output else result + f'\\nIt ends: {output[-400:]}'\n"),
     source="students")  # fmt: skip
def shows_the_end_of_a_giant_anyway() -> None:
    """The last 400 characters of a line over the budget are shown on top of the notice."""


# ---- the exit code ------------------------------------------------------------------------


@bug("BASH-03", (TOOL, STATUS, STATUS.replace("{code}", "{code & 255}")), source="students")
def masks_exit_codes() -> None:
    """Only the low eight bits of an exit code are told."""


@bug("BASH-03", (TOOL, STATUS, STATUS.replace("{code}", "{128 - code if code < 0 else code}")), source="students")
def tells_signals_as_a_shell_does() -> None:
    """The exit code -9 is told as 137."""


@bug("BASH-03", (TOOL, FAILED, "        if code > 1 or code < 0:\n"), source="students")
def takes_one_for_success() -> None:
    """The exit code 1 is not told."""


@bug("BASH-03", (TOOL, FAILED, "        if code % 256:\n"), source="students")
def takes_multiples_of_256_for_zero() -> None:
    """An exit code of 256 and the like is not told."""


@bug("BASH-03", (TOOL, FAILED, "        if code != 0 and output:\n"), source="students")
def says_nothing_after_no_output() -> None:
    """A command that failed without a word gives an empty result."""


@bug("BASH-03", (TOOL, FAILED, "        if code != 0 and (shown == total or shown != max_lines):\n"), source="students")
def loses_the_code_when_lines_are_cut() -> None:
    """There is no status line when the line budget cut the output."""


@bug("BASH-03", (TOOL, STATUS, 'result += "\\n" * (not result or result.endswith(("\\n", "]"))) + f"Exit code: {code}"'),
     source="students")  # fmt: skip
def glues_the_status_to_an_unended_line() -> None:
    """The status line stands on the last line of the output if that has no line ending."""


@bug("BASH-03", (TOOL, STATUS, 'raise ChildProcessError(f"{result}\\nExit code: {code}")'), source="students")
def takes_a_failed_command_for_a_failed_tool() -> None:
    """A command that fails makes the result an error."""


@bug("BASH-03", (TOOL, OUTPUT, 'output = sendable(printed) or ("(no output)" if code == 0 else "")'), source="students")
def speaks_for_silent_commands() -> None:
    """A command that succeeds without output gives a remark."""


@bug("BASH-03", (TOOL, FAILED, '        if code == 0 and shown < total:\n            result += "\\nExit code: 0"\n' + FAILED), source="students")
def tells_a_zero_after_a_cut() -> None:
    """Cut output of a command that succeeded has a status line all the same."""


# ---- odd characters -----------------------------------------------------------------------


@bug("BASH-05", (TOOL, OUTPUT, 'output = printed if sendable(printed) == printed else "[binary output]"'),
     source="PrimeIntellect-ai/nano-rlm PR 61")  # fmt: skip
def withholds_output_with_a_bad_byte() -> None:
    """One byte that is no UTF-8 hides all of the output."""


@bug("BASH-05", (TOOL, OUTPUT, 'output = sendable(printed).partition("\\0")[0]'), source="students")
def stops_at_a_nul() -> None:
    """Output ends at the first NUL character."""


@bug("BASH-05", (TOOL, OUTPUT, 'output = __import__("re").sub(r"(?s)\\x1b\\].*?(\\x1b\\\\|$)", "", sendable(printed))'), source="students")
def waits_for_the_end_of_a_title() -> None:
    """A window title that ends in a bell swallows the rest of the output."""


@bug("BASH-05", (TOOL, OUTPUT, 'output = sendable(printed).partition("\\x0c")[0] or sendable(printed)'), source="students")
def keeps_the_first_sheet() -> None:
    """Output ends at the first form feed."""


# ---- commands -----------------------------------------------------------------------------


@bug("BASH-06", (TOOL, 'str_arg(arguments, "command")', 'str_arg(arguments, "command").rstrip("\\n")'), source="students")
def drops_newlines_behind_commands() -> None:
    """Line feeds at the end of a command are removed."""


@bug("BASH-06", (TOOL, 'str_arg(arguments, "command")', 'str_arg(arguments, "command").replace("\\r\\n", "\\n")'), source="students")
def runs_crlf_as_lf() -> None:
    """CRLF in a command becomes LF."""


@bug("BASH-06", (TOOL, 'str_arg(arguments, "command")', 'str_arg(arguments, "command").replace("\\xa0", " ")'), source="students")
def runs_plain_blanks() -> None:
    """A no-break space in a command becomes a blank."""


@bug("BASH-06", (TOOL, 'str_arg(arguments, "command")', '" ".join(str_arg(arguments, "command").split("  "))'), source="students")
def squeezes_blanks_in_commands() -> None:
    """Two blanks in a command become one, in quotes, too."""


@bug("BASH-06", (TOOL, 'str_arg(arguments, "command")', 'str_arg(arguments, "command")[:2000]'), source="students")
def cuts_long_commands() -> None:
    """A command is cut at 2,000 characters."""


@bug("BASH-06", (TOOL, RUN, RUN + "\n        if code < 0:\n            " + RUN.replace('str_arg(arguments, "command")', 'arguments["command"]')),
     source="students")  # fmt: skip
def tries_killed_commands_again() -> None:
    """A command that was killed is run once more."""


@bug("BASH-06", (TOOL, "    def execute(arguments: Any) -> str:\n", "    ran: dict[str, tuple[str, int]] = {}\n\n    def execute(arguments: Any) -> str:\n"),
     (TOOL, RUN, 'command = str_arg(arguments, "command")\n        printed, code = ran[command] if command in ran else shell.run(command)\n'
                 "        if code == 0:\n            ran[command] = printed, code"), source="students")  # fmt: skip
def answers_repeated_commands_from_memory() -> None:
    """A command that succeeded is not run a second time."""


@bug("BASH-06", (TOOL, RUN, 'lines = str_arg(arguments, "command").split("\\n") if "<<" not in arguments["command"] else [arguments["command"]]\n'
                 "        runs = [shell.run(line) for line in lines]\n        printed, code = ''.join(p for p, _ in runs), runs[-1][1]"),
     source="students")  # fmt: skip
def runs_line_by_line() -> None:
    """The lines of a command are run one by one."""
