"""One conversation with a course-shaped harness in this process, for `serve.py`: lines, model, tools, files.

Standard library and what runs beside a harness; values travel tagged.
"""

from __future__ import annotations

import json
import os
from typing import Any, BinaryIO

from adapters.child import codec
from adapters.child.live import BrokenText, change, make_exception, mark, public, shown_error
from adapters.child.pool import fingerprint
from adapters.child.workplace import own_tool

Message = dict[str, Any]


class Stop(BaseException):
    """The suite ends the run. Not an Exception, so that no guard catches it."""


class Channel:
    """The two ends of the lines, and the lists that have travelled."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._number = 0
        self._lists: dict[str, list[Any]] = {}

    def forget(self) -> None:
        """A new conversation: no list has travelled yet."""
        self._lists.clear()

    def send(self, message: Message) -> None:
        """Write one line."""
        self._sink.write(json.dumps(message).encode() + b"\n")
        self._sink.flush()

    def receive(self) -> Message:
        """Read one message; the process ends when the suite is gone."""
        line = self._source.readline()
        if not line:
            os._exit(0)
        message: Message = json.loads(line)
        return message

    def ask(self, kind: str, **fields: Any) -> Message:
        """One callback and what comes of it: its answer, or a cancel in place of one."""
        self._number += 1
        self.send({"type": kind, "id": self._number, **fields})
        while True:
            message = self.receive()
            if message["type"] == "cancel":
                self.send({"type": "done", "id": message["id"]})
                return message
            if message.get("id") == self._number:
                return message

    def grown(self, name: str, messages: Any, seen: dict[int, Any] | None = None) -> Any:
        """A list as what is new of it since it was sent last; what is no list goes as it is.

        `seen` is for lists that are sent at the same moment: each message of theirs is looked at once.
        """
        if not isinstance(messages, list):
            return codec.encode(messages)
        prints = {} if seen is None else seen
        now = []
        for message in messages:
            known = prints.get(id(message))
            if known is None:
                known = prints[id(message)] = fingerprint(message) or object()
            now.append(known)
        last, keep = self._lists.get(name, []), 0
        for before, after in zip(last, now, strict=False):
            if before != after:
                break
            keep += 1
        self._lists[name] = now
        return {"keep": keep, "add": [codec.encode(message) for message in messages[keep:]]}


def channel() -> Channel:
    """The lines on the descriptors that the suite names, so that the harness may print what it likes."""
    source, sink = int(os.environ.get("HARNESS_PROPS_IN", "0")), int(os.environ.get("HARNESS_PROPS_OUT", "1"))
    return Channel(os.fdopen(source, "rb"), os.fdopen(sink, "wb"))


class Files:
    """The workspace and the shell as the harness sees them; all of it is the suite's."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def _ask(self, do: str, **named: Any) -> Any:
        answer = self._channel.ask("workspace", do=do, **{k: codec.encode(v) for k, v in named.items()})
        if answer["type"] == "failure":
            raise exception_of(answer["error"])
        return codec.decode(answer["content"])

    def exists(self, path: Any) -> Any:
        return self._ask("exists", path=path)

    def read_text(self, path: Any) -> Any:
        return self._ask("read_text", path=path)

    def read_bytes(self, path: Any) -> Any:
        return self._ask("read_bytes", path=path)

    def write_text(self, path: Any, text: Any) -> None:
        self._ask("write_text", path=path, text=text)

    def listdir(self, path: Any = ".") -> Any:
        return self._ask("listdir", path=path)

    def run(self, command: Any) -> Any:
        output, code = self._ask("run", command=command)
        return output, code


def exception_of(error: Message) -> BaseException:
    """The exception that a failure asks for."""
    if error.get("unreadable"):
        return BrokenText()
    return make_exception(error["type"], codec.decode(error["text"]))


class Model:
    """What the harness calls for a reply."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def complete(self, system: Any = None, messages: Any = None, tools: Any = None, **_: Any) -> Any:
        """One model call."""
        run = self._run
        if run.watch:
            given = messages if isinstance(messages, list) else []
            run.watched.append([(message, mark(message)) for message in given])
        seen: dict[int, Any] = {}
        answer = run.channel.ask(
            "model", system=codec.encode(system), messages=run.channel.grown("messages", messages, seen),
            tools=codec.encode(tools), record=run.channel.grown("record", run.messages, seen),
            **({"aliased": True} if messages is run.messages else {}),
        )  # fmt: skip
        run.raise_if_told(answer)
        meddling = answer.get("meddling")
        if meddling == "empty" and isinstance(messages, list):
            messages.clear()
        elif meddling == "extend" and isinstance(messages, list):
            messages.append({"role": "user", "content": "not yours"})
        return codec.decode(answer["message"])


class Run:
    """One conversation: its record, its tools, and the exceptions that the suite handed in."""

    def __init__(self, harness: Any, channel: Channel, start: Message) -> None:
        self.harness, self.channel = harness, channel
        self.system = codec.decode(start["system"])
        self.messages: list[Any] = [codec.decode(message) for message in start["history"]]
        self.watch = bool(start.get("watch"))
        self.watched: list[list[tuple[Any, Any]]] = []
        self.keys: dict[int, str] = {}
        self.kept: list[BaseException] = []  # keeps exceptions alive: ids stay theirs
        self.tools = [self._tool(spec) for spec in start["tools"]]
        files = Files(channel)
        self.tools += [own_tool(harness, own["name"], files, own) for own in start["own"]]  # type: ignore[arg-type]

    def _tool(self, spec: Message) -> Message:
        private: Message = codec.decode(spec.get("private", {}))
        tool = {key: codec.decode(value) for key, value in spec.items() if key != "private"}
        return {**tool, "execute": self._execute(tool["name"]), **private}

    def _execute(self, name: str) -> Any:
        def execute(arguments: Any = None) -> Any:
            record = self.channel.grown("record", self.messages)
            answer = self.channel.ask("execute", name=name, arguments=codec.encode(arguments), record=record)
            self.raise_if_told(answer)
            if answer.get("changes"):
                change(arguments)
            return codec.decode(answer["content"])

        return execute

    def raise_if_told(self, answer: Message) -> None:
        """Raise what an answer asks to be raised, and remember its key."""
        if answer["type"] == "stop":
            raise Stop
        if answer["type"] == "cancel":
            error, key = make_exception(answer["kind"], ""), answer["key"]
        elif answer["type"] == "failure":
            error, key = exception_of(answer["error"]), answer["error"]["key"]
        else:
            return
        self.kept.append(error)
        self.keys[id(error)] = key
        raise error

    def prompt(self, message: Message, home: str) -> Message:
        """Run the loop once, and say how it ended."""
        options = {"max_turns": message["max_turns"]} if "max_turns" in message else {}
        end: Message = {"ending": "returned"}
        try:
            back = self.harness.run_agent(
                Model(self), self.system, self.messages, self.tools, codec.decode(message["text"]), **options
            )
            end["returned"] = codec.encode(back)
        except Stop:
            end["ending"] = "stopped"
        except BaseException as error:  # every way out of the run is told
            end = {"ending": "raised", "error": told(error, self.keys, home)}
        end["record"] = self.channel.grown("record", self.messages)
        end["changed"] = [
            [number, index]
            for number, carried in enumerate(self.watched)
            for index, (sent, then) in enumerate(carried)
            if mark(sent) != then
        ]
        end["tools"] = [codec.encode(public(tool)) for tool in self.tools]
        return end


def told(error: BaseException, keys: dict[int, str], home: str) -> Message:
    """An exception that came out of the harness."""
    shown = shown_error(error, keys, home)
    key = {} if shown["key"] is None else {"key": shown["key"]}
    return {"type": shown["type"], "text": shown["text"], "where": shown["where"],
            "exception": shown["is_exception"], **key}  # fmt: skip
