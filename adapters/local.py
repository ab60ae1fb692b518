"""A harness module in this very process: for the reference, for miniatures, for Python objects.

Only code that is trusted runs here; a student's file gets a process of its own
(`adapters/course.py`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from adapters.child import driver


class Local:
    """A channel to a module-like object. `load` makes it, and makes it afresh on a restart."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load
        self._module: Any = None

    def run(
        self, job: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]],
        cpu_seconds: float,
    ) -> Any:  # fmt: skip
        del cpu_seconds  # nothing can end a loop in this very process
        if self._module is None:
            self._module = self._load()
        return driver.perform(self._module, job, answer)

    def restart(self) -> None:
        self._module = None
        gc.collect(0)

    def close(self) -> None:
        self._module = None


