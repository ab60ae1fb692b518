"""The desk of a course-shaped harness: its read, write and bash over one workspace, as jobs of a channel.

The first job of all makes the tools. A tool that breaks, or is not made, is the harness's fault; `fine` says
so in the same words for every job.
"""

from __future__ import annotations

from typing import Any

from adapters.child import codec
from adapters.contract import HarnessFault, ToolResult
from adapters.desk import Place
from adapters.protocol import reading

DESK = ("read", "write", "bash")  # the tools of a desk, in the order they are made


class CourseDesk:
    """The harness's read, write and bash over one workspace; follows `contract.OpenDesk`."""

    def __init__(self, job: Any, place: Place, max_lines: int | None, max_bytes: int | None) -> None:
        self._job, self.place = job, place
        self._opening: dict[str, Any] | None = {
            "tools": list(DESK), "max_lines": max_lines, "max_bytes": max_bytes, "files": place.contents(),
        }  # fmt: skip
        self._number = 0

    @property
    @reading()
    def specs(self) -> dict[str, Any]:
        """What each tool says of itself: name -> spec."""
        told = self._do({}, "make_read_tool")["specs"]
        return dict(zip(DESK, map(codec.decode, told), strict=True))

    def _do(self, job: dict[str, Any], what: str) -> dict[str, Any]:
        """One job; the first of all makes the tools."""
        opening = {} if self._opening is None else {"open": self._opening}
        done: dict[str, Any] = self._job({"op": "desk", **opening, **job}, self.place.answer)
        if "unmade" in done:
            fine(done, what)
        self._opening = None
        return done

    @reading()
    def use(self, tool: str, arguments: Any) -> ToolResult:
        self._number += 1
        call = {"type": "toolCall", "id": f"t{self._number}", "name": tool, "arguments": arguments}
        what = f"run_tool, given a call of {tool},"
        done = self._do({"call": codec.encode(call), "files": self.place.index()}, what)
        try:
            fine(done, what)
        except HarnessFault as fault:
            fault.key, fault.owner = "tool-exception", "TOOL-01"
            raise
        result = codec.decode(done["result"])
        if not isinstance(result, dict):
            raise HarnessFault(f"run_tool gave back {type(result).__name__} instead of a message")
        return ToolResult(
            result.get("content"), result.get("is_error"), result, codec.decode(done["call"])
        )


def fine(done: dict[str, Any], what: str) -> dict[str, Any]:
    """What a job gave. Raises HarnessFault if it ended in an exception."""
    error = done.get("error")
    if error:
        at = f" ({error['where']})" if error["where"] else ""
        said = f"{done.get('unmade', what)} raised {error['type']}: {codec.decode(error['text'])}{at}"
        fault = HarnessFault(said)
        fault.key = f"unmade:{done['unmade']}" if "unmade" in done else ""
        raise fault
    return done
