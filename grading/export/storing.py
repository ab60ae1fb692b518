"""Files that are whole or not there, for bytes; `grading.formats.write` is the one for text."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from grading.formats import Unwritable, writable


def write_bytes(path: str, data: bytes) -> None:
    """Write a file whole or not at all; what stood there stays until the new one is done.

    Raises Unwritable.
    """
    writable(path)
    place = Path(os.path.realpath(path))
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{place.name[:50]}.", dir=place.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(place)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise Unwritable(f"{path}: cannot be written, {error.strerror or error}") from error
