"""The names of the course on top of a command: what the driver calls, as messages of the protocol.

Everything the driver hands over (the model, the scripted tools, the workspace) is called here, in the suite's
own process, when a callback asks for it. What those raise travels as a `failure` with a key, and is raised
again, the very object, when the harness lets it out.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from adapters.child import codec
from adapters.child.live import Stop
from adapters.contract import AdapterError, Garbage, Unplayable
from adapters.remote.folder import Folder
from adapters.remote.talk import Raised, Talk

INTERRUPTS = (KeyboardInterrupt, SystemExit)


class Foreign(Exception):
    """An exception of the harness's own, told by its type's name and its text."""


class ForeignExit(BaseException):
    """The same for one that no guard catches."""


DEEDS = {
    "read_text": ("path",), "read_bytes": ("path",), "write_text": ("path", "text"), "listdir": ("path",),
    "exists": ("path",), "run": ("command",),
}  # fmt: skip


def _deeds() -> str:
    return ", ".join(f"{do}({', '.join(names)})" for do, names in DEEDS.items())


def bare(error: BaseException) -> str:
    """What an exception was raised with, without what Python's own types put round it when shown."""
    if isinstance(error, UnicodeError):
        return str(getattr(error, "reason", error))
    if isinstance(error, KeyError) and len(error.args) == 1 and isinstance(error.args[0], str):
        return error.args[0]
    return str(error)


_kinds: dict[tuple[str, bool], type[BaseException]] = {}


def foreign(error: dict[str, Any], text: str) -> BaseException:
    """An exception that is called as the harness's is."""
    name, usual = str(error["type"])[:200], error.get("exception") is not False
    if (name, usual) not in _kinds:
        _kinds[name, usual] = type(name, (Foreign if usual else ForeignExit,), {})
    return _kinds[name, usual](text)


class Own:
    """What stands for one of the harness's own tools: its name and budgets, over one workspace."""

    def __init__(self, name: str, desk: Any, limits: dict[str, Any]) -> None:
        self.desk = desk
        self.asked = {"name": name, "max_lines": None, "max_bytes": None, **limits}


class Module:
    """What the driver takes for a harness module. `watch` says that the job under way wants to know of changes."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.watch = talk, False
        self._run: Run | None = None
        self._folder: Folder | None = None

    # -- values ------------------------------------------------------------------------------

    def write(self, value: Any) -> Any:
        """A value as it goes out."""
        return codec.encode(value) if self.talk.hello.tagged else value

    def read(self, value: Any) -> Any:
        """A value as it came in."""
        if not self.talk.hello.tagged:
            return value
        try:
            return codec.decode(value)
        except codec.CodecError as error:
            return self.fail(Garbage(f"the harness sent data that cannot be read: {error}"))

    def text(self, value: Any) -> str:
        """A text as it came in; whatever else it is, as it is shown."""
        found = self.read(value)
        return found if isinstance(found, str) else repr(found)

    def fail(self, error: BaseException) -> NoReturn:
        """Raise a fault that comes out of the job, whoever catches it on the way."""
        self.talk.failed(error)
        raise error

    def ask(self, command: str, fields: dict[str, Any], serve: Any = None) -> dict[str, Any]:
        """One command; what the harness raises outside of a run comes out as an exception of its own."""
        try:
            return self.talk.ask(command, fields, serve)
        except Raised as raised:
            raise foreign({"type": raised.type}, self.text(raised.text)) from None

    # -- what the course calls ---------------------------------------------------------------

    def run_agent(self, model: Any, system: Any, messages: Any, tools: Any, prompt: Any, **options: Any) -> Any:
        """One prompt on the record; a list that was not seen before is a new conversation."""
        if self.talk.fault is not None:  # the job is lost already
            raise self.talk.fault
        if self._run is None or self._run.messages is not messages:
            self._run = Run(self, messages, tools)
            self._run.start(system)
        return self._run.prompt(model, prompt, options)

    def __record__(self, messages: Any) -> None:
        """Make the caller's list what the harness says its record is."""
        if self._run is not None and self._run.messages is messages and self._run.record is not None:
            messages[:] = self._run.record

    def run_tool(self, tools: Any, call: Any) -> Any:
        """One call of the harness's own tools."""
        own = [tool["execute"] for tool in tools if isinstance(tool["execute"], Own)]
        fields = {"call": self.write(call), "own": [one.asked for one in own]}
        done = self._over(own, "tool", fields)
        if "call" in done and isinstance(call, dict):
            after = self.read(done["call"])
            call.clear()
            call.update(after if isinstance(after, dict) else {"call": after})
        return self.read(done["message"])

    def make_read_tool(self, desk: Any, **limits: Any) -> dict[str, Any]:
        """The harness's own read tool."""
        return self._own("read", desk, limits)

    def make_write_tool(self, desk: Any, **limits: Any) -> dict[str, Any]:
        """The harness's own write tool."""
        return self._own("write", desk, limits)

    def make_bash_tool(self, desk: Any, **limits: Any) -> dict[str, Any]:
        """The harness's own bash tool."""
        return self._own("bash", desk, limits)

    def _own(self, name: str, desk: Any, limits: dict[str, Any]) -> dict[str, Any]:
        own = Own(name, desk, limits)
        if name not in self.talk.hello.capabilities:
            return {"name": name, "execute": own}
        said = self._over([own], "tools", {"own": [own.asked]})["tools"]
        spec = self.read(said[0]) if len(said) == 1 else None
        if not isinstance(spec, dict):
            self.fail(Garbage(f"asked for the tool {name!r}, the harness said {len(said)} things, not one object"))
        return {**spec, "execute": own}

    def _over(self, own: list[Own], command: str, fields: dict[str, Any]) -> dict[str, Any]:
        """A command that may use the workspace of these tools."""
        desk = own[0].desk if own else None
        with_folder = self.folder_of(desk)
        if with_folder is not None:
            fields["workspace"] = self.filled(with_folder)
        done = self.ask(command, fields, lambda message: self.serve(message, desk))
        if with_folder is not None:
            with_folder.tell()
        return done

    def folder_of(self, desk: Any) -> Folder | None:
        """The one real folder of this workspace, if the harness works on files; a new one ends the last."""
        if desk is None or "workspace" in self.talk.hello.plays:
            return None
        if self._folder is None or self._folder.desk is not desk:
            self.forget()
            self._folder = Folder(desk)
        return self._folder

    def filled(self, folder: Folder) -> str:
        """Where a folder lies, after it was made what the workspace is."""
        try:
            folder.fill()
        except Unplayable as error:
            self.fail(error)
        return str(folder.root)

    def serve(self, message: dict[str, Any], desk: Any) -> None:
        """Answer what an own tool asks of the workspace."""
        if message["type"] != "workspace" or desk is None:
            self.fail(Garbage(f"the harness sent the callback {message['type']!r} while no run was under way"))
        do = message["do"]
        if do not in DEEDS or not all(name in message for name in DEEDS[do]):
            self.fail(Garbage(f"the harness asked the workspace to do {do!r}, which is none of {_deeds()}"))
        try:
            content = getattr(desk, do)(*(self.read(message[name]) for name in DEEDS[do]))
        except Exception as error:
            if self.talk.fault is not None:
                raise
            told = {"type": type(error).__name__, "text": self.write(bare(error))}
            self.talk.say({"type": "failure", "id": message["id"], "error": told})
            return
        if isinstance(content, tuple):
            content = list(content)
        self.talk.say({"type": "result", "id": message["id"], "content": self.write(content)})

    def truncate_head(self, text: Any, **limits: Any) -> Any:
        """Cut a text at its end."""
        return self._cut("head", text, limits)

    def truncate_tail(self, text: Any, **limits: Any) -> Any:
        """Cut a text at its beginning."""
        return self._cut("tail", text, limits)

    def _cut(self, end: str, text: Any, limits: dict[str, Any]) -> Any:
        done = self.ask("truncate", {"end": end, "text": self.write(text), **limits})
        if "value" in done:
            return self.read(done["value"])
        if "kept" not in done or "lines" not in done:
            self.fail(Garbage("the harness answered truncate without 'kept' and 'lines'"))
        return self.read(done["kept"]), self.read(done["lines"])

    def _help(self, function: str, argument: Any) -> Any:
        done = self.ask("help", {"function": function, "argument": self.write(argument)})
        return self.read(done["value"])

    def text_of(self, message: Any) -> Any:
        """The words of a message."""
        return self._help("text_of", message)

    def tool_calls(self, message: Any) -> Any:
        """The calls of a message."""
        return self._help("tool_calls", message)

    def user_message(self, text: Any) -> Any:
        """A prompt as a message."""
        return self._help("user_message", text)

    def error_message(self, text: Any) -> Any:
        """A failed reply."""
        return self._help("error_message", text)

    def tool_specs(self, tools: Any) -> Any:
        """The tools as they are sent."""
        return self._help("tool_specs", tools)

    def context_for_model(self, messages: Any) -> Any:
        """The record as it is sent."""
        return self._help("context_for_model", messages)

    @property
    def usage_of(self) -> Any:
        """What was used, where the harness adds it up."""
        if "usage" not in self.talk.hello.capabilities:
            return None
        return lambda _: self.read(self.ask("usage", {})["usage"])

    def forget(self) -> None:
        """Nothing of earlier jobs is left here."""
        if self._folder is not None:
            self._folder.close()
            self._folder = None


class Run:
    """One conversation: the caller's list, the tools, and what the harness said last of its lists."""

    def __init__(self, module: Module, messages: Any, tools: Any) -> None:
        self.module, self.messages, self.tools = module, messages, tools
        self.talk, self.hello = module.talk, module.talk.hello
        self.record: list[Any] | None = None
        self._lists: dict[str, list[Any]] = {}
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
            return self.module.read(done["returned"])
        if ending == "raised" and isinstance(done.get("error"), dict) and "type" in done["error"]:
            raise self._came(done["error"])
        if ending == "stopped" and self._interrupt is not None:
            raise self._interrupt
        if ending == "stopped" and self._stopped:
            raise Stop
        wrong = "though nobody stopped it" if ending == "stopped" else "without what belongs to it"
        self.module.fail(Garbage(f"the harness ended a prompt as {ending!r} {wrong}; see docs/protocol.md"))

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
            self.record = self._list("record", done["record"])
        elif "record" in self.hello.capabilities:
            self.record = self._list("record", self.module.ask("record", {})["messages"])
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

    def _list(self, name: str, sent: Any) -> Any:
        """A list as the harness has it now: all of it, or what is new since it was sent last."""
        if isinstance(sent, dict) and "keep" in sent:
            keep, add = sent["keep"], sent.get("add")
            last = self._lists.get(name, [])
            if type(keep) is not int or not 0 <= keep <= len(last) or not isinstance(add, list):
                self.module.fail(Garbage(f"the harness sent as {name} what does not follow from the list before"))
            now = last[:keep] + [self.module.read(one) for one in add]
        else:
            now = self.module.read(sent)
            if not isinstance(now, list):
                return now
        self._lists[name] = now
        return list(now)

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
            self.record = self._list("record", message["record"])
        elif "record" in self.hello.capabilities and self.hello.policies.get("keeps") not in ("turns", "runs"):
            self.module.fail(AdapterError(
                f"the callback {message['type']!r} came without the record; send it, or declare the policy keeps"
            ))  # fmt: skip
        if message["type"] == "model":
            self._complete(message)
        else:
            self._execute(message)

    def _complete(self, message: dict[str, Any]) -> None:
        read, id_ = self.module.read, message["id"]
        given = self._list("messages", message["messages"])
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
            self.module.fail(Garbage(f"the harness asked to run {message['name']!r}, a tool it was not given"))
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
