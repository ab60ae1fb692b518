"""Verdicts: what they are as JSON, which failure one waits for, and how many there are of each kind."""

from __future__ import annotations

import pytest

from grading.verdicts import (
    ERROR,
    FAILS,
    HOLDS,
    NOT_APPLICABLE,
    NOT_REACHED,
    Counterexample,
    Options,
    Report,
    Verdict,
    root_of,
    steady,
)  # fmt: skip


def verdict(id_: str, word: str, message: str = "") -> Verdict:
    return Verdict(id_, "course", word, message)


def waiting(id_: str, before: str) -> Verdict:
    """A verdict that waits for this one."""
    return verdict(id_, NOT_REACHED, f"{before} fails, and this depends on it")


@pytest.mark.parametrize(("text", "wanted"), [
    ("<f at 0x7f00aa11bb22> <g at 0xABCDEF>", "<f at 0x…> <g at 0x…>"), ("0x12345", "0x12345"), ("plain", "plain"),
    ("/tmp/harness-ab12cd34/home and /a-b/c.d/harness-ab12cd34", "<folder>/home and <folder>"),
    ("/tmp/harness-ab12", "/tmp/harness-ab12"), ("harness-ab12cd34", "harness-ab12cd34"),
])  # fmt: skip
def test_two_runs_read_the_same(text: str, wanted: str) -> None:
    """Addresses and temporary folders are left out, and nothing else."""
    assert steady(text) == wanted


def test_a_verdict_as_json() -> None:
    """What is told of it; what only folding needs, and the time it took, stay out."""
    plain = Verdict("A", "course", HOLDS, examples=7, owner="B", key="k", hung=True, blame="C", seconds=1.5)
    assert plain.to_json() == {
        "id": "A", "tier": "course", "verdict": "holds", "message": "", "counterexample": None, "examples": 7,
    }  # fmt: skip
    shown = Counterexample("A", "course", 1, {"prompts": []}, "script()", "It ends.", "it does not", "step 1", "Look.",
                           ("U",), ({"prompts": [1]},), 3)  # fmt: skip
    assert Verdict("A", "course", FAILS, "no", shown).to_json()["counterexample"] == {
        "schema": "harness-props/counterexample/v1", "property": "A", "tier": "course", "stage": 1, "lesson": 3,
        "sentence": "It ends.", "message": "it does not", "step": "step 1", "hint": "Look.", "trace": ["U"],
        "before": [{"prompts": [1]}], "script": {"prompts": []}, "python": "script()",
    }  # fmt: skip
    assert Verdict("A", "course", FAILS, "no", shown).to_json()["message"] == "no"


def test_the_failure_that_a_verdict_waits_for() -> None:
    """Through any number of steps; whoever waits for nothing has none."""
    known = {v.id: v for v in (verdict("A", FAILS), waiting("B", "A"), waiting("C", "B"), verdict("D", HOLDS))}
    assert root_of(known["B"], known) == "A"
    assert root_of(known["C"], known) == "A"
    assert root_of(known["A"], known) == ""
    assert root_of(known["D"], known) == ""


@pytest.mark.parametrize("message", ["stopped at the first failure, A", "3 properties hung before this one", "", "A", "Z fails, so"])
def test_some_wait_for_no_failure(message: str) -> None:
    """What was cut short, or waits for a property that was not asked for."""
    assert root_of(verdict("B", NOT_REACHED, message), {"": verdict("", ERROR), "Z2": verdict("Z2", FAILS)}) == ""


def test_waiting_for_what_did_not_fail_is_waiting_for_nothing() -> None:
    """Only a failure is a root, and a circle ends."""
    assert root_of(waiting("B", "A"), {"A": verdict("A", HOLDS)}) == ""
    circle = {"A": waiting("A", "B"), "B": waiting("B", "A")}
    assert root_of(circle["A"], circle) == ""


def test_totals_count_every_kind() -> None:
    """Kinds that nothing has are counted as none."""
    found = [verdict("A", HOLDS), verdict("B", HOLDS), verdict("C", FAILS), waiting("D", "C"), verdict("E", ERROR)]
    assert Report("t", "n", "1", Options(), found).totals() == {
        HOLDS: 2, FAILS: 1, NOT_REACHED: 1, NOT_APPLICABLE: 0, ERROR: 1,
    }  # fmt: skip
