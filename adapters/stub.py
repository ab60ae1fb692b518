"""The child's program as files to run: compiled once, then written wherever a child starts.

A child that compiled them itself would spend a third of its start-up on that, and compiled
copies beside the sources cannot be relied on: the folder may be read-only, or
PYTHONDONTWRITEBYTECODE set.
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

PROGRAM = Path(__file__).with_name("child")
DRIVER = PROGRAM / "driver.py"


def put(folder: str, python: str, driver: Path = DRIVER, more: Iterable[Path] = ()) -> str:
    """Write the program into this folder, for this interpreter, and return the file to run.

    `driver` stands in for the driver; `more` are further modules of the program's package.
    Another interpreter than this one gets the sources. All may read them, whatever the umask is.
    Raises OSError if a source cannot be read or the folder cannot be written.
    """
    compiled = python == sys.executable
    suffix = ".pyc" if compiled else ".py"
    beside = (p for p in PROGRAM.glob("*.py") if p != DRIVER and p.stem != "__init__")
    for stem, source in [("driver", driver), *((p.stem, p) for p in (*beside, *more))]:
        path = Path(folder, stem + suffix)
        path.write_bytes(_code(source, compiled))
        path.chmod(0o644)
    return str(Path(folder, f"main{suffix}"))


@lru_cache(maxsize=64)
def _code(source: Path, compiled: bool) -> bytes:
    """A source's bytes, or a compiled copy that is taken as it is: no time stamp, no hash to check."""
    text = source.read_bytes()
    if not compiled:
        return text
    code = compile(text, str(source), "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
