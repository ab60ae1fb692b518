"""The process in which a harness runs: how it is started, looked at and ended.

`adapters/child/main.py` is the program that it runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from adapters import stub
from adapters.contract import AdapterError, Died
from adapters.wall import Room, Wall
from adapters.watch import family

GRACE = 5.0  # seconds that a leashed child may take to end what it has started
MANNERS = 0.2  # seconds that a child behind a launcher may take to end of itself


class Broken(AdapterError):
    """The suite's own program or driver failed in the child; the text holds its traceback."""


class Child:
    """A process for the harness at `path`, in a folder of its own; the parameters are the worker's.

    `source` and `sink` are our ends of the two pipes, `room` is what stands round it. All of it is
    there from `start` to `close`.
    """

    def __init__(
        self, path: Path, memory: int, python: str, launcher: Sequence[str], driver: Path, wall: Wall | None
    ) -> None:  # fmt: skip
        self._path, self._memory, self._driver = path, memory, driver
        self._launcher, self._python, self._wall = launcher, python, wall
        self.room = Room(str(path))
        self.source = self.sink = -1
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._folder = ""

    @property
    def pid(self) -> int | None:
        """The process that was started (the launcher's, if there is one); None if none runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process; raises Broken if that is not possible. `close` has to follow."""
        try:
            self._folder = tempfile.mkdtemp(prefix="harness-")
            home, scratch, program = (os.path.join(self._folder, name) for name in ("home", "tmp", "program"))
            for folder in (home, scratch, program):
                os.mkdir(folder)
            os.chmod(program, 0o755)  # noqa: S103 - whatever the umask is: the child may be another user
            if self._wall:
                self.room = self._wall.room(Path(self._folder))
            else:  # nothing isolates it
                self.room = Room(str(self._path), self._launcher)
            room = self.room
            command = [*room.launcher, room.python or self._python, "-P", "-s", "-B"]
            command.append(stub.put(program, room.python or self._python, self._driver, room.inside))
        except OSError as error:
            raise Broken(f"the child's folder cannot be made in {tempfile.gettempdir()}: {error}") from error
        environment = {
            "PATH": os.environ.get("PATH", os.defpath), "HOME": home, "TMPDIR": scratch,
            "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0",
        }  # fmt: skip
        self._errors = tempfile.TemporaryFile()
        theirs_in, self.sink = os.pipe()
        self.source, theirs_out = os.pipe()
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
        os.set_blocking(self.sink, False)

    def close(self) -> None:
        """Kill the child and its process group and remove its folder; nothing if none runs."""
        process, self._process = self._process, None
        if process is not None:
            self._end(process)
        room, self.room = self.room, Room(str(self._path))
        room.leave()
        for descriptor in (self.source, self.sink):
            if descriptor >= 0:
                os.close(descriptor)
        self.source = self.sink = -1
        if self._errors is not None:
            self._errors.close()
            self._errors = None
        if self._folder:
            _remove(self._folder)
            self._folder = ""

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End the process and all it has started, and wait for it."""
        if self.room.leash and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
                return
            for pid, _ in family(process.pid):  # the harness has stopped or killed who was to do it
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        elif self.room.relayed and self.sink >= 0:  # only who is waited for in turn has its time counted
            os.close(self.sink)
            self.sink = -1
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(MANNERS)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # not yet waited for: the number is still its own
        except (ProcessLookupError, PermissionError):
            process.kill()
        process.wait()

    def said(self) -> str:
        """The last that the child wrote on standard error before the harness was loaded."""
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-4000:]

    def gone(self) -> bool:
        """Whether the child has ended; its number stays taken until `close` waits for it."""
        assert self._process is not None
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def died(self) -> Died:
        """Why the channel is closed."""
        assert self._process is not None
        for _ in range(200):  # two seconds at most: the pipes close shortly before the end
            if self.gone():
                break
            select.poll().poll(10)
        else:
            return Died("the harness closed the suite's channel")
        end = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        assert end is not None
        status = end.si_status
        if end.si_code == os.CLD_EXITED and self.room.relayed and status > 128:
            status -= 128
        elif end.si_code == os.CLD_EXITED:
            return Died(f"the process ended with exit status {status} (os._exit or a crash)")
        try:
            name = signal.Signals(status).name
        except ValueError:
            name = f"signal {status}"
        return Died(f"the process was killed by {name}")


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
