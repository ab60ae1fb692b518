"""The harness's own tools over a stand-in for the workspace and the shell.

Standard library only and no import of the suite.
"""

from __future__ import annotations

from . import codec
from .live import make_exception, public, shown_error

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from typing import Any


class Workplace:
    """The workspace and the shell as the harness sees them; the real ones are the suite's.

    `contents` gives each file's path and version, and the text of a text file. A text that was
    seen once is kept until its version changes.
    """

    def __init__(self, ask: Any, contents: Any) -> None:
        self.ask = ask
        self._cached: dict[str, tuple[int, str]] = {
            codec.decode(file[0]): (file[1], codec.decode(file[2])) for file in contents if len(file) > 2
        }
        self.update([file[:2] for file in contents])

    def update(self, index: Any) -> None:
        """Take over the suite's list of files: each one's path and version."""
        self._index: dict[str, int] = {codec.decode(path): version for path, version in index}

    def versions(self) -> dict[str, int]:
        """Each file's path and its version, which goes up when somebody writes it."""
        return dict(self._index)

    def exists(self, path: Any) -> bool:
        return isinstance(path, str) and path in self._index

    def read_text(self, path: Any) -> str:
        held = self._cached.get(path) if isinstance(path, str) else None
        if held and held[0] == self._index.get(path):
            return held[1]
        answer = self._do("read_text", path=path)
        text: str = codec.decode(answer["value"])
        self._cached[path] = (answer["version"], text)
        return text

    def read_bytes(self, path: Any) -> bytes:
        data: bytes = codec.decode(self._do("read_bytes", path=path)["value"])
        return data

    def write_text(self, path: Any, text: Any) -> None:
        self.update(self._do("write_text", path=path, text=text)["files"])

    def listdir(self, path: Any = ".") -> list[str]:
        names: list[str] = codec.decode(self._do("listdir", path=path)["value"])
        return names

    def run(self, command: Any) -> tuple[str, int]:
        answer = self._do("run", command=command)
        return codec.decode(answer["output"]), answer["code"]

    def _do(self, what: str, **named: Any) -> dict[str, Any]:
        event = {"event": "desk", "do": what}
        event.update({k: codec.encode(v) for k, v in named.items()})
        answer: dict[str, Any] = self.ask(event)
        told = answer.get("raise")
        if told:
            raise make_exception(told["type"], codec.decode(told["text"]))
        return answer


class Unmade(Exception):
    """A function of the harness's that every run needs broke: its name, and what it raised."""

    def __init__(self, function: str, error: BaseException) -> None:
        super().__init__(function)
        self.function, self.error = function, error


def own_tool(harness: Any, name: str, desk: Workplace, budget: dict[str, Any]) -> Any:
    """The harness's own read, write or bash tool, with the budgets that were asked for.

    Raises `Unmade` with whatever its maker raises.
    """
    wanted = () if name == "write" else ("max_lines", "max_bytes")
    limits = {k: budget[k] for k in wanted if budget.get(k) is not None}
    try:
        return getattr(harness, f"make_{name}_tool")(desk, **limits)
    except BaseException as error:
        raise Unmade(f"make_{name}_tool", error) from error


class Desks:
    """The harness's own tools between jobs, so that each use can depend on the last result."""

    def __init__(self) -> None:
        self.desk: Workplace | None = None
        self.tools: list[Any] = []

    def open(self, harness: Any, job: dict[str, Any], ask: Any) -> None:
        """Make the tools over a new workspace."""
        desk = self.desk = Workplace(ask, job["files"])
        self.tools = [own_tool(harness, name, desk, job) for name in job["tools"]]

    def use(self, harness: Any, job: dict[str, Any], ask: Any, home: str) -> dict[str, Any]:
        """Open the desk if that is asked for, then run one call of its tools, or tell what they are."""
        if "open" in job:
            self.open(harness, job["open"], ask)
        if "call" not in job:
            return {"specs": [codec.encode(public(tool)) for tool in self.tools]}
        if self.desk is not None:
            self.desk.ask = ask
            self.desk.update(job["files"])
        call = codec.decode(job["call"])
        try:
            back = harness.run_tool(self.tools, call)
        except BaseException as error:
            return {"error": shown_error(error, {}, home)}
        return {"result": codec.encode(back), "call": codec.encode(call)}


desks = Desks()
