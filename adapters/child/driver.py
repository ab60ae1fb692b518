"""Performs jobs on a course-shaped harness: the part that touches live objects.

It runs in the harness's own process (or beside an in-process harness), decides nothing and
judges nothing: what the model replies and what a tool does comes from the suite through
`ask`, what was seen goes back through it. Standard library only; it never imports the suite.
"""

from __future__ import annotations

import json

from . import codec
from .live import Stop, change, make_exception, mark, odd_value, public, same, shown_error
from .names import inspect_names
from .pool import Pool, fingerprint
from .workplace import Unmade, Workplace, desks, own_tool

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself would cost a fifth of the start-up
    from typing import Any


def written(text: Any, arguments: Any) -> bool:
    """Whether a call's arguments, which came as text, say these."""
    try:
        return isinstance(text, str) and same(json.loads(text), arguments)
    except (ValueError, RecursionError):
        return False


class Model:
    """What the harness calls for a reply. Every answer comes from the suite's provider."""

    def __init__(self, run: Conversation) -> None:
        self._run = run
        self.watched = run.watch  # whether anybody asks what becomes of earlier requests

    def looks(self) -> bool:
        """Whether the messages of the next call are looked at; they need not be made otherwise."""
        return self._run.looks(1)

    def complete(self, system: Any = None, messages: Any = None, tools: Any = None, **more: Any) -> Any:
        """One model call: the request as it stands now goes out, the reply comes back."""
        run = self._run
        if run.watch and isinstance(messages, list):
            run.watched.append([(message, mark(message)) for message in messages])
        event = {
            "event": "request", "aliased": messages is run.messages, "more": sorted(more),
            **run.if_new(system=system, tools=tools),
        }  # fmt: skip
        run.seen += 1
        if run.looks():
            run.pool.begin()
            event["messages"] = run.pool.snapshot("request", messages)
            event["record"] = run.record()
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
        self.pool = Pool()
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
        self.refresh = getattr(harness, "__record__", None) if job.get("refresh") else None
        desk = Workplace(ask, job["files"])
        self.tools = [self._tool(spec, desk) for spec in job["tools"]]

    def if_new(self, **named: Any) -> dict[str, Any]:
        """Those values that are not what they were in the last request, encoded."""
        new = {}
        for name, value in named.items():
            print_ = fingerprint(value)
            if print_ is None or self.prints.get(name) != print_:
                new[name] = codec.encode(value)
                self.prints[name] = print_
        return new

    def looks(self, later: int = 0) -> bool:
        """Whether the last request or one later is looked at; of a long run only every hundredth is."""
        seen = self.seen + later
        return not self.job.get("glance") or seen < 10 or seen % 100 == 0

    def record(self) -> dict[str, Any]:
        """The caller's list as it is now; who keeps its own record elsewhere fills it in first."""
        if self.refresh is not None:
            self.refresh(self.messages)
        return self.pool.snapshot("record", self.messages)

    def tell(self, event: dict[str, Any]) -> dict[str, Any]:
        """Ask the suite, with everything that happened since it was last asked."""
        queued, self.queue = self.queue, []
        answer: dict[str, Any] = self.ask({**event, "queued": queued})
        return answer

    def action(self, name: str, arguments: Any) -> tuple[int | None, dict[str, Any]]:
        """Which open call this run is (the first unused one of its name, rather with its very
        arguments) and what the script says its tool does."""
        free = [i for i, c in enumerate(self.open) if c[0] == name and not c[3]]
        exact = [i for i in free if same(self.open[i][1], arguments) or written(self.open[i][1], arguments)]
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
                event["record"] = self.record()
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
        event["record"] = self.record()
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


def perform(harness: Any, job: dict[str, Any], ask: Any) -> Any:
    """Do one job and return what is known at its end; see `adapters/shape.py` for the jobs.

    What the harness raises outside its loop comes back as "error", with the function it came
    out of as "unmade" if that is not the one the job is about.
    """
    home = getattr(harness, "__file__", "") or ""
    try:
        return JOBS[job["op"]](harness, job, ask, home)
    except Unmade as broke:
        return {"unmade": broke.function, "error": shown_error(broke.error, {}, home)}


def inspected(harness: Any, job: dict[str, Any], ask: Any, home: str) -> dict[str, Any]:
    """What the harness offers."""
    del ask, home
    extras = getattr(harness, "EXTRAS", ())
    return {"wrong": inspect_names(harness, job["keywords"]), "extras": codec.encode(list(extras))}


def converse(harness: Any, job: dict[str, Any], ask: Any, home: str) -> dict[str, Any]:
    """Put prompts to the harness's loop, one after the other."""
    run = Conversation(harness, job, ask, home)
    for prompt in job["prompts"]:
        run.put(prompt)
    report = run.report()
    usage = getattr(harness, "usage_of", None)
    try:
        report["usage"] = codec.encode(usage(run.messages)) if usage else None
    except BaseException as error:
        raise Unmade("usage_of", error) from error
    return report


def call(harness: Any, job: dict[str, Any], ask: Any, home: str) -> dict[str, Any]:
    """Call one function of the harness's."""
    del ask
    try:
        back = getattr(harness, job["function"])(*codec.decode(job["args"]), **job.get("kwargs", {}))
    except BaseException as error:
        return {"error": shown_error(error, {}, home)}
    return {"value": codec.encode(back)}


JOBS: dict[str, Any] = {
    "inspect": inspected, "converse": converse, "call": call, "desk": desks.use,
}  # fmt: skip
