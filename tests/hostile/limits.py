"""What a child may take where it is attacked: little, so that each attack is over soon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import adapters.course
import adapters.shape
import grading.engine
from grading.isolation import rooms


def lower(put: Callable[[Any, str, Any], None]) -> None:
    """Set the limits with this: `setattr`, or a patch's."""
    put(adapters.shape, "CPU_SECONDS", 0.25)
    put(adapters.course, "LOADING", 0.4)
    put(grading.engine, "HANG_TRIES", 1)
    put(grading.engine, "SEQUENCE_TRIES", 6)
    for name, most in (("DISK", 2 << 20), ("ENTRIES", 500), ("IDLE", 0.8), ("MEMORY", 300 << 20),
                       ("PROCESSES", 12), ("LINE", 1 << 20), ("TRAFFIC", 4 << 20)):  # fmt: skip
        put(rooms, name, most)
