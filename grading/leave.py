"""How a command ends: its status, and one clear line for whatever went wrong.

0 all hold, 1 something fails, 2 the call or the target is unusable, 3 the suite or an adapter
broke, 130 Ctrl-C, 141 nobody reads the output any more.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from typing import NoReturn

import typer

from adapters.contract import Unusable
from grading.formats import Unwritable
from grading.screen import safe

OK, FAILED, UNUSABLE, BROKEN, INTERRUPTED, NO_READER = 0, 1, 2, 3, 130, 141


class BadCall(Exception):
    """The command line, or a file it names, cannot be used; the message says what and why."""


def complain(text: str) -> None:
    """One line on standard error."""
    sys.stdout.flush()
    sys.stderr.write(f"harness-props: {safe(text)}\n")


def crash(error: BaseException) -> str:
    """A sentence for a crash of ours; the traceback goes to a file that the sentence names."""
    told = " ".join(str(error).split())
    what = f"{type(error).__name__}: {told}"[:300] if told else type(error).__name__
    try:
        descriptor, path = tempfile.mkstemp(prefix="harness-props-crash-", suffix=".txt")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("".join(traceback.format_exception(error)))
    except OSError as full:
        return f"the suite broke: {what} (and the traceback could not be written: {full})"
    return f"the suite broke: {what}; the traceback is in {path}"


def leaving(body: Callable[[], int]) -> NoReturn:
    """Do a command's work and leave with its status; no exception of ours is shown as such."""
    raise typer.Exit(status_of(body))


def status_of(body: Callable[[], int]) -> int:
    """The status that `body` returns or that its exception stands for."""
    try:
        status = body()
        sys.stdout.flush()
    except (BadCall, Unusable, Unwritable) as problem:
        complain(str(problem))
        return UNUSABLE
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that nothing is flushed into it at the end
        return NO_READER
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        complain(crash(error))
        return BROKEN
    return status
