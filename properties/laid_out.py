"""Results of tools that are commands, where a harness lays out for the model what a command printed.

Such a harness declares it. What it may do then is what a screen does: white space at the ends goes, escape
sequences, control characters and a mark of the byte order go, an output of nothing gets a word of its own.
How much of a long output is shown, and how that is said, is judged in the chapters on its own tools.
"""

from __future__ import annotations

import re
from typing import Any

LONG = 2000  # characters from which on an output may be cut
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def laid_out(harness: Any) -> bool:
    """Whether this harness shows what commands print, and no more than that."""
    return bool(harness.policies.get("results") == "shown")


def same_result(kept: Any, wanted: Any, harness: Any) -> bool:
    """Whether a result says what the tool gave back."""
    if kept == wanted:
        return True
    if not laid_out(harness) or not isinstance(kept, str) or not isinstance(wanted, str):
        return False
    bare = _bare(wanted)
    if not bare:
        return True  # a word of its own
    return len(wanted) > LONG or _bare(kept) == bare


def _bare(text: str) -> str:
    """A text as a screen has it."""
    lines = ESCAPES.sub("", text.removeprefix("\ufeff")).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in lines if c in "\n\t" or not ("\x00" <= c < " " or "\x7f" <= c < "\xa0")).strip()
