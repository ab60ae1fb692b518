"""The folder of results as a run leaves it: what was found so far, safe against any sudden end.

`.grading/run.json` says what all results in the folder depend on, `.grading/<content>.json` holds
what is known of one submission. Every file is written whole or not at all.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grading import formats
from grading.batch.found import Found
from grading.leave import BadCall

SCHEMA = "harness-props/run/v1"
STATE, RUN = ".grading", "run.json"
OURS = (STATE, "results.jsonl", "submissions")  # what --fresh removes, with the files of the outputs


class Store:
    """The state in one folder of results. `run` is what everything in it depends on."""

    def __init__(self, folder: Path, run: Mapping[str, Any], *, files: tuple[str, ...] = ()) -> None:
        """`files` are the names of what is written beside the state."""
        self.folder, self.run = folder, {"schema": SCHEMA, **run}
        self._state, self._files = folder / STATE, (*OURS, *files)

    @contextlib.contextmanager
    def opened(self, *, fresh: bool = False) -> Iterator[None]:
        """Take hold of the folder, make it if need be, and see that what is in it belongs together.

        Raises BadCall if another grader is at work there, if it is somebody else's folder or if its
        results depend on something else; Unwritable if it cannot be written.
        """
        try:
            strange = self.folder.is_dir() and any(self.folder.iterdir()) and not self._state.is_dir()
            if strange or (self.folder.exists() and not self.folder.is_dir()):
                raise BadCall(f"{self.folder}: is there already and holds no results of grading; name a new "
                              "folder with -o")  # fmt: skip
            self._state.mkdir(parents=True, exist_ok=True)
            lock = (self._state / "lock").open("w")
        except OSError as error:
            raise self._unwritable(error) from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadCall(f"{self.folder}: another `harness-props grade` is at work there") from None
            try:
                self._begin(fresh=fresh)
            except OSError as error:
                raise self._unwritable(error) from error
            yield

    def _unwritable(self, error: OSError) -> formats.Unwritable:
        return formats.Unwritable(f"{self.folder}: cannot be written, {error.strerror or error}")

    def _begin(self, *, fresh: bool) -> None:
        if fresh:
            for name in self._files:
                for path in self.folder.glob(name):
                    if path == self._state:
                        for old in sorted(path.glob("*.json"), key=lambda one: one.name == RUN):
                            old.unlink()  # what all depends on goes last: nothing ever stands without it
                    elif path.is_dir() and not path.is_symlink():
                        shutil.rmtree(path)
                    else:
                        path.unlink()
        beside = [path for name in self._files for path in self.folder.glob(f".{name}.*")]
        for unfinished in [*self._state.glob(".*"), *self.folder.glob("submissions/*/.*"), *beside]:
            if unfinished.is_file():  # what a grader that was killed was writing
                unfinished.unlink()
        self._same()
        formats.write(str(self._state / RUN), json.dumps(self.run, indent=1, sort_keys=True) + "\n")

    def _same(self) -> None:
        """Raise BadCall if what is there was made in another way."""
        try:
            before = json.loads((self._state / RUN).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            before = {}
        if not before and not any(self._state.glob("*.json")):
            return
        keys = dict.fromkeys([*self.run, *before])
        other = [key for key in keys if before.get(key) != self.run.get(key)]
        if other:
            told = ", ".join(
                f"{key.replace('_', ' ')} {before.get(key)!r} (now {self.run.get(key)!r})" for key in other
            )
            raise BadCall(f"{self.folder}: holds results with {told}; one class is not graded in two ways: "
                          "take another folder, or --fresh to begin anew there")  # fmt: skip

    # -- one submission ----------------------------------------------------------------------

    def load(self, content: str) -> Found:
        """What is known of a content; nothing yet if there is no file or it cannot be read."""
        try:
            found = Found.from_json(json.loads(self._path(content).read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return Found(content)
        return found if found.content == content else Found(content)

    def save(self, found: Found) -> None:
        """Keep what is known of a content. Raises Unwritable."""
        formats.write(str(self._path(found.content)), json.dumps(found.to_json()) + "\n")

    def _path(self, content: str) -> Path:
        return self._state / f"{content}.json"
