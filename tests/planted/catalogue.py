"""The one list of planted bugs, and how to add to it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache

from tests.miniatures.planting import Miniature, Patch, all_miniatures

CHAPTERS = ("loop", "record", "limit", "tool", "cut", "read", "pages", "write", "bash", "bill", "rare", "edges", "lonely")
BUGS: list[Miniature] = []


def bug(
    property_id: str, *patches: tuple[str, str, str], source: str
) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register a function whose name and docstring tell the fault.

    `property_id` is the property that has to catch it. Each patch is ("module.function", old, new):
    inside that function of the reference, `old`, which stands there exactly once, becomes `new`;
    ("module", "", code) adds code at the module's end. `source` says where such a bug was seen:
    "students", or the public report.
    """

    def register(told: Callable[[], None]) -> Callable[[], None]:
        sentence = " ".join((told.__doc__ or "").split())
        assert sentence, f"{told.__name__} does not say what is wrong with it"
        made = Miniature(told.__name__, property_id, sentence, tuple(Patch(*p) for p in patches), source)
        BUGS.append(made)
        return told

    return register


@cache
def all_planted() -> tuple[Miniature, ...]:
    """Every planted bug, miniatures first, in the order in which they are written down."""
    for chapter in CHAPTERS:
        importlib.import_module(f"tests.planted.{chapter}")
    return (*all_miniatures(), *BUGS)
