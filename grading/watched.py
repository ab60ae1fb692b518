"""A harness under observation: passes everything on and remembers what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.contract import OpenDesk, ToolResult
from adapters.normal import shape, short
from adapters.trace import Ending, Execution, Request, Trace
from properties.checks import shown

WIDTH = 110  # characters of one line of a trace
BESIDE = 5  # lines of what a harness said beside its runs


class Watched:
    """Follows `contract.Harness`; `lines` tells in short notation what happened last."""

    def __init__(self, harness: Any) -> None:
        self._harness = harness
        self.seen: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._harness, name)

    def converse(self, script: Any, *, watch: bool = False) -> Trace:
        """Play a conversation and remember its trace."""
        trace: Trace = self._harness.converse(script, watch=watch)
        self.seen.append(trace)
        return trace

    def cut(self, end: str, text: str, max_lines: int | None, max_bytes: int | None) -> Any:
        """Cut a text and remember what was asked and what came back."""
        back = self._harness.cut(end, text, max_lines, max_bytes)
        asked = f"truncate_{end}({shown(text, 60)}, max_lines={max_lines}, max_bytes={max_bytes})"
        self.seen.append(f"{asked} -> {shown(back, 60)}")
        return back

    def help(self, function: str, argument: Any) -> Any:
        """Call a helper and remember what was asked and what came back."""
        back = self._harness.help(function, argument)
        self.seen.append(f"{function}({shown(argument, 60)}) -> {shown(back, 60)}")
        return back

    def desk(self, files: Mapping[str, Any], commands: Mapping[str, Any], max_lines: int | None,
             max_bytes: int | None) -> OpenDesk:  # fmt: skip
        """Open the harness's own tools and remember each use of them."""
        opened = self._harness.desk(files, commands, max_lines, max_bytes)
        budget = f"max_lines={max_lines}, max_bytes={max_bytes}"
        held = ", ".join(f"{k!r}: {shown(v, 60)}" for k, v in files.items())
        self.seen.append(f"files {{{held}}}, {budget}")
        return _WatchedDesk(opened, self.seen)

    def lines(self, at_most: int = 12) -> list[str]:
        """What happened since `seen` was last emptied, the middle of a long story left out."""
        told: list[str] = []
        beside: list[str] = []
        for number, part in enumerate(self.seen, 1):
            if isinstance(part, str):
                told.append(part)
                continue
            if sum(isinstance(p, Trace) for p in self.seen) > 1:
                told.append(f"run {number}:")
            told += story(part)
            beside += part.beside
        told = [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in told]
        if len(told) > at_most:
            left = len(told) - at_most + 1
            told = [*told[: at_most - 4], f"… {left} more lines …", *told[-3:]]
        return told + [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in beside[-BESIDE:]]


class _WatchedDesk:
    def __init__(self, desk: OpenDesk, seen: list[Any]) -> None:
        self._desk, self._seen = desk, seen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._desk, name)

    def use(self, tool: str, arguments: Any) -> ToolResult:
        back = self._desk.use(tool, arguments)
        mark = "error " if back.is_error else ""
        self._seen.append(f"{tool} {shown(arguments, 50)} -> {mark}{shown(back.content, 100)}")
        return back


def story(trace: Trace) -> list[str]:
    """A trace in short notation, one line for each request, execution and ending."""
    told = []
    for event in trace.events:
        if isinstance(event, Request):
            sent = "(not looked at)" if event.messages is None else shape(event.messages, 10)
            told.append(f"request {event.number + 1}: {sent} -> {_answer(event)}")
        elif isinstance(event, Execution):
            told.append(f"  run {event.tool} {shown(event.arguments, 50)}")
        else:
            told.append(_end(event))
    return told


def _answer(request: Request) -> str:
    if request.refusal:
        return f"refused: {request.refusal}"
    if request.crashed:
        return f"raises {request.crashed}"
    extra = " (the script was over)" if request.extra else ""
    return f"{short(request.reply)}{extra}"


def _end(ending: Ending) -> str:
    record = shape(ending.record, 12)
    if ending.problem:
        return f"run_agent raised {ending.problem.type}; record: {record}"
    if ending.kind == "stopped":
        return f"stopped by the suite; record: {record}"
    back = short(ending.returned) if isinstance(ending.returned, dict) else shown(ending.returned, 40)
    return f"returned {back}; record: {record}"
