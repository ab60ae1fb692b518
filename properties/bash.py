"""BASH, what a command printed: the end is kept, the cut is announced, the exit code is told."""

from __future__ import annotations

from typing import Any

from properties.checks import Violation, check, equal, fail, shown
from properties.command_output import (
    MAX_BYTES,
    ONE_LINE,
    Seen,
    amount,
    codes_in,
    like_notice,
    run,
    wrong_counts,
)  # fmt: skip
from properties.registry import COURSE, FIELD, PRINCIPLE, also, law
from strategies import lines
from strategies.notices import numbers
from strategies.outputs import (
    RARE_LINES,
    bash_desks,
    command_desks,
    giant_desks,
    odd_desks,
    one_command,
)  # fmt: skip
from strategies.script import Desk, Ran, Use


@law(
    "BASH-01", tier=COURSE, version=2, needs=("bash",), draws=bash_desks(), examples=(
        one_command("ok"), one_command("\n\n"), one_command(" ok \r\n\tno "), one_command("1\n2\n3", 0, 2),
    ),
    source="lesson 6, which end do you keep",
    hint="A command says what it concluded at the end: keep whole lines from the end, as many as fit both "
    "budgets, and leave output that fits exactly as it is.",
)  # fmt: skip
def the_end_is_kept(script: Desk, harness: Any) -> None:
    """Output within both budgets comes back whole; of longer output the last whole lines that fit are kept.

    Catches a cut at the wrong end, budgets that are off by one, lost white space and line endings.
    """
    _keeps_the_end(run(script, harness))


@also("BASH-01", tier=PRINCIPLE, draws=bash_desks(words=RARE_LINES))
def the_end_is_kept_in_its_own_lines(script: Desk, harness: Any) -> None:
    """What a line of output is follows the harness's one line model, rare separators included.

    Catches a bash tool that cuts by other lines than the truncation it is built on.
    """
    _keeps_the_end(run(script, harness))


def _keeps_the_end(seen: Seen) -> None:
    size = f"{amount(seen.total, 'line')} and {amount(lines.size(seen.output), 'byte')}"
    if seen.error and not seen.whole:
        fail(f"a command that ran is an error result: {shown(seen.text)}")
    if not seen.cut and not seen.whole:
        raise Violation(
            f"output of {size} is within {seen.limits}, but does not come back whole: the result "
            f"{shown(seen.text)} does not begin with {shown(seen.output)}", owner="CUT-01",
        )  # fmt: skip
    if not seen.cut and seen.code == 0 and not seen.added:
        equal(seen.text, seen.output, "the result of a command whose output fits")
    fit = f"of {size} the last {amount(seen.count, 'line')} fit {seen.limits}"
    if not seen.whole:
        more = bool(seen.kept) and seen.kept in seen.text
        raise Violation(
            f"{fit}: the result should begin with {shown(seen.kept)}, and is {shown(seen.text)}",
            owner="CUT-04" if more else "CUT-05",
        )
    if seen.more:
        said = f"{fit}; the result {shown(seen.text)} shows more, or shows some twice"
        raise Violation(said, owner="CUT-04")


@law(
    "BASH-02", tier=COURSE, version=2, needs=("bash",), draws=bash_desks(),
    examples=(
        one_command("a\n" * 3000 + "1 failed"), one_command("1\n2\n3\n", 0, 1), one_command("1\n2\n3", 2, 2),
        one_command("1\n2\n3\n", 1, None, 4), one_command("1\n2\n3\n", 0, 3),
    ),
    source="lesson 6, statement 15",
    hint="When lines were left out, say so on one line of its own, between the output and the status line, "
    "with two numbers: lines shown and lines in all. When nothing was left out, say nothing.",
)  # fmt: skip
def a_cut_is_announced(script: Desk, harness: Any) -> None:
    """Cut output is followed by one notice that names lines shown and lines in all; uncut output by none.

    Catches silent cuts, notices with wrong counts, notices that are always there or stand last.
    """
    seen = run(script, harness)
    if seen.more or not seen.whole:
        raise Violation(f"it is not the end that was kept: {shown(seen.text)}", owner="BASH-01")
    others = [n for n in seen.added if not _status(n, seen)]
    notices = [n for n in others if like_notice(n)] or (others if seen.cut else [])
    if not seen.cut:
        check(seen.brim or not notices, f"nothing was left out, yet there is a notice: {shown(notices[:1])}")
        return
    what = f"{seen.count} of {amount(seen.total, 'line')} may be shown"
    check(notices, f"{what}, and nothing says that lines were left out: {shown(seen.text)}")
    if seen.count == 0:
        return
    many = f"{len(notices)} lines are added instead of one notice: {shown(notices[:4])}"
    check(len(notices) == 1, f"{what}, and {many}")
    wrong = wrong_counts(notices[0], seen.count, seen.total)
    check(not wrong, f"{what}; the notice is {shown(notices[0])}: {wrong}")
    first = _status(seen.added[0], seen)
    check(not first, f"the notice stands after the status line: {shown(seen.added)}")
    check(not seen.glued, f"the notice has no line of its own: {shown(seen.text)}")


def _status(line: str, seen: Seen) -> bool:
    """This line stands where the status line does, or names the exit code, and is no notice."""
    if like_notice(line) or (seen.cut and not wrong_counts(line, seen.count, seen.total)):
        return False
    return seen.code in codes_in(line) or (seen.code != 0 and line == seen.added[-1])


@law(
    "BASH-03", tier=COURSE, needs=("bash",), draws=bash_desks(), examples=(
        *(one_command(printed, code) for printed, code in (
            ("ok\n", 3221225477), ("", 255), ("ok", -1073741819), ("", -9), ("\n\n", 1000),
        )),
        *(one_command("1\n2\n3\n", code, *budgets) for code in (1, 0) for budgets in ((1, None), (None, 4))),
    ),
    source="lesson 6, the bash tool",
    hint="A command that failed has still been run: end its ordinary result with a line of its own that "
    "names the exit code, whatever it is; after exit code 0 add nothing.",
)  # fmt: skip
def the_exit_code_is_told(script: Desk, harness: Any) -> None:
    """After any exit code but 0, an ordinary result ends with a status line naming it; 0 adds nothing.

    Catches codes that get lost when output is cut or empty, and status lines glued to other text.
    """
    seen = run(script, harness)
    told = f"exit code {seen.code}"
    check(not seen.error, f"{told} makes the result an error, but the command did run: {shown(seen.text)}")
    if seen.code == 0:
        extra = [n for n in seen.added if seen.whole and not seen.more and not like_notice(n)]
        check(not extra, f"exit code 0 adds nothing, but after the output stands {shown(extra[:1])}")
        return
    check(seen.added, f"{told} is told nowhere: the result is {shown(seen.text)}")
    last = seen.added[-2:] if seen.cut else seen.added[-1:]  # which comes first is BASH-02's
    named = [line for line in last if seen.code in codes_in(line)]
    if not named:
        counted = seen.cut and like_notice(last[-1]) and wrong_counts(last[-1], seen.count, seen.total)
        owner = "BASH-02" if counted else "" if seen.whole else "BASH-01"
        raise Violation(
            f"{told}: the last line of the result does not name it: {shown(last[-1])}", owner=owner
        )
    own = [line for line in named if not (seen.cut and like_notice(line))]
    check(own, f"{told} has no status line of its own; the result ends with {shown(last[-1])}")
    glued = seen.glued and len(seen.added) == 1
    check(not glued, f"the status line is glued to the output: {shown(seen.text)}")


@law(
    "BASH-04", tier=PRINCIPLE, needs=("bash",), draws=giant_desks(),
    source="lesson 6, never cut without saying so",
    hint="When not even the last line fits, the result still has to say how much was printed, and to be "
    "short.",
)  # fmt: skip
def a_giant_last_line_is_reported(script: Desk, harness: Any) -> None:
    """When the last line alone is over the budget, the result says so and stays within the budget.

    Catches empty results and results that blow the budget.
    """
    seen, room = run(script, harness), script.max_bytes or MAX_BYTES
    size, giant = lines.size(seen.text), lines.size(seen.output)
    last = seen.output.removesuffix("\n").rpartition("\n")[2]
    check(size <= room + ONE_LINE, f"the result has {size} bytes, the budget is {room}")
    parts = [n for n in seen.added if n not in seen.output and not _status(n, seen)]
    told = [n for n in parts if numbers(n)] or lines.size(last) <= room
    check(told, f"a line over the budget of {room} bytes is left out ({giant} bytes were printed) and the "
                f"result does not say how much: {shown(seen.text)}")  # fmt: skip


@law(
    "BASH-05", tier=FIELD, needs=("bash",), draws=odd_desks(),
    source="PrimeIntellect-ai/nano-rlm PR 61",
    hint="Commands print anything: whatever comes before it, the last line and the exit code must arrive.",
)  # fmt: skip
def odd_output_keeps_its_verdict(script: Desk, harness: Any) -> None:
    """Whatever characters a command prints, the result is sendable text with its last line and exit code.

    Catches tools that break on colours, progress bars, NUL or characters that UTF-8 cannot encode.
    """
    seen = run(script, harness)
    verdict = seen.output.rstrip("\n").rpartition("\n")[2].rpartition("\r")[2]
    check(not seen.error, f"output of odd characters makes an error result: {shown(seen.text)}")
    check(verdict in seen.text, f"the last line {verdict!r} is lost: {shown(seen.text)}")
    last = seen.text.rstrip().splitlines()[-1:]
    if seen.code != 0 and seen.code not in codes_in("".join(last)):
        raise Violation(f"exit code {seen.code} is lost: {shown(last)}", owner="BASH-03")
    bad = [c for c in seen.text if "\ud800" <= c <= "\udfff"]
    check(not bad, f"the result holds {bad[:1]}, which cannot be sent as UTF-8")


@law(
    "BASH-06", tier=COURSE, needs=("bash",), draws=command_desks(), source="lesson 6, the bash tool",
    examples=tuple(
        Desk({}, {line: Ran("ok\n")}, (Use("bash", {"command": line}),) * 2)
        for line in ("a\r\nb\r\n", "\u00a0ls\u00a0", "ls\n", " a  b ", "echo e\u0301", "a;")
    ),
    hint="Hand the command line to the shell once, exactly as the model wrote it.",
)  # fmt: skip
def commands_run_as_written(script: Desk, harness: Any) -> None:
    """Each command line is run exactly once, exactly as written, however often it comes.

    Catches commands that are trimmed, split, run twice, or answered from a cache.
    """
    desk = harness.desk(script.files, script.commands, script.max_lines, script.max_bytes)
    for number, use in enumerate(script.steps, 1):
        assert isinstance(use, Use)
        before, command = len(desk.place.runs), use.arguments["command"]
        desk.use("bash", use.arguments)
        equal(desk.place.runs[before:], [command], f"what ran for {shown(command, 40)}", f"call {number}")
