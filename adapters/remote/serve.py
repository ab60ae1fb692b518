"""A course-shaped file at the other end of the process protocol: `python -m adapters.remote.serve FILE`.

It is the adapter that the contract in `docs/protocol.md` asks for, with everything that can be played: values
travel tagged, and files and commands are asked for. It uses what runs beside a harness (`adapters/child/`)
and nothing else of the suite.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from adapters.child import codec
from adapters.child.live import public
from adapters.child.loading import load_harness, unloadable
from adapters.child.workplace import Unmade, own_tool
from adapters.remote.served import Channel, Files, Message, Run, channel, told

CAPABILITIES = ("loop", "record", "helpers", "max-turns", "error-reply", "truncate", "read", "write", "bash")
PLAYS = ("cancel", "changes", "meddling", "odd-values", "watch", "private", "workspace")


class Server:
    """Does the suite's commands on one harness."""

    def __init__(self, harness: Any, path: str, channel: Channel) -> None:
        self._harness, self._home, self._channel = harness, path, channel
        self._run: Run | None = None
        self._own: tuple[Any, list[Any]] = (None, [])

    def serve(self) -> NoReturn:
        """Do what comes until goodbye."""
        while True:
            message = self._channel.receive()
            id_, kind = message["id"], message["type"]
            perform = getattr(self, f"do_{kind}", None)
            if perform is None:
                answer = {"type": "error", "message": f"there is no command {kind!r}", "unknown": True}
            else:
                try:
                    answer = {"type": "done", **perform(message)}
                except Unmade as unmade:
                    answer = self._raised(unmade.error)
                except BaseException as error:
                    answer = self._raised(error)
            self._channel.send({**answer, "id": id_})
            if kind == "goodbye":
                os._exit(0)

    def _raised(self, error: BaseException) -> Message:
        shown = told(error, {}, self._home)
        return {"type": "error", "message": "the harness raised", "raised": shown}

    def do_hello(self, _: Message) -> Message:
        """Who this is."""
        extras = [name for name in getattr(self._harness, "EXTRAS", ()) if isinstance(name, str)]
        name = os.path.basename(self._home)
        return {"protocol": 1, "name": name, "capabilities": sorted({*CAPABILITIES, *extras}),
                "plays": list(PLAYS), "tagged": True,
                "policies": {"provider-errors": "other"} if "retry" in extras else {}}  # fmt: skip

    def do_start(self, message: Message) -> Message:
        """A new conversation."""
        self._channel.forget()
        self._run = Run(self._harness, self._channel, message)
        return {}

    def do_prompt(self, message: Message) -> Message:
        """One run of the loop."""
        assert self._run is not None
        return self._run.prompt(message, self._home)

    def do_cancel(self, _: Message) -> Message:
        """Nothing is under way."""
        return {}

    def do_record(self, _: Message) -> Message:
        """The record."""
        assert self._run is not None
        return {"messages": self._channel.grown("record", self._run.messages)}

    def _made(self, own: list[Message]) -> list[Any]:
        """The harness's own tools with these budgets, over the suite's workspace; made once."""
        if self._own[0] != own:
            files: Any = Files(self._channel)
            self._own = own, [own_tool(self._harness, one["name"], files, one) for one in own]
        return self._own[1]

    def do_tools(self, message: Message) -> Message:
        """What the harness's own tools say of themselves."""
        self._own = (None, [])  # a new desk
        return {"tools": [codec.encode(public(tool)) for tool in self._made(message["own"])]}

    def do_tool(self, message: Message) -> Message:
        """One call of them."""
        call = codec.decode(message["call"])
        back = self._harness.run_tool(self._made(message["own"]), call)
        return {"message": codec.encode(back), "call": codec.encode(call)}

    def do_truncate(self, message: Message) -> Message:
        """One cut."""
        limits = {name: message[name] for name in ("max_lines", "max_bytes") if name in message}
        back = getattr(self._harness, f"truncate_{message['end']}")(codec.decode(message["text"]), **limits)
        return {"value": codec.encode(back)}

    def do_help(self, message: Message) -> Message:
        """One call of a helper."""
        back = getattr(self._harness, message["function"])(codec.decode(message["argument"]))
        return {"value": codec.encode(back)}

    def do_usage(self, _: Message) -> Message:
        """What was used."""
        assert self._run is not None
        return {"usage": codec.encode(self._harness.usage_of(self._run.messages))}

    def do_goodbye(self, _: Message) -> Message:
        """The suite leaves."""
        return {}


def main(path: str) -> NoReturn:
    """Load the file and serve it."""
    path = os.path.abspath(path)
    lines = channel()
    suite = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        harness = load_harness(path, suite)
    except BaseException as error:
        why = unloadable(error, path)
        at = f" (line {why['line']})" if why["line"] else ""
        said = f"{os.path.basename(path)} does not load: {why['error']}: {why['text']}{at}"
        lines.send({"type": "error", "id": lines.receive()["id"], "message": said})
        sys.exit(1)
    Server(harness, path, lines).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
