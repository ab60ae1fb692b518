"""Which functions of the reference each property runs: what it cannot reach, it cannot catch.

A bug in a function that a property never runs on the unchanged reference leaves every one of its
examples as it was, so judging that pair would only cost time.
"""

from __future__ import annotations

import ast
from functools import cache

from adapters.contract import About
from adapters.local import Local
from adapters.shape import CourseShape
from grading.hunt import first_catch
from grading.verdicts import Options
from properties.registry import FIELD, load
from tests.miniatures.planting import Miniature, load_sources, sources

NAME = "unchanged"
SEEN: set[str] = set()  # functions of the instrumented copy that have run


def instrumented(module: str, source: str) -> str:
    """The module's source, in which each function reports itself as soon as it is called."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            told = ast.parse(f"__seen__.add({f'{module}.{node.name}'!r})").body
            node.body[1 if ast.get_docstring(node) else 0 : 0] = told
    last = max((i for i, n in enumerate(tree.body) if isinstance(n, ast.ImportFrom)), default=-1)
    tree.body[last + 1 : last + 1] = ast.parse(f"from {__name__} import SEEN as __seen__").body
    return ast.unparse(tree)


@cache
def _sources() -> dict[str, str]:
    return {module: instrumented(module, source) for module, source in sources().items()}


def reached(id_: str, examples: int, seed: int) -> frozenset[str]:
    """The functions ("module.function") that the property `id_` runs on the unchanged reference."""
    SEEN.clear()
    harness = CourseShape(Local(lambda: load_sources(NAME, _sources())), About(NAME))
    first_catch(load()[id_], harness, Options(tier=FIELD, examples=examples, seed=seed))
    return frozenset(SEEN)


def can_matter(bug: Miniature, functions: frozenset[str]) -> bool:
    """Whether a property that runs these functions can see the bug at all."""
    return any("." not in p.place or p.place in functions for p in bug.patches)
