"""A Dask cluster on loopback: a scheduler and two workers, each a process that can be killed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tests.test_cli import ROOT


def started(*arguments: str, said: str) -> tuple[subprocess.Popen[str], str]:
    """A process of Dask's that has said this; the line in which it did."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen([sys.executable, "-m", *arguments], env=environment, cwd=ROOT, text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    for line in process.stderr:
        if said in line:
            threading.Thread(target=_drained, args=[process.stderr], daemon=True).start()
            return process, line
    raise AssertionError(f"{arguments[0]} ended with {process.wait()}")


def _drained(log: IO[str]) -> None:
    """Read what else is said, to its end: a pipe that nobody reads stops who writes."""
    with log:
        for _ in log:
            pass


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler with two workers, and the workers' processes; `folder` is for their files."""
    where = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler, line = started("distributed.cli.dask_scheduler", *where, "--port", "0", said="Scheduler at:")
    address = line.split()[-1]
    workers: list[subprocess.Popen[str]] = []
    try:
        for number in range(2):
            own = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder / f"worker{number}"))
            workers.append(started("distributed.cli.dask_worker", address, *where, *own, said="Registered to:")[0])
        yield address, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
