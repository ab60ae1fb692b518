"""A program's own tools as a desk: each use is one reply of a model that waits for what comes of it.

Files lie on the disk of the room, in the working folder. Commands are steps, which print what the suite has
for them. What the next request carries as the result is what the model is shown, and that is judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from adapters.contract import HarnessFault, ToolResult, Unplayable
from adapters.desk import Place
from adapters.normal import role_of, shape
from adapters.programs.described import Program, Reading, Shell, Writing
from adapters.programs.room import OUT, STEPS, WORK
from strategies.printing import to_json
from strategies.script import Call, Conversation, Prompt, Ran, Reply

LOG = f"{OUT}/log"
TAKES = {"read": ("path", "offset", "limit"), "write": ("path", "content"), "bash": ("command",)}
SCRIPT = "echo {number} >> {log}\ncat {steps}/{number}.out\nexit {code}\n"
NAME = re.compile(r"[^\x00/]{1,255}(?:/[^\x00/]{1,255})*")


class ProgramDesk:
    """The program's own tools over one workspace; follows `contract.OpenDesk`."""

    def __init__(
        self, program: Program, ask: Callable[[dict[str, Any]], Any], files: Mapping[str, str | bytes],
        commands: Mapping[str, Ran],
    ) -> None:  # fmt: skip
        self.place = Place(dict(files), dict(commands))
        self._program, self._ask = program, ask
        self._number, self._logged = 0, 0
        self._tools: dict[str, Any] = {}
        self._commands = list(commands)
        held = {f"{WORK}/{_named(path)}": _held(text) for path, text in files.items()}
        self._there = dict(self.place.files)  # as the disk has it
        for number, ran in enumerate(commands.values()):
            if not 0 <= ran.code <= 255:
                raise Unplayable(f"no command ends with status {ran.code}")
            held[f"{STEPS}/{number}"] = SCRIPT.format(number=number, log=LOG, steps=STEPS, code=ran.code)
            held[f"{STEPS}/{number}.out"] = _held(ran.output)
        script = Conversation((Prompt("Go.", ()),))
        ask({"op": "hold", "script": to_json(script), "files": held})

    @property
    def specs(self) -> dict[str, Any]:
        """What each tool says of itself; known once a tool was used."""
        tools = self._program.tools
        named = {"read": tools.read, "write": tools.write, "bash": tools.shell}
        if not self._tools:
            self.use("bash" if tools.shell else "read", {"command": "true", "path": "."})
        return {course: self._tools.get(own.name) for course, own in named.items() if own is not None}

    def use(self, tool: str, arguments: Any) -> ToolResult:
        """One call of the program's own tool, and what the model is shown of it."""
        self._number += 1
        id_ = f"t{self._number}"
        name, given = self._asked(tool, arguments)
        path = arguments.get("path") if isinstance(arguments, dict) else None
        written = path if tool == "write" and isinstance(path, str) else ""
        if written and (written.startswith("~") or not NAME.fullmatch(written.removeprefix("/"))):
            raise Unplayable(f"where {written[:40]!r} lies is not known")
        reply = to_json(Reply((Call(id_, name, given),), "toolUse"))
        changed = {p: t for p, t in self.place.files.items() if self._there.get(p) != t}
        edited = {f"{WORK}/{_named(p)}": _held(t) for p, t in changed.items()}
        look = [_place(written)] if written else []
        done = self._ask({"op": "use", "reply": reply, "files": edited, "look": look})
        self._there = dict(self.place.files)
        request = done["request"]
        if request is None:
            raise HarnessFault(f"the run ended after a call of {name} instead of going on with its result")
        self._tools = {spec["name"]: spec for spec in request["tools"] or ()}
        self._happened(done, path)
        message = next((m for m in reversed(request["messages"] or ()) if role_of(m) == "toolResult"), None)
        if request["refusal"] or message is None:
            said = request["refusal"] or f"what was sent is {shape(request['messages'] or [])}"
            raise HarnessFault(f"no result of {name} came back that a provider takes: {said}")
        return self._result(tool, message, {"id": id_, "name": tool, "arguments": arguments})

    def close(self) -> None:
        """End the run."""
        self._ask({"op": "release"})

    # -- there and back --------------------------------------------------------------------------

    def _asked(self, tool: str, arguments: Any) -> tuple[str, Any]:
        """The program's own tool, and the arguments in its own names."""
        tools = self._program.tools
        own = {"read": tools.read, "write": tools.write, "bash": tools.shell}[tool]
        if own is None:
            raise Unplayable(f"it has no tool for {tool}")
        if not isinstance(arguments, dict):
            raise Unplayable("arguments that are no object are judged where scripted tools are called")
        names = {key: getattr(own, key) for key in TAKES[tool]}
        given: dict[str, Any] = dict(own.extra)
        for key, value in arguments.items():
            if key in names and not names[key]:
                raise Unplayable(f"its tool for {tool} has no {key}")
            given[names.get(key) or key] = self._value(own, key, value)
        if isinstance(own, Shell) and own.listed and own.command in given:
            given[own.command] = [given[own.command]]
        return own.name, given

    def _value(self, own: Reading | Writing | Shell, key: str, value: Any) -> Any:
        if key == "path" and isinstance(value, str) and not isinstance(own, Shell) and own.absolute:
            return _place(value)
        if key == "command" and isinstance(value, str):
            if value in self._commands:
                return f"sh {STEPS}/{self._commands.index(value)}"
            if value and value != "true":
                return f"echo {json.dumps(value)}: command not found; exit 127"
        return value

    def _happened(self, done: Any, path: Any) -> None:
        """Note in the workspace what was run and written."""
        lines = done["log"]
        self.place.runs += [self._commands[int(line)] for line in lines[self._logged :]]
        self._logged = len(lines)
        for held in done["files"].values():
            if held is not None and held != self._there.get(path):
                self.place.writes.append((path, held))
                self.place.put(path, held)
                self._there[path] = held

    def _result(self, tool: str, message: Any, call: Any) -> ToolResult:
        tools = self._program.tools
        own = {"read": tools.read, "write": tools.write, "bash": tools.shell}[tool]
        content = message.get("content")
        mark = message.get("is_error")
        if isinstance(content, str):
            if mark is None:
                mark = any(re.search(p, content) for p in own.errors) if own else None
            if isinstance(own, Shell):
                content = _output_first(content, own)
            elif isinstance(own, Reading):
                content = re.sub(own.numbered, "", content) if own.numbered else content
                if any(re.fullmatch(p, content, re.DOTALL) for p in own.empty):
                    content = self._blank(call["arguments"])
        shown = {**message, "content": content, "is_error": mark, "tool_name": tool}
        return ToolResult(content, mark, shown, call)

    def _blank(self, asked: Mapping[str, Any]) -> str:
        """The page that a placeholder stands for: the lines that were asked for, if they are blank."""
        path, offset, limit = (asked.get(name) for name in TAKES["read"])
        text = self.place.files.get(path, "") if isinstance(path, str) else ""
        lines = (text if isinstance(text, str) else _held(text)).split("\n")
        start = max(offset - 1, 0) if isinstance(offset, int) else 0
        page = "\n".join(lines[start : start + limit if isinstance(limit, int) else None])
        return "" if page.replace("\ufeff", "").strip() else page  # what other languages call white space


def _output_first(content: str, shell: Shell) -> str:
    """The result with what stands before the output put behind it, where the program puts it there."""
    for pattern in shell.shows:
        found = re.fullmatch(pattern, content, re.DOTALL)
        if found:
            start, end = found.span("output")
            head = content[:start].strip()
            return found["output"] + content[end:] + (f"\n{head}" if head else "")
    return content


def _place(path: str) -> str:
    """Where a path of the script lies in the room."""
    return path if path.startswith("/") else f"{WORK}/{path}"


def _named(path: str) -> str:
    """A path that can lie on a disk. Raises Unplayable."""
    parts = path.split("/")
    longest = max(len(part.encode("utf-8", "replace")) for part in parts)
    if not NAME.fullmatch(path) or ".." in parts or longest > 255:
        raise Unplayable(f"no file can be called {path[:40]!r}")
    return path


def _held(text: str | bytes) -> str:
    """What a file holds, as it travels to the room. Raises Unplayable."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "surrogateescape")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unplayable("no file holds a lone surrogate") from None
    return text
