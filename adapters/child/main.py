"""The program that runs one harness: `python -P -s -B main.py IN OUT HARNESS SUITE [BYTES [PLAN]]`.

IN and OUT are numbers of inherited pipe descriptors. Lines of JSON go over them:

    child   {"event": "started"}, then {"event": "ready", …} or {"event": "unloadable", …}
    parent  {"job": {…}, "number": n}, or {"job": null} to end the child
    child   {"event": …, "ask": n}, any number of times, each answered with
    parent  {"answer": {…}, "ask": n}
    child   {"event": "finished", "value": …, "number": n}, or {"event": "broken", "text": traceback}

SUITE is where the suite is installed, which is kept off the harness's path. BYTES limits the
address space. PLAN is for `walls.py`, if that was put beside this file: what isolates this
process from then on. Standard library only, and as little of it as can be: a fresh process is started
for every property and every replay. The harness's own output goes nowhere.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import resource
import signal
import sys
from _thread import allocate_lock
from importlib import import_module
from json import JSONDecoder, JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:  # not from typing, which takes four milliseconds
    from collections.abc import Callable
    from typing import Any, NoReturn

# Held under names of our own: harnesses and their tests replace functions of modules they use.
_read, _write, _exit, _getpid = os.read, os.write, os._exit, os.getpid
_dumps, _loads = JSONEncoder().encode, JSONDecoder().decode
_new_module = type(sys)
_builtins = dict(builtins.__dict__)
_standard = sys.stdlib_module_names
PACKAGE = "_harness_props"
HIGH = 100  # the channel's descriptors are moved up here, out of the way of small numbers
CHUNK = 1 << 16  # bytes read at once: what a pipe holds; larger buffers cost more than they save


class Channel:
    """The two pipes. One ask at a time, whatever thread it comes from."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = _moved(source), _moved(sink)
        self._lock = allocate_lock()
        self._received = b""
        self._unsent = memoryview(b"")
        self._asked = 0
        self._job = 0
        self.number: int | None = None  # of the job, by the parent's count
        self.fault: Exception | None = None  # an event of the driver's that is not JSON data

    def send(self, message: dict[str, Any]) -> None:
        """Write one line, after what an interrupted call left unwritten."""
        line = (_dumps(message) + "\n").encode()
        self._unsent = memoryview(bytes(self._unsent) + line)
        while self._unsent:
            try:
                sent = _write(self._sink, self._unsent)
            except BrokenPipeError:
                _exit(0)
            self._unsent = self._unsent[sent:]

    def receive(self) -> dict[str, Any]:
        """Read one line; the process ends when the parent is gone."""
        while b"\n" not in self._received:
            parts = [self._received]
            try:
                while True:
                    part = _read(self._source, CHUNK)
                    if not part:
                        _exit(0)
                    parts.append(part)
                    if b"\n" in part:
                        break
            finally:  # a signal handler of the harness's may raise here
                self._received = b"".join(parts)
        line, _, self._received = self._received.partition(b"\n")
        message: dict[str, Any] = _loads(line.decode())
        return message

    def open_job(self) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """The `ask` of a new job. It raises RuntimeError as soon as that job is over."""
        self._job += 1
        mine = self._job
        self.fault = None

        def ask(event: dict[str, Any]) -> dict[str, Any]:
            with self._lock:
                if mine != self._job:
                    raise RuntimeError("this run is over")
                self._asked += 1
                try:
                    self.send({**event, "ask": self._asked})
                except (TypeError, ValueError) as error:
                    self.fault = error
                    raise
                while True:  # the answer to an ask that was interrupted may come first
                    message = self.receive()
                    if message.get("ask") == self._asked:
                        answer: dict[str, Any] = message["answer"]
                        return answer

        return ask

    def close_job(self, message: dict[str, Any]) -> None:
        """Report the job's end; threads of the harness that go on get no more answers."""
        with self._lock:
            self._job += 1
            try:
                self.send(message)
            except (TypeError, ValueError) as error:  # the driver's value is not JSON data
                self.send(broken(error))

    def job(self) -> dict[str, Any] | None:
        """The next job; None asks this process to end."""
        while True:
            message = self.receive()
            if "job" in message:
                self.number = message.get("number")
                job: dict[str, Any] | None = message["job"]
                return job


def _moved(descriptor: int) -> int:
    """The same pipe under a high number, closed in every program that the harness starts.

    Standard streams leave /dev/null in their place.
    """
    try:
        high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    except OSError:
        os.set_inheritable(descriptor, False)
        return descriptor
    os.close(descriptor)
    if descriptor < 3:
        os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    return high


def load(name: str) -> Any:
    """A module that lies beside this file, in a package with a name of our own.

    A harness's modules may so be called as they like.
    """
    if PACKAGE not in sys.modules:
        package = _new_module(PACKAGE)
        package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
        sys.modules[PACKAGE] = package
    return import_module(f"{PACKAGE}.{name}")


def broken(error: BaseException) -> dict[str, Any]:
    """A fault of the suite's own, or of a harness that replaced what everybody uses ("meddled")."""
    meddled = [name for name, value in _builtins.items() if builtins.__dict__.get(name) is not value]
    meddled += [name for name, module in sys.modules.items() if name in _standard and _shadowed(module)]
    if meddled:  # nothing can be relied on any more
        return {"event": "broken", "text": "", "meddled": meddled}
    import traceback

    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return {"event": "broken", "text": text}


def _shadowed(module: Any) -> bool:
    """Whether a module with the name of one of Python's own lies in the harness's folder."""
    file = module.__dict__.get("__file__")
    return type(file) is str and os.path.dirname(os.path.abspath(file)) == os.path.dirname(sys.argv[0])


def limit(what: int, most: int) -> None:
    """Bound a resource of this process, no higher than it is bounded already."""
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(what, (most, most))


def main(source: str, sink: str, harness: str, suite: str, memory: str = "0", plan: str = "") -> NoReturn:
    """Load the harness, do the jobs that come, and end without running anybody's exit handlers."""
    if plan:
        load("walls").raise_walls(_loads(plan), (int(source), int(sink)))
    channel = Channel(int(source), int(sink))
    loading, program = load("loading"), load("driver")
    channel.send({"event": "started"})
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 2)
    os.close(silent)
    limit(resource.RLIMIT_CORE, 0)
    if int(memory):
        limit(resource.RLIMIT_AS, int(memory))
    home = _getpid()
    path = os.path.abspath(harness)
    try:
        module = loading.load_harness(path, suite)
        line = {"event": "ready", "pid": home, "python": sys.version.split()[0]}
    except BaseException as error:
        line = loading.unloadable(error, path)
    if _getpid() != home:  # a process that the harness forked came back out of it
        _exit(0)
    channel.send(line)
    while (job := channel.job()) is not None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            value = program.perform(module, job, channel.open_job())
            line = {"event": "finished", "value": value, "number": channel.number}
            if channel.fault:
                line = broken(channel.fault)
        except BaseException as error:
            line = broken(error)
        if _getpid() != home:
            _exit(0)
        channel.close_job(line)
    _exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
