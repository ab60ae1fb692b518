"""A framework in a killable child: the way of a student's file, with what the table declares."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.contract import DEFAULTS, About, Harness, Unusable
from adapters.course import Process
from adapters.frameworks.table import FRAMEWORKS, Framework
from adapters.shape import CourseShape, Declared

LOADING = 60.0  # CPU seconds that importing a framework may take


def named(name: str) -> Framework | None:
    """The framework of this name, or of the tox environment of this name."""
    return FRAMEWORKS.get(name) or FRAMEWORKS.get(name.removeprefix("fuzz-"))


def framework(name: str) -> Harness:
    """The adapter of a framework. Raises Unusable saying in one line how to install what is missing."""
    found = FRAMEWORKS[name.removeprefix("fuzz-")]
    installed(found)
    return found.harness()


def child(found: Framework) -> Harness:
    """A Python framework in a child of its own."""
    about = About(found.distribution, installed(found), f"adapter:{found.name}")
    declared = Declared(found.capabilities, policies_of(found), found.pace)
    return CourseShape(Process(found.file, loading=LOADING), about, declared=declared)


def policies_of(found: Framework) -> Mapping[str, str]:
    """Every policy of the framework: what it declares, else what is usual."""
    return {**DEFAULTS, "lesson": "6", **{key: says.value for key, says in found.policies.items()}}


def installed(found: Framework) -> str:
    """The version that is installed here. Raises Unusable if there is none, or none can be."""
    version = found.version()
    if version:
        return version
    raise Unusable(
        f"adapter:{found.name}: {found.distribution} is not installed here; `tox -e {found.env}` installs it "
        f"and runs this, or use `{found.install}` ({found.language} or later)"
    )
