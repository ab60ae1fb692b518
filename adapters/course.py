"""A student's harness.py: untrusted, so it runs in a process of its own behind two pipes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from adapters import protocol
from adapters.contract import About, Hung
from adapters.shape import CourseShape
from adapters.wall import Wall
from adapters.worker import Worker

LOADING = 10.0  # CPU seconds that running the file may take


class Process:
    """A channel to a harness file in a child process, which is started when it is needed.

    A fault of the harness ends the child; the next job starts a fresh one. `launcher` is a
    command prefix, `wall` what isolates the child, `loading` the CPU seconds that the file may take.
    """

    def __init__(
        self, path: Path, launcher: Sequence[str] = (), wall: Wall | None = None, loading: float = LOADING
    ) -> None:  # fmt: skip
        self._worker = Worker(path, cpu_seconds=loading, launcher=launcher, wall=wall)
        self.hangs = 0  # how often a job ran into its limits, for whoever counts tries

    def run(
        self, job: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]],
        cpu_seconds: float,
    ) -> Any:  # fmt: skip
        """Do one job. Raises HarnessFault for what the harness did, AdapterError for our faults."""
        if self._worker.pid is None:
            self._worker.start()
        try:
            value = self._worker.run(job, protocol.served(answer), cpu_seconds=cpu_seconds)
            return protocol.finished(job, value)
        except Hung:
            self.hangs += 1
            raise

    def restart(self) -> None:
        self._worker.close()

    def close(self) -> None:
        self._worker.close()


def course(
    path: Path, lesson: int = 6, launcher: Sequence[str] = (), wall: Wall | None = None
) -> CourseShape:
    """The harness in this file, behind the contract; nothing of it runs before the first job."""
    about = About(path.name, "", str(path))
    return CourseShape(Process(path, launcher, wall), about, lesson)
