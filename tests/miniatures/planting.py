"""Plants a fault in the source of the reference harness and loads the result under a new name.

A patch names a module and a function, never a line number, and fails loudly as soon as the
words it replaces are no longer there exactly once.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from adapters.contract import About
from adapters.local import Local
from adapters.shape import CourseShape
from properties.registry import Property

SOURCES = Path(__file__).parents[2] / "harness_ref"


@dataclass(frozen=True)
class Patch:
    """In `place` ("module.function", or "module" for code that is added at its end), `old`
    becomes `new`."""

    place: str
    old: str
    new: str


@dataclass(frozen=True)
class Miniature:
    """One planted fault, and the id of the property that has to catch it."""

    name: str
    property: str
    sentence: str
    patches: tuple[Patch, ...]
    source: str = "the property's own miniature"

    def harness(self) -> CourseShape:
        """The broken harness behind the contract, in this process."""
        return CourseShape(Local(lambda: load(self.name, self.patches)), About(self.name))


OUTSIDE = {"stream", "exit-status", "offline"}  # what only a program has: see tests/wire_agents
MINIATURES: list[Miniature] = []
GOOD: list[Miniature] = []  # reference plus a capability it lacks: must pass what its pair fails


def plant(
    property_id: str, *patches: tuple[str, str, str], good: bool = False
) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register a function whose name and docstring tell the fault as a miniature."""

    def register(told: Callable[[], None]) -> Callable[[], None]:
        sentence = " ".join((told.__doc__ or "").split())
        assert sentence, f"{told.__name__} does not say what is wrong with it"
        made = Miniature(told.__name__, property_id, sentence, tuple(Patch(*p) for p in patches))
        (GOOD if good else MINIATURES).append(made)
        return told

    return register


def patched(source: str, patch: Patch, function: str) -> str:
    """The module's source with one patch applied, inside the named function only."""
    if not function:
        return source + "\n\n" + patch.new
    spans = [
        (node.lineno - 1, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    assert len(spans) == 1, f"{patch.place}: {len(spans)} functions of that name"
    lines = source.splitlines(keepends=True)
    start, end = spans[0]
    body = "".join(lines[start:end])
    assert body.count(patch.old) == 1, f"{patch.place}: {body.count(patch.old)} times {patch.old!r}"
    return "".join([*lines[:start], body.replace(patch.old, patch.new), *lines[end:]])


class _Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one package from sources that are held in memory."""

    def __init__(self, package: str, sources: dict[str, str]) -> None:
        self._package, self._sources = package, sources

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == self._package:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        parent, _, name = fullname.rpartition(".")
        if parent == self._package and name in self._sources:
            return importlib.machinery.ModuleSpec(fullname, self)
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.rpartition(".")[2]
        source = self._sources["__init__" if module.__name__ == self._package else name]
        exec(compile(source, f"<{module.__name__}>", "exec"), module.__dict__)


def sources() -> dict[str, str]:
    """The source of each module of the reference, by the module's name."""
    return {p.stem: p.read_text() for p in SOURCES.glob("*.py")}


def load(name: str, patches: Sequence[Patch]) -> ModuleType:
    """A fresh copy of the reference package with these patches, under a name of its own."""
    changed = sources()
    for patch in patches:
        module, _, function = patch.place.partition(".")
        changed[module] = patched(changed[module], patch, function)
    return load_sources(name, changed)


def load_sources(name: str, changed: dict[str, str]) -> ModuleType:
    """A package made of these sources, imported afresh under a name of its own."""
    package = f"miniature_{name}"
    for old in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
        del sys.modules[old]
    finder = _Sources(package, changed)
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(package)
    finally:
        sys.meta_path.remove(finder)


def in_process(prop: Property) -> bool:
    """Whether a course-shaped module can have what this property needs."""
    return not prop.needs & OUTSIDE


def all_miniatures() -> list[Miniature]:
    """Every miniature of every chapter, in the order in which they are written down."""
    for chapter in ("loop", "tool", "limit", "cut", "read", "own_tools", "pairs"):
        importlib.import_module(f"tests.miniatures.{chapter}")
    return MINIATURES
