"""Planted bugs of the BILL chapter: what a result holds that is paid for on every later turn, and usage."""

from tests.miniatures.pairs import USAGE
from tests.planted.catalogue import bug

WRITE = "write.make_write_tool"
BASH = "bash.make_bash_tool"
CONTENT = 'ws.write_text(path, str_arg(arguments, "content"))'
SAYS = 'return f"{path} is written."'
STATUS = 'result += f"\\nExit code: {code}"'
OLD = 'old = ws.read_text(path) if ws.exists(path) else ""\n        ' + CONTENT
ADD = "total[key] = total.get(key, 0) + value"


# ---- for the screen -----------------------------------------------------------------------


@bug("BILL-02", (WRITE, CONTENT, OLD), (WRITE, SAYS, SAYS + " + ''.join(f'\\n-{s}' for s in old.splitlines()[:3])"),
     source="students")  # fmt: skip
def shows_the_lines_it_replaced() -> None:
    """The result of write holds the first lines of the old file as a diff."""


@bug("BILL-02", (WRITE, CONTENT, OLD), (WRITE, SAYS, SAYS + " + (f' It held: {old[:30]}' if not arguments['content'] else '')"),
     source="students")  # fmt: skip
def quotes_a_file_that_was_emptied() -> None:
    """When a file is emptied, the result of write quotes what it held."""


@bug("BILL-02", (WRITE, CONTENT, OLD), (WRITE, SAYS, SAYS + " + (' It took 3 ms.' if old else '')"), source="students")
def times_an_overwriting() -> None:
    """The result of a write over an old file says how long it took."""


@bug("BILL-02", (WRITE, CONTENT, OLD), (WRITE, SAYS, SAYS + " + (f' (was: {old.splitlines()[-1]!r})' if len(old) > 99 else '')"),
     source="students")  # fmt: skip
def quotes_the_end_of_a_long_old_file() -> None:
    """The result of a write over a long file quotes that file's last line."""


@bug("BILL-02", (BASH, STATUS, 'result += f"\\nExit code: {code} (0.01 s)"'), source="students")
def times_failed_commands() -> None:
    """The status line says how long the command took."""


@bug("BILL-02", (BASH, STATUS, 'result += f"\\nRun in /home/user/project, with PATH and HOME set\\nExit code: {code}"'), source="students")
def tells_where_a_command_ran() -> None:
    """A failed command's result holds the folder and environment it ran in."""


@bug("BILL-02", (BASH, STATUS, 'result += "\\nstderr: (empty)" * (not output) + f"\\nExit code: {code}"'), source="students")
def labels_an_empty_stream() -> None:
    """A command that failed without output gets an empty section for its errors."""


# ---- usage --------------------------------------------------------------------------------


@bug("BILL-03", ("__init__", "", USAGE.replace(ADD, "total[key] = total.get(key, 0) + value + total.get(key, 0) * (key == 'output')")),
     source="microsoft/agent-framework#7143")  # fmt: skip
def adds_running_totals() -> None:
    """The output figure is summed as if each reply gave the total so far."""


@bug("BILL-03", ("__init__", "", USAGE.replace(ADD, "total[key] = max(total.get(key, 0), value)")), source="students")
def reports_the_largest_usage() -> None:
    """Usage is that of the most expensive reply."""


@bug("BILL-03", ("__init__", "", USAGE.replace("for message in messages:", "for message in messages[:-1]:")), source="students")
def forgets_the_last_reply() -> None:
    """The usage of the reply that ends the run is not counted."""


@bug("BILL-03", ("__init__", "", USAGE.replace('(message.get("usage") or {}).items()',
                                               '(message.get("usage") if len(message.get("usage") or {}) > 1 else {}).items()')),
     source="students")  # fmt: skip
def needs_both_figures() -> None:
    """A reply that gives only one of the figures is not counted."""


@bug("BILL-03", ("__init__", "", USAGE.replace("    for message in messages:", "    seen = []\n    for message in messages:\n"
     "        if message.get('usage') in seen:\n            continue\n        seen.append(message.get('usage'))")),
     source="students")  # fmt: skip
def counts_equal_usage_once() -> None:
    """Two replies that used equally much are counted once."""
