"""The bash tool: run a command, and keep the end of what it printed."""

from typing import Any

from .arguments import schema, str_arg
from .shapes import Shell, Tool
from .text import byte_size, sendable
from .truncation import truncate_tail


def make_bash_tool(shell: Shell, max_lines: int = 2000, max_bytes: int = 50_000) -> Tool:
    """Return the `bash` tool over `shell`.

    The result is the output, of which the last lines are kept, at most `max_lines` of them and
    `max_bytes` UTF-8 bytes; then, if lines are missing, a notice; then, if the exit code is not
    0, a status line. A command that failed is an ordinary result: it did run. Characters that
    UTF-8 cannot encode are written out. Its ``execute`` raises ValueError, before anything is
    run, for a command that is not text.
    """

    def execute(arguments: Any) -> str:
        printed, code = shell.run(str_arg(arguments, "command"))
        output = sendable(printed)
        total = len(output.splitlines())
        result, shown = truncate_tail(output, max_lines, max_bytes)
        if shown < total:
            result += (
                f"\n[Showing the last {shown} of {total} lines. "
                f"The whole output has {byte_size(output)} bytes: print less to see more of it.]"
            )
        if code != 0:
            result += f"\nExit code: {code}"
        return result

    return {
        "name": "bash",
        "description": f"Run a command line and return what it printed, errors included: the last "
        f"{max_lines} lines or {max_bytes} bytes, and the exit code unless it is 0.",
        "parameters": schema(["command"], []),
        "execute": execute,
    }
