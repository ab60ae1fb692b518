"""The explanations as data: for every property what a failure means, why it matters, where to look.

`explanations.toml` holds the texts. They give no solution, and name public reports of the same
kind of fault where there are any.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("explanations.toml")


@dataclass(frozen=True)
class Explanation:
    """Plain words about one property. `reports` are names of issues, "owner/name#1" or "owner/name PR 1"."""

    means: str
    why: str
    look: str
    reports: tuple[str, ...] = ()


@functools.cache
def explanations() -> dict[str, Explanation]:
    """The explanation of every property, by its id."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        id_: Explanation(told["means"], told["why"], told["look"], tuple(told.get("reports", ())))
        for id_, told in data.items()
    }
