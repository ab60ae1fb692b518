"""tau's read, write and bash over a real folder that mirrors the suite's workspace.

Its tools take no budgets: they call `truncate_head(text)` and `truncate_tail(text)` as they stand, whose
defaults are set here to what a script asks for. What a command prints comes from the suite: with tau's own
option shell_command_prefix, which it puts before every command, the shell asks for it and exits.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

import bridge
from tau_agent.tools import AgentTool
from tau_coding import tools as tau

LINES, BYTES = 2000, 50_000  # the course's budgets, where a script names none
MAKERS = {"read": tau.create_read_tool, "write": tau.create_write_tool, "bash": tau.create_bash_tool}
for deadly in (signal.SIGHUP, signal.SIGTERM):  # whoever started us may ignore them, and shells would, too
    signal.signal(deadly, signal.SIG_DFL)


class Folder:
    """A folder that holds what the workspace holds, and tells it what was written."""

    def __init__(self, desk: Any) -> None:
        self.desk = desk
        self.root = Path(tempfile.gettempdir(), "desk")
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()
        self._versions: dict[str, int] = {}
        self._held: dict[Path, bytes] = {}

    def fill(self) -> None:
        """Write what is new or was changed from outside."""
        for path, version in self.desk.versions().items():
            if self._versions.get(path) == version:
                continue
            place = self.place(path)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                data = self._data(path)
                place.write_bytes(data)
            except (OSError, UnicodeEncodeError) as error:
                raise bridge.Unplayable(f"no file system holds {path!r}: {type(error).__name__}") from error
            self._versions[path], self._held[place] = version, data

    def _data(self, path: str) -> bytes:
        """What the file holds."""
        try:
            text = self.desk.read_text(path)
        except ValueError:  # it is no text
            return self.desk.read_bytes(path)
        return text.encode()

    def place(self, path: str) -> Path:
        """Where a file of the workspace lies. Raises Unplayable for what lies outside."""
        place = Path(os.path.normpath(self.root / path))
        own = self.root in place.parents and str(place.relative_to(self.root)) == path
        if "\0" in path or path.startswith("~") or not own:
            raise bridge.Unplayable(f"no folder of its own holds a file called {path!r}")
        return place

    def tell(self) -> None:
        """Tell the workspace of every file that is not what it was."""
        for place in sorted(p for p in self.root.rglob("*") if p.is_file()):
            data = place.read_bytes()
            if self._held.get(place) != data:
                self._held[place] = data
                path = str(place.relative_to(self.root))
                self.desk.write_text(path, data.decode())
                self._versions[path] = self.desk.versions()[path]


_folders: list[Folder] = []


def folder_of(desk: Any) -> Folder:
    """The one folder of this workspace; a new workspace takes the place of the last."""
    if not _folders or _folders[-1].desk is not desk:
        _folders[:] = [Folder(desk)]
    return _folders[-1]


def own(name: str, desk: Any, max_lines: int | None = None, max_bytes: int | None = None) -> dict[str, Any]:
    """One of tau's tools, as a tool that `run_agent` and `run_tool` take."""
    limits = {"max_lines": max_lines or LINES, "max_bytes": max_bytes or BYTES}
    made = MAKERS[name](cwd=folder_of(desk).root)

    async def execute(id_: str, arguments: Any, *more: Any) -> Any:
        folder = folder_of(desk)
        folder.fill()
        if name != "bash" and isinstance(arguments.get("path"), str):
            folder.place(arguments["path"])
        tau.truncate_head.__kwdefaults__ = tau.truncate_tail.__kwdefaults__ = dict(limits)
        try:
            if name != "bash":
                return await made.execute(id_, arguments, *more)
            with shell(folder, arguments) as prefix:
                tool = tau.create_bash_tool(cwd=folder.root, shell_command_prefix=prefix)
                return await tool.execute(id_, arguments, *more)
        finally:
            folder.tell()

    tool = AgentTool(made.name, made.label, made.description, made.parameters, execute)
    return {**bridge.spec(made.name, made.description, dict(made.parameters)), "execute": tool}


@contextlib.contextmanager
def shell(folder: Folder, arguments: Any) -> Any:
    """A prefix for the command: the shell says that it has begun, and then prints what the suite wants."""
    outside = Path(tempfile.mkdtemp())
    asks, answers, output = outside / "asks", outside / "answers", outside / "output"
    for pipe in (asks, answers):
        os.mkfifo(pipe)
    asked, answered = (os.open(pipe, os.O_RDWR | os.O_NONBLOCK) for pipe in (asks, answers))

    def answer() -> None:
        os.read(asked, 100)
        printed, code = folder.desk.run(arguments["command"])
        try:
            output.write_bytes(printed.encode())
        except UnicodeEncodeError:
            code = None
        if code is None or not -32 < code < 256:
            unsayable.append(f"no command prints that, or ends with exit code {code}")
            output.write_bytes(b"")
            code = 0
        os.write(answered, f"{'exit' if code >= 0 else 'kill'} {code}\n".encode())

    unsayable: list[str] = []
    loop = asyncio.get_running_loop()
    loop.add_reader(asked, answer)
    try:
        told = f"read how code < {answers}; cat {output}; [ $how = exit ] || kill $code $$; exit $code"
        yield f"echo > {asks}; {told}"
        if unsayable:
            raise bridge.Unplayable(unsayable[0])
    finally:
        loop.remove_reader(asked)
        os.close(asked)
        os.close(answered)
        shutil.rmtree(outside, ignore_errors=True)


def cut(function: Any, text: str, max_lines: int | None, max_bytes: int | None) -> tuple[str, int]:
    """What one of tau's two cuts keeps of a text, and how many lines that is."""
    limits = {"max_lines": max_lines or LINES, "max_bytes": max_bytes or BYTES}
    kept = function(text, **limits)
    return kept.content, kept.output_lines
