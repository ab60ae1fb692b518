"""Where the work is done: processes of this machine, or the workers of a Dask cluster.

Both are a `concurrent.futures.Executor`; a pool also says how much to give it at a time and can
be made anew when a process of it has died.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, Protocol

from grading.leave import BadCall

PATIENCE = 5.0  # seconds that a worker has for closing what it holds
ANSWER = 10.0  # seconds that a scheduler has for its first answer
LOOKS = 3  # how often in a row a cluster may be found without workers


class Pool(Protocol):
    """Workers. `remote` says that they may be on machines of their own."""

    remote: bool

    def width(self) -> int:
        """How many jobs it is worth having under way."""
        ...

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have something done. Raises BrokenExecutor if the workers are gone."""
        ...

    def renew(self) -> None:
        """Start again with new workers; what was under way is lost."""
        ...

    def look(self) -> None:
        """Called when nothing has come for a while. Raises BadCall if nothing will."""
        ...

    def stop(self) -> None:
        """End the workers now, and what they are doing with them."""
        ...


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0))


# ---- this machine -------------------------------------------------------------------------


class Local:
    """Processes of this machine. They end when the grader does, however it ends."""

    remote = False

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._executor: ProcessPoolExecutor | None = None

    def width(self) -> int:
        return self._jobs

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        if self._executor is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["grading.batch.task", "properties.registry"])
            self._executor = ProcessPoolExecutor(self._jobs, mp_context=context, initializer=_begin)
        return self._executor.submit(_doing, work, *arguments)

    def renew(self) -> None:
        self.stop()

    def look(self) -> None:
        """Nothing to do: a process that dies is told of at once."""

    def stop(self) -> None:
        executor, self._executor = self._executor, None
        if executor is None:
            return
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """In a worker: the grader alone hears Ctrl-C, and when it has gone this process goes, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True, name="watches the grader").start()


class Leaving(BaseException):
    """The worker has been told to end: whatever it holds is closed on the way out."""


_busy = False


def _doing(work: Callable[..., Any], *arguments: Any) -> Any:
    """In a worker: do a piece of work, unless told to leave."""
    global _busy
    _busy = True
    try:
        return work(*arguments)
    except Leaving:
        os._exit(1)
    finally:
        _busy = False


def _leave(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if not _busy:
        os._exit(1)
    threading.Thread(target=_end, daemon=True, name="ends what does not leave").start()
    raise Leaving


def _end() -> None:
    threading.Event().wait(PATIENCE)
    os._exit(1)


# ---- a cluster ----------------------------------------------------------------------------


class Cluster:
    """The workers of a Dask cluster, through the executor of its client."""

    remote = True

    def __init__(self, address: str) -> None:
        """Raises BadCall if there is no such cluster, or Dask is not installed."""
        try:
            distributed = importlib.import_module("distributed")
        except ImportError as error:
            raise BadCall("--cluster needs Dask: install it with `pip install 'harness-props[cluster]'`, "
                          "here and where the workers run") from error  # fmt: skip
        self._address, self._without = address, 0
        try:
            self._client: Any = distributed.Client(address, timeout=ANSWER, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError) as error:
            told = " ".join(str(error).split()) or type(error).__name__
            raise BadCall(f"--cluster {address}: no Dask scheduler answers there: {told}") from error
        if not self._threads():
            self.stop()
            raise BadCall(f"--cluster {address}: the scheduler has no workers; start one with "
                          f"`dask worker {address} --nthreads 1`")  # fmt: skip
        self._executor: Executor = self._client.get_executor(pure=False, retries=0)

    def _threads(self) -> int:
        return sum(map(int, self._client.nthreads().values()))

    def width(self) -> int:
        return max(1, self._threads()) + 1  # one waits, so that no worker does

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return self._executor.submit(work, *arguments)

    def renew(self) -> None:
        """Nothing to do: the scheduler gives lost work to other workers by itself."""

    def look(self) -> None:
        self._without = 0 if self._threads() else self._without + 1
        if self._without > LOOKS:
            raise BadCall(f"--cluster {self._address}: has no workers any more; the same command goes on "
                          "from here once there are some")  # fmt: skip

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=False)
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)
