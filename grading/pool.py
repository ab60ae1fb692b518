"""Properties side by side: processes that each hold a harness of their own."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Hashable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Protocol

from adapters.contract import Harness
from grading.beyond import NOTHING, Known
from grading.judging import introduced, judged
from grading.verdicts import Options, Verdict
from properties.registry import load


class Opens(Hashable, Protocol):
    """What a harness can be opened from, in any process."""

    def open(self) -> Harness:
        """The harness; raises Unusable if there is none."""


@contextmanager
def pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that judge properties; those that are at work are ended if this is left in haste."""
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_quiet) as made:
        try:
            yield made
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _quiet() -> None:
    """In a process of the pool: the parent alone hears Ctrl-C, and ends this one with SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)


def _leave(*_: object) -> None:
    for harness in _held:
        harness.close()
    os._exit(1)


_held: list[Harness] = []


@lru_cache(maxsize=4)
def _opened(target: Opens) -> Harness:
    harness = target.open()
    _held.append(harness)
    introduced(harness)
    return harness


def one(target: Opens, id_: str, options: Options, known: Known = NOTHING) -> Verdict:
    """Judge one property in a process of the pool; each begins with a fresh harness."""
    return judged(load()[id_], _opened(target), options, known)
