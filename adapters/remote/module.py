"""The names of the course on top of a command: what the driver calls, as messages of the protocol.

Everything the driver hands over (the model, the scripted tools, the workspace) is called in the suite's own
process when a callback asks for it (`run.py`).
"""

from __future__ import annotations

from typing import Any, NoReturn

from adapters.child import codec
from adapters.contract import Garbage, Unplayable
from adapters.remote.errors import bare, foreign
from adapters.remote.folder import Folder
from adapters.remote.run import Own, Run
from adapters.remote.talk import Raised, Talk

DEEDS = {
    "read_text": ("path",), "read_bytes": ("path",), "write_text": ("path", "text"), "listdir": ("path",),
    "exists": ("path",), "run": ("command",),
}  # fmt: skip


def _deeds() -> str:
    return ", ".join(f"{do}({', '.join(names)})" for do, names in DEEDS.items())


class Module:
    """What the driver takes for a harness module. `watch` says that the job wants to know of changes."""

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

    def run_agent(
        self, model: Any, system: Any, messages: Any, tools: Any, prompt: Any, **options: Any
    ) -> Any:
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
            self.fail(Garbage(f"asked for the tool {name!r}, the harness did not say one object"))
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
            self.fail(Garbage(f"the harness sent the callback {message['type']!r} outside of a run"))
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
