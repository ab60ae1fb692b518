"""Pinned sets of properties: frozen ids and their versions, one file each in `sets/`.

A course that pins a set is judged by the same properties for as long as it runs: what a later
suite adds is not looked at, and what it changed is refused instead of judged in another way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from grading.version import suite_version
from properties.registry import Property, Tier

FOLDER = Path(__file__).with_name("sets")


def names() -> list[str]:
    """The sets that this suite knows, the newest last."""
    known = [path.stem for path in FOLDER.glob("*.json")]
    return sorted(known, key=lambda name: [int(part) for part in name.split(".")])


def pinned(name: str) -> dict[str, int]:
    """The ids of a set and the version of each. Raises ValueError naming the sets there are."""
    if name not in names():
        raise ValueError(f"there is no set {name!r}; known: {', '.join(names())}")
    properties: dict[str, int] = json.loads((FOLDER / f"{name}.json").read_text())["properties"]
    return properties


def chosen(name: str, known: Mapping[str, Property], tier: Tier) -> tuple[str, ...]:
    """The ids of a set that are judged up to this tier, in the catalogue's order.

    Without a name these are all that the suite has. Raises ValueError if the suite has changed a
    property of the set, or has it no more.
    """
    versions = pinned(name) if name else {id_: prop.version for id_, prop in known.items()}
    for id_, version in versions.items():
        found = known[id_].version if id_ in known else 0
        if found != version:
            has = f"has version {found}" if found else "has it no more"
            here = f"harness-props {suite_version()}"
            raise ValueError(f"the set {name} pins {id_} at version {version}, and {here} {has}; use the "
                             "release that the course began with, or another set")  # fmt: skip
    return tuple(id_ for id_, prop in known.items() if id_ in versions and prop.tier <= tier)
