"""The figures that the documentation shows keep what is promised of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from grading.power import BUDGETS, SEEDS
from tests.planted.catalogue import all_planted

DOCS = Path(__file__).parents[1] / "docs"


def shown(name: str) -> Any:
    """The measured figures of this name; the test is skipped where nobody has measured them."""
    file = DOCS / f"{name}.json"
    if not file.exists():
        pytest.skip(f"docs/{name}.json has not been measured")  # which takes up to an hour of two processors
    return json.loads(file.read_text())


def test_every_mutant_of_the_reference_is_killed() -> None:
    """None survives but those that are listed, at most three in a hundred; every module has enough of them."""
    mutation = shown("mutation")
    assert mutation["survivors"] == []
    assert len(mutation["equivalent"]) <= 0.03 * mutation["mutants"]
    assert all(row["per line"] >= 1 for row in mutation["modules"].values())


def test_finding_is_quick_and_ends_small() -> None:
    """The naive baseline counts; where it is slow ours is ten times as quick, and what is found is made small."""
    figures = shown("finding")["summary"]
    assert figures["naive finds"] >= figures["bugs"] / 3
    assert figures["median CPU ratio on those"] <= 0.1
    assert figures["small"] >= 0.95
    assert figures["subtle"] >= 40


def test_the_power_table_is_whole() -> None:
    """Each bug that explicit examples do not catch was judged at every budget, with seeds enough."""
    power = shown("power")
    assert len(power["bugs"]) >= 150
    for name, row in power["bugs"].items():
        if not row["explicit examples catch it"]:
            assert set(row["chances"]) == set(map(str, BUDGETS)), name
            assert all(cell["of"] >= SEEDS for cell in row["chances"].values()), name


@pytest.mark.parametrize("name", ["finding", "power"])
def test_what_was_measured_is_planted(name: str) -> None:
    """No figure is about a bug that there is no more."""
    assert set(shown(name)["bugs"]) <= {bug.name for bug in all_planted()}
