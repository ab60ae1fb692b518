"""A command run on a terminal of its own, for what only somebody who looks on gets to see."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


def on_a_terminal(arguments: Sequence[object], columns: int, **environment: str) -> tuple[int, str]:
    """Run harness-props with these arguments; its exit status and all that it wrote."""
    ours, theirs = pty.openpty()
    known = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(columns), "TERM": "xterm"}
    known.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "grading.cli", *map(str, arguments)], cwd=ROOT, env={**known, **environment},
        stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:  # Linux says so when the other end of a terminal is closed
        pass
    finally:
        os.close(ours)
    return process.wait(60), seen.decode(errors="replace")
