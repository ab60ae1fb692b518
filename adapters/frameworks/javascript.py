"""JavaScript libraries as frameworks: each is declared beside its adapter, which speaks the process protocol.

A folder `adapters/javascript/NAME/` holds a lockfile, `adapter.mjs` and `declared.json`; `declared-WORD.json`
declares what the same adapter does when it is given that word. The libraries are installed below the folder.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.contract import Harness, Unusable
from adapters.frameworks.declaration import Framework, Says

FOLDER = Path(__file__).resolve().parents[1] / "javascript"


@dataclass(frozen=True)
class Library(Framework):
    """One JavaScript library. `variant` is the word that its adapter is given; it needs this `node`."""

    folder: Path = FOLDER
    variant: str = ""
    node: int = 20

    @property
    def requirements(self) -> str:
        """The file that pins it, in the checkout."""
        return f"adapters/javascript/{self.folder.name}/package-lock.json"

    @property
    def file(self) -> Path:
        """The adapter."""
        return self.folder / "adapter.mjs"

    @property
    def place(self) -> Path:
        """The folder that holds the library's own files."""
        return self.folder / "node_modules"

    @property
    def language(self) -> str:
        """What it is written in, and the oldest version that runs it."""
        return f"Node {self.node}"

    @property
    def install(self) -> str:
        """The command that installs it."""
        return f"npm ci --prefix adapters/javascript/{self.folder.name}"

    def words(self) -> list[str]:
        """The command that runs the adapter, with the Node that is pinned beside the library, or with any."""
        pinned = sorted(self.place.glob("node-*/bin/node"))
        found = str(pinned[0]) if pinned else shutil.which("node")
        if found is None:
            raise Unusable(f"adapter:{self.name}: there is no `node` here; it needs {self.language} or later")
        return [found, str(self.file), *([self.variant] if self.variant else [])]

    def version(self) -> str:
        """The version that is installed here; nothing if there is none."""
        try:
            about = json.loads((self.place / self.distribution / "package.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ""
        return str(about.get("version", ""))

    def harness(self) -> Harness:
        """The adapter, started. It declares itself: `declared.json` is what it answers to hello with."""
        from adapters.remote.harness import remote

        return remote(self.words(), f"adapter:{self.name}")


def libraries() -> Mapping[str, Library]:
    """Every library, by its name, in the order of their names."""
    found = [_library(file) for file in FOLDER.glob("*/declared*.json")]
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def _library(file: Path) -> Library:
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    variant = file.stem.removeprefix("declared").removeprefix("-")
    name = "-".join(filter(None, (file.parent.name, variant)))
    policies = {key: Says(**says) for key, says in data["policies"].items()}
    return Library(
        name, data["distribution"], data["distribution"], data["homepage"], frozenset(data["capabilities"]),
        policies, data["lacks"], data["settings"], pace=data["pace"], folder=file.parent, variant=variant,
        node=data["node"],
    )  # fmt: skip
