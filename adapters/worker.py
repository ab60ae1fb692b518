"""One harness in a process of its own, driven over two pipes.

What the harness does wrong at this level (it dies, hangs, scribbles on the channel) is a
`HarnessFault` whose text is one sentence for a student. What the suite does wrong is `Broken`.
`adapters/child/main.py` is the program at the other end and describes the lines.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, Self

from adapters import stub
from adapters.contract import AdapterError, Died, Garbage, HarnessFault
from adapters.protocol import Meddled
from adapters.wall import Bounds, Room, Wall
from adapters.watch import TICK, Watch, family

MEMORY = 2 << 30  # bytes of address space
CHUNK = 1 << 16  # bytes read at once: what a pipe holds; larger buffers cost more than they save
GRACE = 5.0  # seconds that a leashed child may take to end what it has started
MANNERS = 0.2  # seconds that a child behind a launcher may take to end of itself


class Unloadable(HarnessFault):
    """The harness's file did not run; `line` is a line of `file`, `missing` the absent imports."""

    key = "unloadable"

    def __init__(self, event: dict[str, Any]) -> None:
        self.error, self.text = str(event.get("error")), str(event.get("text"))
        self.file, self.line = str(event.get("file")), event.get("line")
        self.missing: list[str] = list(event.get("missing") or [])
        where = f" (line {self.line})" if self.line is not None else ""
        super().__init__(f"{os.path.basename(self.file)} does not load: {self.error}: {self.text}{where}")


class Broken(AdapterError):
    """The suite's own program or driver failed in the child; the text holds its traceback."""


class Worker:
    """Starts the child for the harness at `path` and puts jobs to it, one at a time.

    `cpu_seconds` bounds the loading of the file, `idle_seconds` every silence without work,
    `memory` (bytes, 0 for none) the child's address space. `launcher` is a command that the
    child's own command is appended to; it must pass descriptors and standard error on and keep
    the child in its process group. `wall` builds what isolates the child, and takes the launcher's
    place. After any exception the child is gone; `start` starts a new one.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        cpu_seconds: float = 10.0,
        idle_seconds: float = 30.0,
        memory: int = MEMORY,
        python: str = sys.executable,
        launcher: Sequence[str] = (),
        driver: str | Path = stub.DRIVER,
        wall: Wall | None = None,
    ) -> None:
        self.path = Path(path).absolute()
        self.ready: dict[str, Any] = {}  # the child's own words: "pid" and "python"
        self._cpu_seconds, self._idle_seconds = cpu_seconds, idle_seconds
        self._memory, self._driver = memory, Path(driver).absolute()
        self._launcher, self._python, self._wall = launcher, python, wall
        self._room = Room(str(self.path))
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._folder = ""
        self._source = self._sink = -1
        self._received = bytearray()
        self._heard = 0  # bytes of the job under way
        self._number = 0  # of the last job
        self._watch = Watch(0, 0.0, 0.0)

    @property
    def pid(self) -> int | None:
        """The process that was started (the launcher's, if there is one); None if none runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the child and load the harness, in place of a child that may still be running.

        Raises `Unloadable`, or another `HarnessFault` when the file ends, blocks or garbles the
        process while it loads; `Broken` when the child's program itself does not come up.
        """
        self.close()
        self._heard = 0
        try:
            self._spawn()
            self._watch = Watch(self.pid or 0, self._cpu_seconds, self._idle_seconds, self._room.bounds)
            try:
                started = self._event()
            except (Died, Garbage) as fault:
                raise Broken(f"the child did not start: {fault}\n{self._said()}") from None
            if started["event"] != "started":
                raise Broken(f"the child began with {started!r}")
            event = self._event()
            if event["event"] == "unloadable":
                raise Unloadable(event)
            if event["event"] != "ready":
                raise Garbage(f"the harness wrote {event['event']!r} on the suite's channel")
            self.ready = event
        except BaseException:
            self.close()
            raise

    def run(
        self, job: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]], *, cpu_seconds: float
    ) -> Any:
        """Do one job: every event of the child's goes to `answer`, and what it gives goes back.

        Returns what the driver's `perform` returned. Raises a `HarnessFault`, `Broken`, or
        whatever `answer` raised. `cpu_seconds` is the child's for the whole job.
        """
        if self._process is None:
            raise Broken("the worker has not been started")
        waited = self._watch.waited
        self._watch = Watch(self._process.pid, cpu_seconds, self._idle_seconds, self._room.bounds, waited)
        self._heard = 0
        try:
            if self._received or select.select([self._source], [], [], 0)[0]:
                raise self._unasked()
            self._number += 1
            self._send({"job": job, "number": self._number})
            while True:
                event = self._event()
                if "ask" in event:
                    ask = event.pop("ask")
                    self._send({"answer": answer(event), "ask": ask})
                elif event["event"] == "finished":
                    if event.get("number") != self._number:  # one that was forged has come before it
                        raise Garbage("the harness wrote the end of a run on the suite's channel")
                    self._watch.files()
                    return event.get("value")
                elif event["event"] == "broken" and event.get("meddled"):
                    raise Meddled(list(map(str, event["meddled"])))
                elif event["event"] == "broken":
                    raise Broken(str(event.get("text")))
                else:
                    raise Garbage(f"the harness wrote {event['event']!r} on the suite's channel")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the child and its process group and remove its folder; nothing if none runs."""
        process, self._process = self._process, None
        if process is not None:
            self._end(process)
        room, self._room = self._room, Room(str(self.path))
        room.leave()
        for descriptor in (self._source, self._sink):
            if descriptor >= 0:
                os.close(descriptor)
        self._source = self._sink = -1
        self._received.clear()
        if self._errors is not None:
            self._errors.close()
            self._errors = None
        if self._folder:
            _remove(self._folder)
            self._folder = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End the process and all it has started, and wait for it."""
        if self._room.leash and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
                return
            for pid, _ in family(process.pid):  # the harness has stopped or killed who was to do it
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        elif self._room.relayed and self._sink >= 0:  # only who is waited for in turn has its time counted
            os.close(self._sink)
            self._sink = -1
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(MANNERS)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # not yet waited for: the number is still its own
        except (ProcessLookupError, PermissionError):
            process.kill()
        process.wait()

    # ---- the child's process ----------------------------------------------------------------

    def _spawn(self) -> None:
        try:
            self._folder = tempfile.mkdtemp(prefix="harness-")
            home, scratch, program = (os.path.join(self._folder, name) for name in ("home", "tmp", "program"))
            for folder in (home, scratch, program):
                os.mkdir(folder)
            room = self._room = self._wall.room(Path(self._folder)) if self._wall else self._open_room()
            command = [*room.launcher, room.python or self._python, "-P", "-s", "-B"]
            command.append(stub.put(program, room.python or self._python, self._driver, room.inside))
        except OSError as error:
            raise Broken(f"the child's folder cannot be made in {tempfile.gettempdir()}: {error}") from error
        environment = {
            "PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": scratch,
            "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0",
        }  # fmt: skip
        self._errors = tempfile.TemporaryFile()
        theirs_in, self._sink = os.pipe()
        self._source, theirs_out = os.pipe()
        suite = Path(__file__).parents[1]
        ends = (0, 1) if room.streams else (theirs_in, theirs_out)
        arguments = [*ends, room.harness, suite, self._memory]
        arguments += [json.dumps(room.plan)] if room.plan else []
        try:
            self._process = subprocess.Popen(
                [*command, *map(str, arguments)],
                stdin=theirs_in if room.streams else subprocess.PIPE if room.leash else subprocess.DEVNULL,
                stdout=theirs_out if room.streams else subprocess.DEVNULL, stderr=self._errors,
                pass_fds=() if room.streams else ends, start_new_session=True, cwd=home, env=environment,
            )  # fmt: skip
        except OSError as error:
            raise Broken(f"the child cannot be started: {error}") from error
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        os.set_blocking(self._sink, False)

    def _open_room(self) -> Room:
        """The room of a child that nothing isolates."""
        return Room(str(self.path), self._launcher)

    def _said(self) -> str:
        """The last that the child wrote on standard error before the harness was loaded."""
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-4000:]

    def _gone(self) -> bool:
        """Whether the child has ended; its number stays taken until `close` waits for it."""
        assert self._process is not None
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def _died(self) -> Died:
        """Why the channel is closed."""
        assert self._process is not None
        for _ in range(200):  # two seconds at most: the pipes close shortly before the end
            if self._gone():
                break
            select.poll().poll(10)
        else:
            return Died("the harness closed the suite's channel")
        end = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        assert end is not None
        status = end.si_status
        if end.si_code == os.CLD_EXITED and self._room.relayed and status > 128:
            status -= 128
        elif end.si_code == os.CLD_EXITED:
            return Died(f"the process ended with exit status {status} (os._exit or a crash)")
        try:
            name = signal.Signals(status).name
        except ValueError:
            name = f"signal {status}"
        return Died(f"the process was killed by {name}")

    # ---- lines ------------------------------------------------------------------------------

    def _wait(self, descriptor: int, event: int) -> None:
        """Return when the pipe can be used; raises `Hung` or `Died` when it never will be."""
        poll = select.poll()
        poll.register(descriptor, event)
        began = time.monotonic()
        while not poll.poll(TICK * 1000):
            self._watch.rested(time.monotonic() - began)
            began = time.monotonic()
            self._watch.look()
            if self._gone() and not poll.poll(0):
                raise self._died()
        self._watch.rested(time.monotonic() - began)
        self._watch.glance()

    def _send(self, message: dict[str, Any]) -> None:
        rest = memoryview(json.dumps(message).encode() + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._sink, rest) :]
            except BlockingIOError:
                self._wait(self._sink, select.POLLOUT)
            except BrokenPipeError:
                raise self._died() from None

    def _event(self) -> dict[str, Any]:
        self._watch.heard()
        line = self._line()
        try:
            event = json.loads(line.decode())
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            shown = line[:80].decode(errors="backslashreplace")
            raise Garbage(f"the harness wrote on the suite's channel: {shown!r}")
        return event

    def _unasked(self) -> HarnessFault:
        """What is wrong when something comes between two jobs: the end, or a message of nobody's."""
        if not self._received and not os.read(self._source, 1):
            return self._died()
        return Garbage("the harness wrote on the suite's channel while it was asked nothing")

    def _measure(self, line: int) -> None:
        """Raise Garbage if the message under way, or all of this job's, are longer than they may be."""
        bounds = self._room.bounds or Bounds()
        if line > bounds.line:
            raise Garbage(f"a message of more than {bounds.line >> 20} MiB came over the suite's channel")
        if bounds.traffic and self._heard > bounds.traffic:
            raise Garbage(f"messages of more than {bounds.traffic >> 20} MiB came of one run")

    def _line(self) -> bytes:
        received, searched = self._received, 0
        while (end := received.find(b"\n", searched)) < 0:
            searched = len(received)
            self._measure(searched)
            self._wait(self._source, select.POLLIN)
            part = os.read(self._source, CHUNK)
            if not part:
                raise self._died()
            received += part
            self._heard += len(part)
        line = bytes(received[:end])
        del received[: end + 1]
        return line


def _remove(folder: str) -> None:
    """Remove a folder, whatever was put into it: closed folders, and more levels than a path may have."""

    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if not os.path.lexists(folder):
        return
    for place, folders, _ in os.walk(folder):  # goes into no link
        for name in folders:
            with contextlib.suppress(OSError):
                if not os.path.islink(os.path.join(place, name)):
                    os.chmod(os.path.join(place, name), 0o700)
    subprocess.run(["rm", "-rf", "--", folder], stderr=subprocess.DEVNULL, check=False)
