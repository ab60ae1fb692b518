"""How the suite's own tests run while the suite's own code is mutated: the same draws each time, and quick."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import Phase, settings

settings.register_profile(
    "mutation", settings.get_profile("ci"), max_examples=50, phases=(Phase.explicit, Phase.generate)
)  # a mutant is dead at the first failure: the smallest one is of no interest


FRAMES = 5_000  # of Python code; mutmut calls each mutated function through two of its own


def pytest_configure() -> None:
    """Recursion that is well within Python's limit stays so with mutmut's own calls in between."""
    if "MUTANT_UNDER_TEST" in os.environ:
        sys.setrecursionlimit(FRAMES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the tests that judge a mutant those that draw come last: most mutants die without them."""
    if "MUTANT_UNDER_TEST" in os.environ:
        items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[bool, str, int]:
    test = getattr(item, "obj", None)
    path, line, _ = item.location
    return getattr(test, "is_hypothesis_test", False), path, line or 0
