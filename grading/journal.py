"""Files of JSON lines that outlive a sudden end: what was written whole counts, a line cut off does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


def lines(file: Path) -> Iterator[Any]:
    """What stands in the file, line by line; nothing if there is none. A line cut off is left out."""
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def appending(file: Path) -> IO[str]:
    """The file, opened so that what is written stands behind what is there, on a line of its own."""
    whole = not file.exists() or file.read_bytes()[-1:] in (b"", b"\n")
    out = file.open("a", encoding="utf-8")
    if not whole:
        out.write("\n")
    return out


def write(out: IO[str], data: Any) -> None:
    """One line, at once."""
    out.write(json.dumps(data) + "\n")
    out.flush()
