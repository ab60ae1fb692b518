"""The same scripts are drawn however the suite is started: fairness between submissions."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from properties.registry import load
from tests.digests import digests, side_by_side

ROOT = Path(__file__).parents[1]
IDS = list(load())
SOME = IDS[::9]


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    """The digests of all properties, drawn one after the other in this process."""
    return digests(IDS)


def printed(*ids: str, cwd: Path = ROOT, path: Path = ROOT) -> dict[str, str]:
    """The digests that a fresh process prints, with the suite found at `path`."""
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "digests.py"), *ids],
        cwd=cwd, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("id_", SOME)
def test_a_property_alone_draws_the_same(known: dict[str, str], id_: str) -> None:
    """Alone in a fresh process as among all others."""
    assert printed(id_) == {id_: known[id_]}


def test_the_order_of_properties_changes_nothing(known: dict[str, str]) -> None:
    """Backwards as forwards."""
    assert digests(SOME[::-1]) == {i: known[i] for i in SOME}


def test_side_by_side_draws_the_same(known: dict[str, str]) -> None:
    """In two processes as in one."""
    assert side_by_side(SOME) == {i: known[i] for i in SOME}


def test_under_pytest_workers_the_same_is_drawn(known: dict[str, str], tmp_path: Path) -> None:
    """In the workers of pytest -n 2, with its plugins loaded."""
    source = (
        "import json, pathlib, pytest\nfrom tests.digests import digest\n"
        f"@pytest.mark.parametrize('id_', {SOME!r})\n"
        f"def test_it(id_):\n    pathlib.Path({str(tmp_path)!r}, id_).write_text(digest(id_))\n"
    )
    (tmp_path / "test_inner.py").write_text(source)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", str(tmp_path / "test_inner.py")],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True,
    )  # fmt: skip
    assert {i: (tmp_path / i).read_text() for i in SOME} == {i: known[i] for i in SOME}


def test_a_wheel_draws_what_the_checkout_draws(known: dict[str, str], tmp_path: Path) -> None:
    """Installed as in the checkout: literals of the suite's own modules stay out of the draws."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(installed)
    assert (installed / "grading" / "schema").is_dir()
    assert printed(cwd=tmp_path, path=installed) == known
