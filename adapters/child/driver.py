"""Performs jobs on a course-shaped harness: the part that touches live objects.

It runs in the harness's own process (or beside an in-process harness), decides nothing and
judges nothing: what the model replies and what a tool does comes from the suite through
`ask`, what was seen goes back through it. Standard library only; it never imports the suite.
"""

from __future__ import annotations

import builtins
import json

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself would cost a fifth of the start-up
    from typing import Any

codec: Any = None  # set by whoever loads this file: the codec module that lies beside it


class Stop(BaseException):
    """Ends a run that has outlived its script. Not an Exception, so that no guard catches it."""


class Failure(Exception):
    """A scripted tool's own kind of exception."""


class BrokenText(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("this exception has no readable text")

    __repr__ = __str__


def make_exception(kind: str, text: str) -> BaseException:
    """The live exception that a script names. Unknown names are a fault of the script."""
    special = {"NoText": ValueError, "BrokenText": BrokenText, "Failure": Failure}
    if kind == "NoText":
        return ValueError()
    if kind == "UnicodeDecodeError":
        return UnicodeDecodeError("utf-8", b"\xff", 0, 1, text)
    if kind == "CancelledError":
        from asyncio import CancelledError

        return CancelledError(text)
    made: type[BaseException] = special.get(kind) or getattr(builtins, kind)
    return made(text)


def odd_value(kind: str) -> Any:
    """The live value that a script names where a tool returns something that is not text."""
    cycle: list[Any] = []
    cycle.append(cycle)
    return {
        "None": None, "True": True, "False": False, "int": 42, "float": 1.5, "bytes": b"\xffab",
        "list": ["a", 1], "dict": {"error": "no"}, "nested": {"a": {"b": [1, {"c": None}]}},
        "set": {1}, "cycle": cycle, "object": object(), "huge": "x" * 10_000_000,
        "surrogate": "a\ud800b",
    }[kind]  # fmt: skip


def change(value: Any, depth: int = 0) -> None:
    """Edit a live argument value in place, nested containers first."""
    if depth > 3:
        return
    if isinstance(value, dict):
        for inner in list(value.values()):
            change(inner, depth + 1)
        value["changed"] = True
    elif isinstance(value, list):
        for inner in value:
            change(inner, depth + 1)
        value.append("changed")


def shown_error(error: BaseException, keys: dict[int, str], home: str) -> dict[str, Any]:
    """An exception that came out of the harness: what it is and where in the harness it rose."""
    try:
        text = str(error)
    except Exception:
        text = "<no readable text>"
    where, frame = "", error.__traceback__
    while frame is not None:
        code = frame.tb_frame.f_code
        if code.co_filename == home:
            where = f"line {frame.tb_lineno} in {code.co_name}"
        frame = frame.tb_next
    return {
        "type": type(error).__name__, "text": codec.encode(text[:2000]), "key": keys.get(id(error)),
        "is_exception": isinstance(error, Exception), "where": where,
    }  # fmt: skip


def mark(value: Any) -> Any:
    """Something that differs as soon as the value does."""
    return codec.fingerprint(value) or json.dumps(codec.encode(value))


class Model:
    """What the harness calls for a reply. Every answer comes from the suite's provider."""

    def __init__(self, run: Conversation) -> None:
        self._run = run

    def complete(self, system: Any = None, messages: Any = None, tools: Any = None, **more: Any) -> Any:
        """One model call: the request as it stands now goes out, the reply comes back."""
        run = self._run
        if run.watch and isinstance(messages, list):
            run.watched.append([(message, mark(message)) for message in messages])
        event = {
            "event": "request", "aliased": messages is run.messages, "more": sorted(more),
            **run.if_new(system=system, tools=tools),
        }  # fmt: skip
        if run.looks():
            run.pool.begin()
            event["messages"] = run.pool.snapshot("request", messages)
            event["record"] = run.pool.snapshot("record", run.messages)
        answer = run.tell(event)
        run.raise_if_told(answer)
        run.open = [[c[0], codec.decode(c[1]), c[2], False] for c in answer.get("does", ())]
        meddling = answer.get("meddling")
        if meddling == "empty" and isinstance(messages, list):
            messages.clear()
        elif meddling == "extend" and isinstance(messages, list):
            messages.append({"role": "user", "content": "not yours"})
        return codec.decode(answer["reply"])


class Conversation:
    """One record, its tools, and the prompts put to it one after the other."""

    def __init__(self, harness: Any, job: dict[str, Any], ask: Any, home: str) -> None:
        self.harness, self.job, self.ask, self.home = harness, job, ask, home
        self.pool = codec.Pool()
        self.keys: dict[int, str] = {}
        self.kept: list[BaseException] = []  # keeps scripted exceptions alive: ids stay theirs
        self.messages: list[Any] = [codec.decode(m) for m in job["history"]]
        self.watch = bool(job.get("watch"))
        self.seen = 0
        self.open: list[list[Any]] = []  # calls of the last reply: name, arguments, action, used
        self.queue: list[dict[str, Any]] = []  # events that need no answer, until the next ask
        self.runs = 0
        self.prints: dict[str, Any] = {}
        self.watched: list[list[tuple[Any, Any]]] = []
        desk = Workplace(ask, job["files"])
        self.tools = [self._tool(spec, desk) for spec in job["tools"]]

    def if_new(self, **named: Any) -> dict[str, Any]:
        """Those values that are not what they were in the last request, encoded."""
        new = {}
        for name, value in named.items():
            print_ = codec.fingerprint(value)
            if print_ is None or self.prints.get(name) != print_:
                new[name] = codec.encode(value)
                self.prints[name] = print_
        return new

    def looks(self) -> bool:
        """Whether this moment is looked at; of a very long run only every hundredth is."""
        self.seen += 1
        return not self.job.get("glance") or self.seen < 10 or self.seen % 100 == 0

    def tell(self, event: dict[str, Any]) -> dict[str, Any]:
        """Ask the suite, with everything that happened since it was last asked."""
        queued, self.queue = self.queue, []
        answer: dict[str, Any] = self.ask({**event, "queued": queued})
        return answer

    def action(self, name: str, arguments: Any) -> tuple[int | None, dict[str, Any]]:
        """Which open call this run is (the first unused one of its name, rather with its very
        arguments) and what the script says its tool does."""
        free = [i for i, c in enumerate(self.open) if c[0] == name and not c[3]]
        exact = [i for i in free if same(self.open[i][1], arguments)]
        if not free:
            return None, {"text": "ok"}
        chosen = (exact or free)[0]
        self.open[chosen][3] = True
        return chosen, self.open[chosen][2]

    def raise_if_told(self, answer: dict[str, Any]) -> None:
        if answer.get("stop"):
            raise Stop
        told = answer.get("raise")
        if told:
            error = make_exception(told["type"], codec.decode(told["text"]))
            self.kept.append(error)
            self.keys[id(error)] = told["key"]
            raise error

    def _tool(self, spec: dict[str, Any], desk: Workplace) -> Any:
        if "own" in spec:
            return own_tool(self.harness, spec["own"], desk, spec)
        tool = codec.decode(spec["public"])
        tool["execute"] = self._execute(tool["name"])
        tool.update(codec.decode(spec["private"]))
        return tool

    def _execute(self, name: str) -> Any:
        def execute(arguments: Any = None) -> Any:
            place, answer = self.action(name, arguments)
            event = {"event": "execute", "tool": name, "arguments": codec.encode(arguments), "call": place}
            if not self.job.get("glance"):
                self.pool.begin()
                event["record"] = self.pool.snapshot("record", self.messages)
            self.queue.append(event)
            self.runs += 1
            if len(self.queue) >= 500:
                self.tell({"event": "busy"})
            if "raise" in answer:
                self.raise_if_told({"raise": {**answer["raise"], "key": f"tool{self.runs}"}})
            if "gives" in answer:
                return odd_value(answer["gives"])
            if "reads" in answer:
                return self.read_member(arguments, answer["reads"])
            if answer.get("changes"):
                change(arguments)
            return codec.decode(answer["text"])

        return execute

    def read_member(self, arguments: Any, name: str) -> str:
        """`arguments[name]`, which must be a text; whatever that raises is the tool's own."""
        try:
            value = arguments[name]
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a text, not {type(value).__name__}")
            return value
        except Exception as error:
            self.kept.append(error)
            self.keys[id(error)] = f"tool{self.runs}"
            raise

    def put(self, prompt: dict[str, Any]) -> None:
        """One prompt: run the harness's loop on the record and report how it ended."""
        options = {"max_turns": prompt["max_turns"]} if "max_turns" in prompt else {}
        event: dict[str, Any] = {"event": "ended", "kind": "returned"}
        try:
            back = self.harness.run_agent(
                Model(self), codec.decode(self.job["system"]), self.messages, self.tools,
                codec.decode(prompt["text"]), **options,
            )  # fmt: skip
            event["returned"] = codec.encode(back)
        except Stop:
            event["kind"] = "stopped"
        except BaseException as error:  # every way out of the run is part of the trace
            event["kind"] = "raised"
            event["error"] = shown_error(error, self.keys, self.home)
        self.pool.begin()
        event["record"] = self.pool.snapshot("record", self.messages)
        self.queue.append(event)
        self.open = []

    def report(self) -> dict[str, Any]:
        """What can only be seen when all is over: things handed in that were changed."""
        changed = [
            [number, index]
            for number, carried in enumerate(self.watched)
            for index, (message, then) in enumerate(carried)
            if mark(message) != then
        ]
        tools = [codec.encode(public(t)) for t in self.tools]
        return {"changed_requests": changed, "tools": tools, "queued": self.queue}


def same(one: Any, other: Any) -> bool:
    """Whether two argument values are equal; odd ones that cannot be compared are not."""
    try:
        return bool(one == other)
    except Exception:
        return False


def public(tool: Any) -> dict[str, Any]:
    """A tool as it can be written down: everything but what it runs."""
    return {k: v for k, v in dict(tool).items() if k != "execute"}


class Workplace:
    """The workspace and the shell as the harness sees them; the real ones are the suite's.

    `index` gives the version of each file, as pairs of path and number; a text that was read
    once is kept until its version changes.
    """

    def __init__(self, ask: Any, index: Any) -> None:
        self.ask = ask
        self._cached: dict[str, tuple[int, str]] = {}
        self.update(index)

    def update(self, index: Any) -> None:
        """Take over the suite's list of files."""
        self._index: dict[str, int] = {codec.decode(path): version for path, version in index}

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


def own_tool(harness: Any, name: str, desk: Workplace, budget: dict[str, Any]) -> Any:
    """The harness's own read, write or bash tool, with the budgets that were asked for."""
    limits = {k: budget[k] for k in ("max_lines", "max_bytes") if budget.get(k) is not None}
    if name == "write":
        return harness.make_write_tool(desk)
    return getattr(harness, f"make_{name}_tool")(desk, **limits)


class Desks:
    """The harness's own tools between jobs, so that each use can depend on the last result."""

    def __init__(self) -> None:
        self.desk: Workplace | None = None
        self.tools: list[Any] = []

    def open(self, harness: Any, job: dict[str, Any], ask: Any) -> dict[str, Any]:
        desk = self.desk = Workplace(ask, job["files"])
        self.tools = [own_tool(harness, name, desk, job) for name in job["tools"]]
        return {"specs": [codec.encode(public(t)) for t in self.tools]}

    def use(self, harness: Any, job: dict[str, Any], ask: Any, home: str) -> dict[str, Any]:
        if self.desk is not None:
            self.desk.ask = ask
            self.desk.update(job["files"])
        call = codec.decode(job["call"])
        try:
            back = harness.run_tool(self.tools, call)
        except BaseException as error:
            return {"error": shown_error(error, {}, home)}
        return {"result": codec.encode(back), "call": codec.encode(call)}


_desks = Desks()
_WANTED = {
    "run_agent": ["model", "system", [], [], "prompt"], "run_tool": [[], {}],
    "truncate_head": ["text"], "truncate_tail": ["text"], "make_read_tool": [None],
    "make_write_tool": [None], "make_bash_tool": [None], "text_of": [{}], "tool_calls": [{}],
    "user_message": ["text"], "error_message": ["text"], "tool_specs": [[]],
    "context_for_model": [[]],
}  # fmt: skip
_LIMITS = {"max_lines": 1, "max_bytes": 1}
_KEYWORDS: dict[str, dict[str, Any]] = {
    "run_agent": {"max_turns": None}, "truncate_head": _LIMITS, "truncate_tail": _LIMITS,
    "make_read_tool": _LIMITS, "make_bash_tool": _LIMITS,
}  # fmt: skip


def inspect_names(harness: Any, keywords: bool) -> dict[str, str]:
    """Which functions are missing or cannot be called as the course does: name -> what is wrong."""
    import inspect

    wrong = {}
    for name, args in _WANTED.items():
        found = getattr(harness, name, None)
        if found is None:
            wrong[name] = f"has no {name}"
            continue
        if not callable(found):
            wrong[name] = f"has a {name} that is not a function"
            continue
        named = _KEYWORDS.get(name, {}) if keywords else {}
        try:
            signature = inspect.signature(found)
        except (TypeError, ValueError):
            continue
        try:
            signature.bind(*args, **named)  # type: ignore[misc]
        except TypeError as error:
            wrong[name] = f"defines {name}{signature}, which cannot be called as the course does: {error}"
    return wrong


def perform(harness: Any, job: dict[str, Any], ask: Any) -> Any:
    """Do one job and return what is known at its end; see `adapters/shape.py` for the jobs."""
    home = getattr(harness, "__file__", "") or ""
    op = job["op"]
    if op == "inspect":
        extras = [n for n in ("EXTRAS",) if hasattr(harness, n)]
        return {
            "wrong": inspect_names(harness, job["keywords"]),
            "extras": codec.encode(list(getattr(harness, "EXTRAS", []))) if extras else [],
        }
    if op == "converse":
        run = Conversation(harness, job, ask, home)
        for prompt in job["prompts"]:
            run.put(prompt)
        report = run.report()
        usage = getattr(harness, "usage_of", None)
        report["usage"] = codec.encode(usage(run.messages)) if usage else None
        return report
    if op == "desk.open":
        return _desks.open(harness, job, ask)
    if op == "desk.use":
        return _desks.use(harness, job, ask, home)
    try:
        back = getattr(harness, job["function"])(*codec.decode(job["args"]), **job.get("kwargs", {}))
    except BaseException as error:
        return {"error": shown_error(error, {}, home)}
    return {"value": codec.encode(back)}
