"""The one table of frameworks: each is declared in a file of its own, `declared/NAME.py`, or at its adapter
(`javascript.py`)."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from adapters.frameworks import declared
from adapters.frameworks.declaration import INSIDE, Framework
from adapters.frameworks.javascript import libraries

__all__ = ["FRAMEWORKS", "INSIDE", "Framework"]


def _all() -> Mapping[str, Framework]:
    """Every declaration, by the framework's name, in the order of their names; Python comes first."""
    found: dict[str, Framework] = {}
    for _, name, _ in sorted(pkgutil.iter_modules(declared.__path__), key=lambda module: module[1]):
        one: Framework = importlib.import_module(f"{declared.__name__}.{name}").FRAMEWORK
        found[one.name] = one
    return {**found, **libraries()}


FRAMEWORKS: Mapping[str, Framework] = _all()
