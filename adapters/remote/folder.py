"""A real folder for harnesses whose own tools work on files, kept the same as the suite's workspace."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from adapters.contract import Unplayable


class Folder:
    """A folder that holds what a workspace (the driver's stand-in) holds, and tells it what was written."""

    def __init__(self, desk: Any) -> None:
        self.desk = desk
        self._outside = Path(tempfile.mkdtemp(prefix="harness-desk-"))
        self.root = self._outside / "workspace"
        self.root.mkdir()
        self._versions: dict[str, int] = {}
        self._held: dict[Path, bytes] = {}

    def close(self) -> None:
        """Remove it all."""
        shutil.rmtree(self._outside, ignore_errors=True)

    def fill(self) -> None:
        """Write what is new or was changed from outside. Raises Unplayable for what no folder holds."""
        for path, version in self.desk.versions().items():
            if self._versions.get(path) == version:
                continue
            place = self.place(path)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                data = self._data(path)
                place.write_bytes(data)
            except (OSError, UnicodeEncodeError) as error:
                raise Unplayable(f"no file system holds {path!r}: {type(error).__name__}") from error
            self._versions[path], self._held[place] = version, data

    def _data(self, path: str) -> bytes:
        try:
            text: str = self.desk.read_text(path)
        except ValueError:  # it is no text
            data: bytes = self.desk.read_bytes(path)
            return data
        return text.encode()

    def place(self, path: str) -> Path:
        """Where a file of the workspace lies. Raises Unplayable for what lies outside."""
        place = Path(os.path.normpath(self.root / path))
        own = self.root in place.parents and str(place.relative_to(self.root)) == path
        if "\0" in path or path.startswith("~") or not own:
            raise Unplayable(f"no folder of its own holds a file called {path!r}")
        return place

    def tell(self) -> None:
        """Tell the workspace of every file that is not what it was."""
        for place in sorted(p for p in self.root.rglob("*") if p.is_file()):
            data = place.read_bytes()
            if self._held.get(place) != data:
                self._held[place] = data
                path = str(place.relative_to(self.root))
                self.desk.write_text(path, data.decode(errors="surrogateescape"))
                self._versions[path] = self.desk.versions()[path]
