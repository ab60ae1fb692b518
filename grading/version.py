"""Which release of the suite this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def suite_version() -> str:
    """The version of the installed distribution; "0+unknown" in a checkout that is not installed."""
    try:
        return version("harness-props")
    except PackageNotFoundError:
        return "0+unknown"
