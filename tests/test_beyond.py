"""Looking past a failure: what depends on it is judged on the scripts that do not break it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

from adapters.contract import AdapterError, Hung
from grading import beyond as looked
from grading.beyond import Beyond, Known, beyond
from grading.engine import examine
from grading.run import Target, check
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_REACHED, Options, Verdict
from properties.checks import Violation
from properties.registry import FIELD, Property, Stage
from properties.story import Crashed

OPTIONS = Options(int(FIELD), examples=40)
SAMPLE = Path(__file__).parents[1] / "examples" / "student_harness.py"
CALLS = ("in tool_calls(reply):\n            ", "in tool_calls(reply)[::-1]:\n            ")
WORDS = ('"content": str(problem), "is_error": True', '"content": "", "is_error": True')


class Numbers:
    """A harness that is a number of faults: scripts are whole numbers."""

    def __init__(self) -> None:
        self.about, self.capabilities, self.policies = SimpleNamespace(name="n", version=""), frozenset(), {}

    def restart(self) -> None:
        """Nothing is kept."""


def prop(
    id_: str, *fails_from: int, after: tuple[str, ...] = (), hangs: bool = False, owner: str = ""
) -> Property:  # fmt: skip
    """A property that the numbers from one on break; the fault may belong to another."""

    def judge(script: int, _harness: Any) -> None:
        if fails_from and fails_from[0] <= script:
            if hangs:
                raise Hung("it does not end")
            raise Violation(f"{id_}: {script}", owner=owner)

    made = Property(id_, "a test", frozenset(), after, "")
    made.stages.append(Stage(FIELD, "It holds.", judge, st.integers(0, 200), ()))
    return made


def looked_at(monkeypatch: pytest.MonkeyPatch, *props: Property) -> dict[str, Verdict]:
    """The verdicts on these, the first time with what depends on a failure not reached."""
    known = {one.id: one for one in props}
    monkeypatch.setattr(looked, "load", lambda: known)
    first, failing = [], ""
    for one in props:
        failed = any(before in [v.id for v in first if v.verdict != HOLDS] for before in one.after)
        told = Verdict(one.id, "field", NOT_REACHED, f"{failing} fails, and this depends on it")
        first.append(told if failed else examine(one, Numbers(), OPTIONS))
        failing = failing or (first[-1].id if first[-1].verdict == FAILS else "")

    def judge(ids: list[str], seen: Known) -> list[Verdict]:
        return [Beyond(known[id_], Numbers(), OPTIONS, seen).verdict() for id_ in ids]

    return {v.id: v for v in beyond(first, known, judge)}


def test_what_breaks_the_first_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A property that fails nowhere else holds, and it is said on how many scripts."""
    told = looked_at(monkeypatch, prop("A-01", 100), prop("A-02", 150, after=("A-01",)))
    assert told["A-01"].verdict == FAILS
    assert told["A-02"].verdict == HOLDS
    assert "others break A-01" in told["A-02"].message


def test_a_fault_of_its_own_is_found_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest script is one that does not break what it depends on, also over several steps."""
    told = looked_at(
        monkeypatch, prop("A-01", 100), prop("A-02", after=("A-01",)), prop("A-03", 50, after=("A-02",)),
        prop("A-04", 20, after=("A-03",)),
    )  # fmt: skip
    assert [told[f"A-0{n}"].verdict for n in (1, 2, 3, 4)] == [FAILS, HOLDS, FAILS, FAILS]
    shown = [told[id_].counterexample for id_ in ("A-03", "A-04")]
    assert [one.script for one in shown if one] == [50, 20]


def test_what_failed_first_stays_where_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if its fault is said to belong to a property that is then found to fail."""
    told = looked_at(
        monkeypatch, prop("A-01", 100, owner="A-02"), prop("A-02", 50, after=("A-01",)),
        prop("A-03", 100, after=("A-02",)),
    )  # fmt: skip
    assert [told[f"A-0{n}"].verdict for n in (1, 2, 3)] == [FAILS, FAILS, HOLDS]


def test_what_a_failure_says_of_this_property_is_not_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that breaks the one before only for this one's fault still shows this one's fault."""

    def first(script: int, _: Any) -> None:
        if script >= 100:
            raise Violation("it is changed", owner="" if script >= 150 else "A-02")

    before, after = prop("A-01"), prop("A-02", 100, after=("A-01",))
    before.stages[0] = replace(before.stages[0], judge=first)
    monkeypatch.setattr(looked, "load", lambda: {"A-01": before, "A-02": after})
    told = Beyond(after, Numbers(), OPTIONS, Known(("A-01",))).verdict()
    assert told.verdict == FAILS
    assert told.counterexample and told.counterexample.script == 100


def test_an_adapter_that_breaks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It breaks while another property is asked about a script: that is nobody's failure."""

    def first(script: int, _: Any) -> None:
        if script >= 100:
            raise Violation("too large")
        raise AdapterError("the adapter broke")

    before, after = prop("A-01"), prop("A-02", 50, after=("A-01",))
    before.stages[0] = replace(before.stages[0], judge=first)
    monkeypatch.setattr(looked, "load", lambda: {"A-01": before, "A-02": after})
    told = Beyond(after, Numbers(), OPTIONS, Known(("A-01",))).verdict()
    assert told.verdict == ERROR
    assert "the adapter broke" in told.message


def test_a_fault_is_told_where_its_cause_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the key of a crash, and by the property that hung."""
    known = Known.of([
        Verdict("A-01", "field", FAILS), Verdict("A-02", "field", FAILS, key="crash"),
        Verdict("A-03", "field", FAILS, hung=True), Verdict("A-04", "field", HOLDS, key="none"),
    ])  # fmt: skip
    assert known == Known(("A-01", "A-02", "A-03"), (("crash", "A-02"),), "A-03")

    def crashes(script: int, _: Any) -> None:
        if script > 50:
            raise Crashed("it broke", "crash")

    one = prop("A-05")
    one.stages[0] = replace(one.stages[0], judge=crashes)
    monkeypatch.setattr(looked, "load", lambda: {"A-05": one})
    told = Beyond(one, Numbers(), OPTIONS, known).verdict()
    assert told.verdict == HOLDS
    assert told.message.endswith("others break A-02")


def test_nothing_is_said_where_every_script_breaks_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays not reached, and says because of what."""
    told = looked_at(monkeypatch, prop("A-01", 0), prop("A-02", 0, after=("A-01",)))
    assert told["A-02"].verdict == NOT_REACHED
    assert told["A-02"].message.startswith("A-01 fails")


def test_a_known_hang_is_waited_for_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that do not end are dear; what is then known of the rest is not enough for a verdict."""
    told = looked_at(monkeypatch, prop("A-01", 0, hangs=True), prop("A-02", 0, after=("A-01",), hangs=True))
    assert told["A-01"].hung
    assert told["A-02"].verdict == NOT_REACHED


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_whole_check_goes_on_where_it_is_asked(jobs: int, tmp_path: Path) -> None:
    """In turn and side by side alike; without it the first fault alone is told."""
    text = SAMPLE.read_text(encoding="utf-8")
    for old, new in (CALLS, WORDS):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "harness.py"
    path.write_text(text, encoding="utf-8")
    options = Options(int(FIELD), examples=20, only=("LOOP-0[1357]", "TOOL-01", "TOOL-05"))
    shy = {v.id: v for v in check(Target(str(path)), options, jobs=jobs).verdicts}
    bold = {v.id: v for v in check(Target(str(path)), replace(options, keep_going=True), jobs=jobs).verdicts}
    assert {shy["LOOP-03"].verdict, bold["LOOP-03"].verdict} == {FAILS}
    assert shy["TOOL-05"].verdict == NOT_REACHED
    assert bold["TOOL-05"].verdict == FAILS
    assert bold["LOOP-05"].verdict == HOLDS
