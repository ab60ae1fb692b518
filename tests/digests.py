"""Digests of drawn scripts: `python -m tests.digests [ID …]` prints one line for each property.

Also run from an installed wheel, where `tests` is not importable: it is then given by path.
"""

from __future__ import annotations

import hashlib
import json
import sys
from concurrent.futures import ProcessPoolExecutor

from grading.engine import draw
from properties.registry import load
from strategies.printing import to_json

EXAMPLES = 15


def digest(id_: str) -> str:
    """A digest of all that the first stage of a property draws, in order."""
    stage = load()[id_].stages[0]
    taken = hashlib.sha256()

    def body(script: object) -> None:
        taken.update(json.dumps(to_json(script), default=repr).encode())

    draw(body, stage.draws, EXAMPLES, f"0:{id_}:0")
    return taken.hexdigest()[:16]


def digests(ids: list[str]) -> dict[str, str]:
    """The digest of each property, one after the other in this process."""
    return {id_: digest(id_) for id_ in ids}


def side_by_side(ids: list[str]) -> dict[str, str]:
    """The same in two processes."""
    with ProcessPoolExecutor(2) as pool:
        return dict(zip(ids, pool.map(digest, ids), strict=True))


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(load())
    print(json.dumps(digests(wanted)))
