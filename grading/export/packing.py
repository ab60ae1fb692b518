"""The suite as a wheel, and the exact versions of all that it needs, for a machine elsewhere.

The wheel is put together from the files that are running now, a checkout's or an installed
package's: what was tried at home is what grades there. No build tool and no network is needed, and
the same files give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import grading
from grading.leave import BadCall

NAME = "harness-props"
_LEFT_OUT = {"__pycache__", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True)
class Suite:
    """What is running: version, needs ("name>=1" texts), console scripts, and folders by name."""

    version: str
    python: str
    needs: tuple[str, ...]
    scripts: dict[str, str]
    folders: dict[str, Path]

    @property
    def wheel(self) -> str:
        """The wheel's file name."""
        return f"harness_props-{self.version}-py3-none-any.whl"


def running() -> Suite:
    """The suite that this process runs. Raises BadCall if nothing says what belongs to it."""
    root = Path(grading.__file__).parents[1]
    project = root / "pyproject.toml"
    if project.is_file():
        return _checkout(root, tomllib.loads(project.read_text(encoding="utf-8")))
    try:
        found = distribution(NAME)
    except PackageNotFoundError:
        raise BadCall(f"{NAME} is neither installed nor a checkout; install it and try again") from None
    tops = {Path(file).parts[0] for file in found.files or () if len(Path(file).parts) > 1}
    folders = {name: root / name for name in sorted(tops) if (root / name / "__init__.py").is_file()}
    needs = tuple(need for need in found.requires or () if "extra ==" not in need)
    scripts = {point.name: point.value for point in found.entry_points if point.group == "console_scripts"}
    return Suite(found.version, found.metadata["Requires-Python"], needs, scripts, folders)


def _checkout(root: Path, project: dict[str, Any]) -> Suite:
    facts = project["project"]
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    return Suite(
        facts["version"], facts["requires-python"], tuple(facts["dependencies"]), dict(facts["scripts"]),
        {name: root / name for name in sorted(packages)},
    )  # fmt: skip


def wheel(suite: Suite) -> bytes:
    """The suite as a wheel."""
    info = f"harness_props-{suite.version}.dist-info"
    files = {
        f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for name, folder in suite.folders.items()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc" and not _LEFT_OUT & set(path.parts)
    }
    needs = "".join(f"Requires-Dist: {need}\n" for need in suite.needs)
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {suite.version}\n"
        f"Requires-Python: {suite.python}\n{needs}"
    ).encode()
    kind = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/WHEEL"] = kind.encode()
    scripts = "".join(f"{name} = {value}\n" for name, value in sorted(suite.scripts.items()))
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{scripts}".encode()
    listed = [f"{name},sha256={_digest(files[name])},{len(files[name])}\n" for name in sorted(files)]
    files[f"{info}/RECORD"] = "".join([*listed, f"{info}/RECORD,,\n"]).encode()
    return archive(files)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def archive(files: Mapping[str, bytes], programs: frozenset[str] = frozenset()) -> bytes:
    """A zip that is the same bytes for the same files: sorted, without times, not compressed.

    The names in `programs` are marked as executable.
    """
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as made:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # the place for permissions
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            made.writestr(entry, files[name])
    return held.getvalue()


def pins(needs: tuple[str, ...]) -> dict[str, str]:
    """Name and version of every package that these needs bring in, as installed here.

    Raises BadCall naming one that is not installed.
    """
    found: dict[str, str] = {}
    waiting = [Requirement(need) for need in needs]
    while waiting:
        need = waiting.pop()
        name = canonicalize_name(need.name)
        if name in found or (need.marker and not need.marker.evaluate({"extra": ""})):
            continue
        try:
            known = distribution(name)
        except PackageNotFoundError:
            raise BadCall(f"{name} is needed but not installed here; install it first") from None
        found[name] = known.version
        waiting += [further for text in known.requires or () if _asked(further := Requirement(text), need)]
    return dict(sorted(found.items()))


def _asked(further: Requirement, need: Requirement) -> bool:
    """Whether a package's own need is one under the extras it was asked for with."""
    return not further.marker or any(further.marker.evaluate({"extra": e}) for e in ("", *need.extras))
