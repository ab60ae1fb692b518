"""The in-memory workspace and shell: real ones, on the suite's side.

The harness holds a stand-in whose every operation arrives here as an event; see
`adapters/child/workplace.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters.child import codec
from strategies.script import Ran


@dataclass
class Place:
    """Files and commands. `files` maps a path to its text, `commands` a command line to Ran.

    `writes` and `runs` list what was done, in order: (path, text) and command lines.
    """

    files: dict[str, str | bytes] = field(default_factory=dict)
    commands: dict[str, Ran] = field(default_factory=dict)
    writes: list[tuple[Any, Any]] = field(default_factory=list)
    runs: list[Any] = field(default_factory=list)
    _versions: dict[str, int] = field(default_factory=dict)
    _clock: int = 0

    def put(self, path: str, text: str) -> None:
        """Write a file without the harness's doing, as an editor beside it would."""
        self.files[path] = text
        self._clock += 1
        self._versions[path] = self._clock

    def answer(self, event: dict[str, Any]) -> dict[str, Any]:
        """Do one operation that the harness asked for."""
        do = event["do"]
        if do == "run":
            return self._run(codec.decode(event["command"]))
        path = codec.decode(event["path"])
        if do == "listdir":
            return {"value": codec.encode(self._names(path))}
        if do == "write_text":
            return self._write(path, codec.decode(event["text"]))
        if not isinstance(path, str) or path not in self.files:
            return _raise("FileNotFoundError", f"no such file: {path!r}")
        held = self.files[path]
        if do == "read_bytes":
            return {"value": codec.encode(held if isinstance(held, bytes) else held.encode())}
        if isinstance(held, bytes):
            try:
                held = held.decode("utf-8")
            except UnicodeDecodeError as error:
                return _raise("ValueError", f"{path}: {error}")
        return {"value": codec.encode(held), "version": self._versions.get(path, 0)}

    def index(self) -> list[list[Any]]:
        """Each file's path and version, for the harness's side to know what it may keep."""
        return [[codec.encode(path), self._versions.get(path, 0)] for path in self.files]

    def contents(self) -> list[list[Any]]:
        """The index with what each text file holds, so that reading one needs no question."""
        return [
            [codec.encode(path), self._versions.get(path, 0), *([codec.encode(text)] * isinstance(text, str))]
            for path, text in self.files.items()
        ]

    def _names(self, path: Any) -> list[str]:
        where = "" if path in (".", "", "./", "/") else f"{str(path).rstrip('/')}/"
        inside = [p[len(where) :] for p in self.files if p.startswith(where)]
        return sorted({name.split("/")[0] if where else name for name in inside})

    def _write(self, path: Any, text: Any) -> dict[str, Any]:
        if not isinstance(path, str) or not isinstance(text, str):
            return _raise("TypeError", "write_text wants a text as path and a text as content")
        self.writes.append((path, text))
        self.put(path, text)
        return {"files": self.index()}

    def _run(self, command: Any) -> dict[str, Any]:
        self.runs.append(command)
        ran = self.commands.get(command) if isinstance(command, str) else None
        if ran is None:
            ran = Ran(f"{command}: command not found\n", 127)
        return {"output": codec.encode(ran.output), "code": ran.code}


def _raise(kind: str, text: str) -> dict[str, Any]:
    return {"raise": {"type": kind, "text": codec.encode(text)}}
