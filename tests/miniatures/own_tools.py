"""Miniatures of the WRITE, BASH and BILL chapters."""

from tests.miniatures.planting import plant

KEPT = "result, shown = truncate_tail(output, max_lines, max_bytes)\n"


@plant("WRITE-01", ("write.make_write_tool", 'ws.write_text(path, str_arg(arguments, "content"))', 'ws.write_text(path, str_arg(arguments, "content").replace("\\r\\n", "\\n"))'))
def changes_line_endings() -> None:
    """CRLF becomes LF on the way into the file."""


@plant("WRITE-02", ("write.make_write_tool", 'return f"{path} is written."', 'return "Done."'))
def does_not_name_what_it_wrote() -> None:
    """The result of write does not name the path."""


@plant("BASH-01", ("bash.make_bash_tool", "truncate_tail(output, max_lines, max_bytes)", "truncate_tail(output, max_lines, max_bytes - 1)"))
def keeps_one_byte_less() -> None:
    """Output of exactly the byte budget loses its first line."""


@plant("BASH-02", ("bash.make_bash_tool", "[Showing the last {shown} of {total} lines. ", "[Showing the last {total - shown} of {total} lines. "))
def names_the_lines_it_cut() -> None:
    """The notice gives the number of lines cut as the number shown."""


@plant("BASH-03", ("bash.make_bash_tool", "if code != 0:", "if code > 0:"))
def says_nothing_of_signals() -> None:
    """A negative exit code gives no status line."""


@plant("BASH-04", ("bash.make_bash_tool", KEPT, KEPT + "        if output and not shown:\n            result = output[-max_bytes:]\n"))
def keeps_the_end_of_a_giant() -> None:
    """Of a last line over the budget the last max_bytes characters are kept, whatever their bytes."""


@plant("BASH-05", ("bash.make_bash_tool", "output = sendable(printed)", "output = printed.encode().decode()"))
def cannot_read_surrogates() -> None:
    """Output that UTF-8 cannot encode gives an error, and the exit code is lost with it."""


@plant("BASH-06", ("bash.make_bash_tool", 'shell.run(str_arg(arguments, "command"))', 'shell.run(str_arg(arguments, "command").strip())'))
def strips_commands() -> None:
    """White space round a command is removed before it is run."""


@plant("BILL-01", (
    "view._as_sent", "    unanswered = tool_calls(first)",
    '    results = [{**r, "content": r["content"] * 2} if r["tool_name"] == "bash" else r for r in results]\n'
    "    unanswered = tool_calls(first)",
))  # fmt: skip
def sends_command_output_twice() -> None:
    """What a command printed stands twice in every later request."""


@plant("BILL-02", ("write.make_write_tool", 'return f"{path} is written."', 'return f"{path} is written in 0.004 s."'))
def tells_how_long_it_took() -> None:
    """The result of write holds a timing that only a screen needs."""
