"""One conversation with a command: its prompts, its callbacks, and the exceptions that were handed over.

What the model and the scripted tools raise travels as a `failure` with a key, and is raised again, the very
object, when the harness lets it out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from adapters.child import codec
from adapters.child.live import Stop
from adapters.contract import AdapterError, Garbage
from adapters.remote.errors import bare, foreign
from adapters.remote.folder import Folder
from adapters.remote.lists import Lists

if TYPE_CHECKING:
    from adapters.remote.module import Module

INTERRUPTS = (KeyboardInterrupt, SystemExit)
LATER = ("turns", "runs")  # when a record is kept later than at once


class Own:
    """What stands for one of the harness's own tools: its name and budgets, over one workspace."""

    def __init__(self, name: str, desk: Any, limits: dict[str, Any]) -> None:
        self.desk = desk
        self.asked = {"name": name, "max_lines": None, "max_bytes": None, **limits}


class Run:
    """One conversation: the caller's list, the tools, and what the harness said last of its lists."""

    def __init__(self, module: Module, messages: Any, tools: Any) -> None:
        self.module, self.messages, self.tools = module, messages, tools
        self.talk, self.hello = module.talk, module.talk.hello
        self.record: list[Any] | None = None
        self._lists = Lists(module)
        self._by_name: dict[Any, Any] = {}
        self._own: list[Own] = []
        for tool in tools:
            if isinstance(tool["execute"], Own):
                self._own.append(tool["execute"])
            else:
                self._by_name.setdefault(tool["name"], tool)
        self._keys: dict[str, BaseException] = {}
        self._sent: list[list[Any]] = []
        self._model: Any = None
        self._stopped = False
        self._interrupt: BaseException | None = None

    def start(self, system: Any) -> None:
        """Tell the harness of it."""
        write = self.module.write
        fields: dict[str, Any] = {
            "system": write(system), "tools": [self._public(tool) for tool in self.tools
                                               if not isinstance(tool["execute"], Own)],
            "own": [one.asked for one in self._own], "history": [write(m) for m in self.messages],
        }  # fmt: skip
        folder = self._folder()
        if folder is not None:
            fields["workspace"] = self.module.filled(folder)
        if self.module.watch:
            fields["watch"] = True
        self.module.ask("start", fields, lambda message: self.module.serve(message, self._desk()))

    def _desk(self) -> Any:
        return self._own[0].desk if self._own else None

    def _folder(self) -> Folder | None:
        return self.module.folder_of(self._desk())

    def _public(self, tool: dict[str, Any]) -> dict[str, Any]:
        names = ("name", "description", "parameters")
        shown: dict[str, Any] = {key: self.module.write(tool[key]) for key in names if key in tool}
        private = {key: value for key, value in tool.items() if key not in (*shown, "execute")}
        if private and "private" in self.hello.plays:
            shown["private"] = self.module.write(private)
        return shown

    def prompt(self, model: Any, text: Any, options: dict[str, Any]) -> Any:
        """Put one prompt; returns what the harness's loop gave back, or raises what came out of it."""
        self._model, self._stopped, self._interrupt = model, False, None
        done = self.module.ask("prompt", {"text": self.module.write(text), **options}, self._serve)
        if self._own:
            self._tell()
        self._at_end(done)
        ending = done["ending"]
        if ending == "returned" and "returned" in done:
            back = self.module.read(done["returned"])
            if isinstance(back, str) and self.hello.policies.get("answer") == "text":
                return {"role": "assistant", "content": [{"type": "text", "text": back}]}
            return back
        if ending == "raised" and isinstance(done.get("error"), dict) and "type" in done["error"]:
            raise self._came(done["error"])
        if ending == "stopped" and self._interrupt is not None:
            raise self._interrupt
        if ending == "stopped" and self._stopped:
            raise Stop
        wrong = "though nobody stopped it" if ending == "stopped" else "without what belongs to it"
        return self.module.fail(Garbage(f"the harness ended a prompt as {ending!r} {wrong}"))

    def _came(self, error: dict[str, Any]) -> BaseException:
        """The exception that came out: one of ours by its key, else one of the harness's own."""
        key = error.get("key")
        if key is not None:
            if key not in self._keys:
                self.module.fail(Garbage(f"the harness raised with the key {key!r}, which nobody gave it"))
            return self._keys[key]
        if self._interrupt is not None:  # cancelled, and out it came in the harness's own way
            return self._interrupt
        where = f" ({error['where']})" if error.get("where") else ""
        return foreign(error, self.module.text(error.get("text", "")) + where)

    def _at_end(self, done: dict[str, Any]) -> None:
        """What else the end of a prompt tells: the record, what was changed, the tools."""
        if "record" in done:
            self.record = self._lists.now("record", done["record"])
        elif "record" in self.hello.capabilities:
            self.record = self._lists.now("record", self.module.ask("record", {})["messages"])
        for pair in done.get("changed", ()):
            try:
                self._sent[pair[0]][pair[1]]["changed since"] = True
            except (TypeError, IndexError, KeyError):
                self.module.fail(Garbage(f"the harness named a message that it never sent: {pair!r}"))
        for tool, now in zip(self.tools, done.get("tools", ()), strict=False):
            after = self.module.read(now)
            execute = tool["execute"]
            tool.clear()
            tool.update(after if isinstance(after, dict) else {"tool": after})
            tool["execute"] = execute

    def _tell(self) -> None:
        folder = self._folder()
        if folder is not None:
            folder.tell()

    # -- callbacks ---------------------------------------------------------------------------

    def _serve(self, message: dict[str, Any]) -> None:
        if message["type"] == "workspace":
            self.module.serve(message, self._desk())
            return
        if self._own:
            self._tell()
        if "record" in message:
            self.record = self._lists.now("record", message["record"])
        elif "record" in self.hello.capabilities and self.hello.policies.get("keeps") not in LATER:
            why = f"the callback {message['type']!r} came without the record"
            self.module.fail(AdapterError(f"{why}; send it, or declare the policy keeps"))
        if message["type"] == "model":
            self._complete(message)
        else:
            self._execute(message)

    def _complete(self, message: dict[str, Any]) -> None:
        read, id_ = self.module.read, message["id"]
        given = self._lists.now("messages", message["messages"])
        if self.module.watch and isinstance(given, list):
            given = [dict(one) if isinstance(one, dict) else one for one in given]
            self._sent.append(given[:])
        count = len(given) if isinstance(given, list) else 0
        if message.get("aliased") is True and isinstance(given, list):
            if self.record is not None:
                self.record = list(given)
            self.messages[:] = given
            given = self.messages
        try:
            reply = self._model.complete(read(message["system"]), given, read(message["tools"]))
        except Stop:
            self._stopped = True
            self.talk.say({"type": "stop", "id": id_})
            return
        except BaseException as error:
            self._failure(id_, error)
            return
        answer = {"type": "reply", "id": id_, "message": self.module.write(reply)}
        if isinstance(given, list) and len(given) != count:
            answer["meddling"] = "extend" if given else "empty"
        self.talk.say(answer)

    def _execute(self, message: dict[str, Any]) -> None:
        tool, id_ = self._by_name.get(message["name"]), message["id"]
        if tool is None:
            name = message["name"]
            self.module.fail(Garbage(f"the harness asked to run {name!r}, a tool it was not given"))
        arguments = self.module.read(message["arguments"])
        before = json.dumps(self.module.write(arguments)) if "changes" in self.hello.plays else None
        try:
            value = tool["execute"](arguments)
        except INTERRUPTS as error:
            if self.talk.fault is not None:
                raise
            self._interrupt = error
            key = self._key(error)
            self.talk.command_beside("cancel", {"kind": type(error).__name__, "key": key})
            return
        except BaseException as error:
            self._failure(id_, error)
            return
        answer = {"type": "result", "id": id_, **self._content(value)}
        if before is not None and json.dumps(self.module.write(arguments)) != before:
            answer["changes"] = True
        self.talk.say(answer)

    def _content(self, value: Any) -> dict[str, Any]:
        if isinstance(value, str):
            return {"content": self.module.write(value)}
        if self.hello.tagged:
            return {"content": codec.encode(value)}
        try:
            json.dumps(value)
        except (TypeError, ValueError):
            kinds = ((bytes, "bytes"), (set, "set"), (list, "cycle"))
            return {"odd": next((name for kind, name in kinds if isinstance(value, kind)), "object")}
        return {"content": value}

    def _key(self, error: BaseException) -> str:
        key = f"k{len(self._keys) + 1}"
        self._keys[key] = error
        return key

    def _failure(self, id_: Any, error: BaseException) -> None:
        """Hand an exception over, unless the job is lost: then it comes out."""
        if self.talk.fault is not None:
            raise error
        told: dict[str, Any] = {"type": type(error).__name__, "key": self._key(error)}
        try:
            told["text"] = self.module.write(bare(error))
        except Exception:
            told.update(text="", unreadable=True)
        self.talk.say({"type": "failure", "id": id_, "error": told})
