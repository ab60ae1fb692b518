"""From what the command line names to a harness: a file, an adapter, a command, or any Python object."""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.contract import Harness, Unusable

ADAPTERS = {"reference": "adapters.reference:reference"}
GROUP = "harness_props.adapters"  # the entry points through which other packages name theirs
NEEDED = ("about", "capabilities", "policies", "restart", "close")


def kind_of(target: str) -> str:
    """"adapter", "process", "wire", "object" or "file": what sort of target this text names."""
    for kind in ("adapter", "process", "wire"):
        if target.startswith(f"{kind}:"):
            return kind
    if ":" in target and not Path(target).exists() and not target.endswith(".py"):
        return "object"
    return "file"


def resolve(
    target: str, *, lesson: int = 6, app_dir: str | None = None, validate: bool = False
) -> Harness:
    """The harness that a target names. Raises Unusable saying what is wrong and what to do.

    `app_dir` is put in front of the import path for `package.module:object`; the working
    folder is the default. `validate` has every line of a command checked.
    """
    kind = kind_of(target)
    if kind == "process":
        from adapters.remote.harness import process

        return process(target, validate=validate)
    if validate:
        raise Unusable(f"{target}: --validate checks the lines of a process:COMMAND, and there are none")
    if kind == "adapter":
        return _adapter(target.partition(":")[2], lesson)
    if kind == "wire":
        from adapters.programs.harness import whole

        return whole(target)
    if kind == "object":
        return _object(target, app_dir)
    return _file(target, lesson)


def _adapter(name: str, lesson: int) -> Harness:
    if name not in ADAPTERS:
        return _framework(name) or _plugged(name)
    module, _, maker = ADAPTERS[name].partition(":")
    made: Harness = getattr(importlib.import_module(module), maker)(lesson)
    return made


def _framework(name: str) -> Harness | None:
    """The framework of this name, None if there is none. Raises Unusable if it is not installed."""
    from adapters.frameworks.process import framework, named

    return framework(name) if named(name) else None


def _plugged(name: str) -> Harness:
    """The adapter that an installed package names as an entry point."""
    from adapters.frameworks.table import FRAMEWORKS

    points = importlib.metadata.entry_points(group=GROUP)
    if name not in points.names:
        known = sorted({*ADAPTERS, *FRAMEWORKS, *points.names})
        raise Unusable(f"there is no adapter called {name!r}; known: "
                       + ", ".join(f"adapter:{each}" for each in known))  # fmt: skip
    point = points[name]
    try:
        found = point.load()
    except Exception as error:
        raised = f"{type(error).__name__}: {error}"
        raise Unusable(f"adapter:{name}: loading {point.value} raised {raised}") from error
    return _instance(f"adapter:{name}", found)


def _file(target: str, lesson: int) -> Harness:
    from adapters.course import course

    return course(file_of(target), lesson)


def file_of(target: str) -> Path:
    """The harness's file that a target names, or that lies in the folder it names. Raises Unusable."""
    if kind_of(target) != "file":
        raise Unusable(f"{target}: only a file runs in a process of its own that can be isolated")
    path = Path(target)
    if path.is_dir():
        path = path / "harness.py"
    if not path.exists():
        raise Unusable(f"{target}: no such file; give the path of a harness.py, adapter:NAME, "
                       "process:COMMAND, or package.module:object")  # fmt: skip
    if path.suffix != ".py":
        raise Unusable(f"{target}: not a Python file; a harness to be checked ends in .py")
    return path.resolve()


def _object(target: str, app_dir: str | None) -> Harness:
    module_name, _, attribute = target.partition(":")
    folder = str(Path(app_dir or ".").resolve())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        looked = f"it was looked for in {folder} and in the suite's own environment"
        looked += " (use --app-dir for another folder)"
        raise Unusable(f"{target}: cannot import {error.name}; {looked}") from error
    except Exception as error:
        raise Unusable(f"{target}: importing {module_name} raised {type(error).__name__}: {error}") from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise Unusable(f"{target}: {module_name} has no {attribute}")
        found = getattr(found, part)
    return _instance(target, found)


def _instance(target: str, found: Any) -> Harness:
    """The object itself, or what it makes when it is a class or a function without arguments."""
    maker: Callable[[], Any] | None = None
    if isinstance(found, type) or (callable(found) and not hasattr(found, "capabilities")):
        maker = found
    if maker is not None:
        try:
            found = maker()
        except Exception as error:
            raise Unusable(f"{target}: calling it raised {type(error).__name__}: {error}") from error
    lacking = [name for name in NEEDED if not hasattr(found, name)]
    if lacking:
        raise Unusable(f"{target}: this object lacks {', '.join(lacking)} of the adapter contract; see "
                       "adapters/contract.py")  # fmt: skip
    harness: Harness = found
    return harness
