"""The stated chance of missing a bug, from what was measured."""

import json
from pathlib import Path

from grading.batch import chance

POWER = {
    "budgets": [20, 100],
    "bugs": {
        "easy": {"chances": {"20": {"share": 1.0}, "100": {"share": 1.0}}, "explicit examples catch it": False},
        "hard": {"chances": {"20": {"share": 0.5}, "100": {"share": 0.9}}, "explicit examples catch it": False},
        "known": {"chances": {"20": {"share": 0.0}, "100": {"share": 0.1}}, "explicit examples catch it": True},
    },
}


def test_a_table_by_budget():
    """The mean and the hardest bug; what explicit examples catch is never missed."""
    assert chance.table(POWER) == {
        "bugs": 3, "missed": {"20": {"mean": 0.1667, "most": 0.5}, "100": {"mean": 0.0333, "most": 0.1}},
    }  # fmt: skip


def test_a_sentence_for_the_number_of_examples(tmp_path):
    """The greatest measured budget that is not above it counts; below all of them nothing is said."""
    file = tmp_path / "missed.json"
    file.write_text(json.dumps(chance.table(POWER)))
    assert chance.sentence(99, file) == (
        "with 20 examples, a check misses one of 3 known bugs in 16.7% of the cases on average, the hardest in 50%"
    )
    assert chance.sentence(5000, file).startswith("with 100 examples")
    assert chance.sentence(10, file) == ""
    assert chance.sentence(10, Path("/nowhere/missed.json")) == ""
