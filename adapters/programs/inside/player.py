"""What plays conversations in a room: a fresh home and working folder, the provider, the program's processes.

It opens the run at the provider, starts the program once for each prompt, waits for its end, and ends
whatever it left behind.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.programs.described import Program, Service, filled
from adapters.programs.inside.canary import Canary
from adapters.programs.inside.crowd import Endless, Limits, Vigil, sweep
from adapters.programs.inside.desk import Held
from adapters.programs.inside.looks import emptied, lines_of, put, tail, taken, told, whole
from adapters.programs.inside.service import Ended as Gone
from adapters.programs.inside.service import Persistent
from adapters.programs.room import HOME, OUT, STEPS, WORK
from adapters.wire.exchange import Exchange
from adapters.wire.server import Run, Server
from strategies.printing import from_json
from strategies.script import Conversation

PORT = 8000  # nobody else has it in here, so what a program is told is always the same
LOOK = 0.02  # seconds between looks at a program that is waited for
LAST = 8  # messages of a held request that are passed on
LOG = f"{OUT}/log"
OWN = (HOME, WORK, STEPS, OUT)
SHARED = ("/tmp", "/var/tmp")  # what was there from the start is the room's


@dataclass
class Ended:
    """How one process of the program ended."""

    status: int | None
    stdout: str
    stderr: str


class Room:
    """What the supervisor has: the provider, the name server, the program's description."""

    def __init__(self, program: Program, values: Mapping[str, str]) -> None:
        self.program, self.canary = program, Canary()
        self.server = Server(PORT, tuple(program.wires))
        self.server.__enter__()
        base = f"{self.server.url}/r/main"
        self.values = {**values, "home": HOME, "work": WORK, "model": program.model, "base_url": base}
        self.limits = Limits(program.limits.cpu, program.limits.idle)
        self.service: Persistent | None = None
        self.held: Held | None = None
        self._kept = {path for folder in SHARED for path in Path(folder).iterdir()}

    # -- one run -----------------------------------------------------------------------------

    def open(self, job: dict[str, Any], source: Any = None) -> Run:
        """A fresh home, working folder and run at the provider."""
        if self.service is None:
            sweep()
            for folder in (*OWN, *SHARED):
                emptied(Path(folder), self._kept)
            for path, text in self.program.files.items():
                put(Path(self.fill(path).replace("~", HOME, 1)), self.fill(text))
        else:
            for folder in (WORK, STEPS):
                emptied(Path(folder), set())
            Path(LOG).unlink()
        for path, held in job["files"].items():
            put(Path(path), held)
        Path(LOG).touch()
        self.canary.taken()
        script: Conversation = from_json(job["script"])
        run = self.server.open(
            script, side=self.program.own.requests, source=source, model=self.program.model,
            with_tools=self.program.tools.shell is not None,
        )  # fmt: skip
        self.server.runs.pop(run.name)
        run.name = "main"
        self.server.runs["main"] = run
        return run

    def play(self, job: dict[str, Any]) -> dict[str, Any]:
        """Play a conversation, a process for each prompt."""
        run = self.open(job)
        logged: dict[int, int] = {}

        def note(exchange: Exchange) -> None:
            logged.setdefault(exchange.number, os.stat(LOG).st_size)

        run.watch = note
        ended = []
        for number, prompt in enumerate(run.script.prompts):
            if number:
                run.begin(number)
            if self.program.service is not None:
                ended.append(self.told(self.program.service, prompt.text, run, number))
                continue
            command = self.program.run.again if number else self.program.run.command
            process = self.start(command, prompt.text, number)
            ended.append(self.wait(process, run, number))
        return {**self.seen(run, logged), "ended": [vars(one) for one in ended]}

    def seen(self, run: Run, logged: dict[int, int]) -> dict[str, Any]:
        """All that was seen of a run, as data."""
        left = run.finish()
        run.close()
        log = Path(LOG).read_bytes()
        return {
            "exchanges": [told(e, run.script, logged) for e in run.exchanges], "left_over": left,
            "lookups": self.canary.taken(), "log": lines_of(log),
        }  # fmt: skip

    # -- its processes -----------------------------------------------------------------------

    def told(self, how: Service, prompt: str, run: Run, number: int) -> Ended:
        """Tell the process that plays many runs of a prompt, and wait for its end. Raises Endless."""
        watch = self.watching(run, number)
        try:
            service = self.serving(how, run)
            if not number:
                service.begin(watch)
            return Ended(None, service.ask(prompt, watch), "")
        except (Endless, Gone):
            self.reset()
            raise

    # -- a run whose requests are held -------------------------------------------------------

    def hold(self, job: dict[str, Any]) -> dict[str, Any]:
        """Begin a run in which each reply is said one by one; one that was left open ends first."""
        self.release({})
        self.held = Held(self, job)
        return {}

    def use(self, job: dict[str, Any]) -> dict[str, Any]:
        """The next reply of that run, and the request that follows it."""
        assert self.held is not None
        for path, text in job["files"].items():
            put(Path(path), text)
        after = self.held.use(from_json(job["reply"]))
        log = [line for _, line in lines_of(Path(LOG).read_bytes())]
        files = {path: taken(path) for path in job["look"]}
        request = after and told(after, self.held.run.script, {})
        if request and request["messages"]:  # the results come last
            request["messages"] = request["messages"][-LAST:]
        return {"request": request, "log": log, "files": files}

    def release(self, _: dict[str, Any]) -> dict[str, Any]:
        """The end of that run."""
        held, self.held = self.held, None
        if held is not None:
            held.close()
        return {}

    def begun(self, run: Run) -> subprocess.Popen[bytes]:
        """Put a prompt to the program and do not wait for anything."""
        prompt = run.script.prompts[0].text
        if self.program.service is None:
            return self.start(self.program.run.command, prompt, 0)
        service = self.serving(self.program.service, run)
        service.begin(self.watching(run, 0))
        service.tell(prompt)
        return service.process

    def rested(self) -> bool:
        """Whether a program that plays many runs has said that this one is over; what it says is read."""
        return self.service is not None and self.service.over()

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End what a held run left; a process that plays many runs stays."""
        if self.service is None:
            sweep()
            process.wait()

    def serving(self, how: Service, run: Run) -> Persistent:
        """The process that plays many runs, started where there is none."""
        del run
        if self.service is None:
            process = self.start(how.command, "", 0, talks=True)
            self.service = Persistent(how, process, Path(f"{OUT}/0.err"))
        return self.service

    def reset(self) -> None:
        """End what plays many runs; the next run starts it afresh."""
        self.service = None
        sweep()

    def start(
        self, command: list[str], prompt: str, number: int, *, talks: bool = False
    ) -> subprocess.Popen[bytes]:  # fmt: skip
        """Start the program on a prompt; what it prints goes to files."""
        values = {**self.values, "prompt": prompt}
        environment = {
            "PATH": os.environ["PATH"], "HOME": HOME, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "TERM": "dumb", "SHELL": "/bin/sh", "USER": "root", "NO_COLOR": "1", "CI": "1",
            **{key: self.fill(value) for key, value in self.program.environment.items()},
        }  # fmt: skip
        given = filled(self.program.run.input, values).encode("utf-8", "surrogatepass")
        with open(f"{OUT}/{number}.out", "wb") as out, open(f"{OUT}/{number}.err", "wb") as err:
            process = subprocess.Popen(
                [filled(part, values) for part in command], cwd=WORK, env=environment,
                stdout=subprocess.PIPE if talks else out, stderr=err,
                stdin=subprocess.PIPE if given or talks else subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        if talks:
            return process
        if process.stdin is not None:
            process.stdin.write(given)
            process.stdin.close()
        return process

    def wait(self, process: subprocess.Popen[bytes], run: Run, number: int) -> Ended:
        """Wait for a process, then end what it left behind. Raises Endless."""
        watch = self.watching(run, number)
        while True:
            try:
                status = process.wait(LOOK)
                break
            except subprocess.TimeoutExpired:
                watch()
        sweep()
        return Ended(status, whole(f"{OUT}/{number}.out"), whole(f"{OUT}/{number}.err"))

    def watching(self, run: Run, number: int) -> Callable[[], None]:
        """What is called between looks at the program; raises Endless where it does not come to an end."""
        vigil, asked = Vigil(self.limits), 0

        def watch() -> None:
            nonlocal asked
            if len(run.exchanges) != asked:
                asked = len(run.exchanges)
                vigil.stirred()
            why = "it goes on calling the model after the script is over" if run.runaway else vigil.look()
            if why:
                sweep()
                said = f"{tail(f'{OUT}/{number}.out')!r}, {tail(f'{OUT}/{number}.err')!r}"
                raise Endless(f"{why} (prompt {number + 1}, after {asked} requests); it had printed: {said}")

        return watch

    def fill(self, text: str) -> str:
        """The text with this room's own values in it."""
        return filled(text, self.values)
