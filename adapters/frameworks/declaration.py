"""How a framework is declared: where it comes from, what it can, what it does and who says so."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adapters.contract import Harness

INSIDE = Path(__file__).with_name("inside")


@dataclass(frozen=True)
class Says:
    """A policy that a framework declares: the value, its own words for it, and where they stand."""

    value: str
    words: str
    where: str


@dataclass(frozen=True)
class Framework:
    """One framework. `module` is what has to be importable, `distribution` what a registry calls it.

    `lacks` says of capabilities why they are not there, `settings` what the adapter sets and why; `pace` is
    how many times slower than a plain loop its runs may be before they count as hung.
    """

    name: str
    distribution: str
    module: str
    homepage: str
    capabilities: frozenset[str]
    policies: Mapping[str, Says]
    lacks: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    python: tuple[int, int] = (3, 11)
    pace: float = 20.0

    @property
    def env(self) -> str:
        """The tox environment that installs it and runs it."""
        return f"fuzz-{self.name}"

    @property
    def requirements(self) -> str:
        """The file that pins it, in the checkout."""
        return f"requirements/{self.env}.txt"

    @property
    def file(self) -> Path:
        """What stands in for a harness file in the child."""
        return INSIDE / f"on_{self.name.replace('-', '_')}.py"

    @property
    def place(self) -> Path:
        """The folder that holds the framework's own files."""
        spec = importlib.util.find_spec(self.module)
        assert spec is not None
        assert spec.submodule_search_locations
        return Path(spec.submodule_search_locations[0]).parents[self.module.count(".")]

    @property
    def language(self) -> str:
        """What it is written in, and the oldest version that runs it."""
        return f"Python {'.'.join(map(str, self.python))}"

    @property
    def install(self) -> str:
        """The command that installs it."""
        return f"pip install -r {self.requirements}"

    def version(self) -> str:
        """The version that is installed here; nothing if there is none, or none can be."""
        try:
            found = importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return ""
        return found if sys.version_info >= self.python else ""

    def harness(self) -> Harness:
        """The framework in a killable child: the way of a student's file, with what the table declares."""
        from adapters.frameworks.process import child

        return child(self)


LOOP = frozenset({"loop", "record"})
