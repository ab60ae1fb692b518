"""Commands, callbacks and answers: one conversation of messages with a running command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from adapters.contract import AdapterError, Died, Garbage, HarnessFault, Hung, Unplayable, Unusable
from adapters.remote.command import Command
from adapters.remote.lines import Lines
from adapters.remote.messages import CALLBACKS, VERSION, Hello, Validator, hello_of, lacking

START_CPU, START_IDLE = 300.0, 60.0  # seconds of work and of silence until hello is answered
IDLE = 30.0  # seconds of silence later on
NOTES = 20  # remarks that are kept of one job

Serve = Callable[[dict[str, Any]], None]


class Raised(HarnessFault):
    """The harness raised outside of a run: `type`, `text`, and the function it came out of, if it says so."""

    def __init__(self, raised: Mapping[str, Any]) -> None:
        self.type, self.text = str(raised.get("type")), raised.get("text")
        self.made = raised.get("made")
        super().__init__(f"it raised {self.type}: {self.text}")


class Talk:
    """Starts the command when it is needed, says hello, and puts commands to it one at a time.

    `fault` is what went wrong since `begin`, whoever swallowed it on its way out.
    """

    def __init__(self, command: Command, suite: str, validator: Validator | None = None) -> None:
        self.command, self.hello = command, Hello("")
        self.fault: BaseException | None = None
        self.used = False  # whether it was asked anything since it was started
        self.notes: list[str] = []
        self._suite = suite
        self._lines = Lines(command, validator)
        self._number = self._mark = 0

    def open(self) -> None:
        """Start the command and say hello. Raises Unusable saying what became of it."""
        self.command.start()
        self._lines.forget()
        self.notes = []
        self._mark = self._number = 0
        named = self.command.named
        try:
            self._lines.begin(START_CPU, START_IDLE)
            done = self._asked("hello", {"protocol": VERSION, "suite": self._suite}, None)
            self.hello = hello_of(done, named)
        except Hung as fault:
            why = f"{named}: it has not answered hello, and {str(fault).removeprefix('the harness ')}"
            ask = "does it read standard input line by line, and flush what it writes?"
            raise self._unusable(f"{why}; {ask}") from fault
        except (Died, Garbage, Raised, AdapterError) as fault:
            raise self._unusable(f"{named}: hello was not answered: {fault}") from fault
        except BaseException:
            self.close()
            raise
        self.used, self.fault = False, None

    def _unusable(self, why: str) -> Unusable:
        told = Unusable(why + self.aside())
        self.close()
        return told

    @property
    def running(self) -> bool:
        """Whether the command has been started."""
        return self.command.pid is not None

    def begin(self, cpu_seconds: float) -> None:
        """A job begins: notes and standard error are counted from here, and the bounds hold for it."""
        self.notes, self.fault, self.used = [], None, True
        self._mark = self.command.mark()
        self._lines.noise = 0
        self._lines.begin(cpu_seconds, IDLE)

    def close(self) -> None:
        """End the command at once."""
        self.command.close()
        self._lines.forget()

    def goodbye(self) -> None:
        """Tell the command that there is no more to come, and end it."""
        if self.running and self.fault is None:
            try:
                self._lines.begin(1.0, 1.0)
                self._asked("goodbye", {}, None)
            except (HarnessFault, AdapterError):
                pass
            self.command.leave()
        self.close()

    def aside(self) -> str:
        """What it said beside the protocol since the job began, as the end of a sentence."""
        told = [f"\n{line}" for line in self.beside(4096)]
        return "".join(told)

    def beside(self, most: int) -> list[str]:
        """What it said beside the protocol since the job began, a line each: notes, noise, standard error."""
        told = [f"note: {note}" for note in self.notes]
        if self._lines.noise:
            count = self._lines.noise
            many = f"{count} lines that are no messages, the last"
            what = "1 line that is no message" if count == 1 else many
            told.append(f"stdout: {what}: {self._lines.last_noise}")
        said = self.command.said(self._mark)[-most:]
        return told + [f"stderr: {line}" for line in said.splitlines() if line.strip()]

    # -- commands and callbacks --------------------------------------------------------------

    def ask(self, command: str, fields: Mapping[str, Any], serve: Serve | None = None) -> dict[str, Any]:
        """One command and its answer; callbacks meanwhile go to `serve`. Raises what the answer says."""
        try:
            return self._asked(command, fields, serve)
        except BaseException as error:
            if not isinstance(error, Raised):
                self.failed(error)
            raise

    def failed(self, error: BaseException) -> None:
        """Remember what is to come out of the job, whatever becomes of it on the way."""
        self.fault = self.fault or error

    def say(self, message: dict[str, Any]) -> None:
        """Answer a callback."""
        try:
            self._lines.send(message)
        except BaseException as error:
            self.failed(error)
            raise

    def command_beside(self, command: str, fields: Mapping[str, Any]) -> int:
        """Put a command while another is under way; its answer is taken when it comes."""
        self._number += 1
        self.say({"type": command, "id": self._number, **fields})
        return self._number

    def _asked(self, command: str, fields: Mapping[str, Any], serve: Serve | None) -> dict[str, Any]:
        self._number += 1
        number = self._number
        self._lines.send({"type": command, "id": number, **fields})
        while True:
            message = self._lines.receive()
            kind = message["type"]
            wrong = lacking(kind, message)
            if wrong:
                self._garbage(f"is a message {kind!r} that cannot be used: {wrong}")
            if kind == "note":
                self.notes = [*self.notes, message["text"][:500]][-NOTES:]
            elif kind in CALLBACKS:
                if serve is None:
                    self._garbage(f"is a callback {kind!r} while {command} is to be answered")
                serve(message)
            elif kind not in ("done", "error"):
                self._garbage(f"has the type {kind!r}, which no harness sends")
            elif message["id"] == number:
                return self._done(command, message)
            elif not number < message["id"] <= self._number:  # the answer to a cancel meanwhile
                self._garbage(f"answers {message['id']!r}, and open is the command {number} ({command})")

    def _done(self, command: str, message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "done":
            wrong = lacking(f"done-{command}", message)
            if wrong:
                self._garbage(f"is no answer to {command}: {wrong}")
            return message
        said = message["message"]
        if isinstance(message.get("raised"), dict):
            raise Raised(message["raised"])
        if message.get("unplayable") is True:
            raise Unplayable(said)
        if message.get("unknown") is True:
            raise AdapterError(f"the command does not know {command!r}, which what it declares needs: {said}")
        raise AdapterError(f"the command's adapter could not do {command!r}: {said}")

    def _garbage(self, what: str) -> NoReturn:
        raise Garbage(f"line {self._lines.number} {what}; see docs/protocol.md")
