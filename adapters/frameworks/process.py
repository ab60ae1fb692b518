"""A framework in a killable child: the way of a student's file, with what the table declares."""

from __future__ import annotations

import importlib.metadata
import sys
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
    version = installed(found)
    about = About(found.distribution, version, f"adapter:{found.name}")
    declared = Declared(found.capabilities, policies_of(found), found.pace)
    return CourseShape(Process(found.file, loading=LOADING), about, declared=declared)


def policies_of(found: Framework) -> Mapping[str, str]:
    """Every policy of the framework: what it declares, else what is usual."""
    return {**DEFAULTS, "lesson": "6", **{key: says.value for key, says in found.policies.items()}}


def installed(found: Framework) -> str:
    """The version that is installed here. Raises Unusable if there is none, or none can be."""
    try:
        version = importlib.metadata.version(found.distribution)
    except importlib.metadata.PackageNotFoundError:
        version = ""
    if version and sys.version_info >= found.python:
        return version
    wanted = ".".join(map(str, found.python))
    raise Unusable(
        f"adapter:{found.name}: {found.distribution} is not installed here; `tox -e {found.env}` installs it "
        f"and runs this, or use `pip install -r {found.requirements}` (Python {wanted} or later)"
    )
