"""Files and outputs made large enough for the budgets that a program has of its own.

What is drawn is small and comes with small budgets. A program's budgets cannot be set, so a text that was to
be cut is repeated until the program has to cut it, too.
"""

from __future__ import annotations

from dataclasses import replace

from adapters.programs.described import Program, Shell
from strategies.script import Desk, Paging, Ran

USUAL_LINES, USUAL_BYTES = 2000, 50_000  # a script's budgets for an output where it names none
PAGES = 12  # in which a file is read at most, where the model says how many lines it wants: each is a request


def sized(script: Paging | Desk, program: Program) -> Paging | Desk:
    """The script with the program's own budgets, and with texts that are over them where they were before."""
    if isinstance(script, Paging):
        read = program.tools.read
        if read is None:
            return script
        text = grown(script.text, script.max_lines, script.max_bytes, read.lines, read.bytes)
        least = len(text.split("\n")) // PAGES + 1
        limits = tuple(limit if limit is None or limit <= 0 else max(limit, least) for limit in script.limits)
        return replace(script, text=text, max_lines=read.lines, max_bytes=read.bytes, limits=limits)
    shell = program.tools.shell
    if shell is None:
        return script
    lines, size = script.max_lines or USUAL_LINES, script.max_bytes or USUAL_BYTES
    commands = {
        line: Ran(_output(ran.output, lines, size, shell), ran.code)
        for line, ran in script.commands.items()
    }
    return replace(script, commands=commands, max_lines=shell.lines, max_bytes=shell.bytes)


def grown(text: str, lines: int | None, size: int | None, own_lines: int, own_size: int) -> str:
    """The text as it is if it was within its budgets, else often enough to be over the program's."""
    have_lines, have = max(1, len(text.splitlines())), len(text.encode("utf-8", "surrogatepass"))
    over_lines = lines is not None and have_lines > lines
    over_size = size is not None and have > size
    if not have or not (over_lines or over_size):
        return text
    times = own_lines // have_lines + 1 if over_lines else 0
    times = min(times, own_size // have + 1) if times else own_size // have + 1
    part = text if text.endswith(("\n", "\r")) else text + "\n"
    return part * (times - 1) + text


def _output(text: str, lines: int, size: int, shell: Shell) -> str:
    """An output grown; a last line that alone was over its budget is over the program's in the same way."""
    before, _, last = text.removesuffix("\n").rpartition("\n")
    giant = len(last.encode("utf-8", "surrogatepass"))
    if giant <= size:
        return grown(text, lines, size, shell.lines, shell.bytes)
    end = "\n" * text.endswith("\n")
    return f"{before}\n" * bool(before) + last * (shell.bytes // giant + 1) + end
