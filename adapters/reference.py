"""The reference harness, in this process. The only place that may import `harness_ref`."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from adapters.contract import About
from adapters.local import Local
from adapters.shape import CourseShape

PACKAGE = "harness_ref"


def load() -> ModuleType:
    """The reference package, imported afresh, so that no run sees what another one left.

    Under mutation testing the package in `sys.modules` is the one that is mutated, and it must
    stay; importing it again under the same name keeps that true.
    """
    for name in [n for n in sys.modules if n == PACKAGE or n.startswith(f"{PACKAGE}.")]:
        del sys.modules[name]
    return importlib.import_module(PACKAGE)


def reference(lesson: int = 6) -> CourseShape:
    """The reference harness behind the contract."""
    about = About("harness_ref", "6", "adapter:reference")
    return CourseShape(Local(load), about, lesson, line_model="universal")
