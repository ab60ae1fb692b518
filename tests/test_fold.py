"""Folding: one fault is told once, where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from grading.fold import fold, settled
from grading.verdicts import ERROR, FAILS, HOLDS, NOT_APPLICABLE, NOT_REACHED, Counterexample, Verdict
from properties.registry import Property, load


def verdict(id_: str, word: str, message: str = "", **more: Any) -> Verdict:
    return Verdict(id_, "course", word, message, examples=7, **more)


def chain(**after: tuple[str, ...]) -> dict[str, Property]:
    """Properties that come after others."""
    return {id_: Property(id_, "", frozenset(), before, "") for id_, before in after.items()}


def words(found: list[Verdict]) -> dict[str, str]:
    return {v.id: v.verdict for v in found}


ABC = chain(A=(), B=("A",), C=("B",), D=())


def test_what_depends_on_a_failure_is_not_reached() -> None:
    """Through any number of steps, and it says on what."""
    told = fold([verdict("A", FAILS, "a"), verdict("B", HOLDS), verdict("C", FAILS, "c"), verdict("D", HOLDS)], ABC)
    assert words(told) == {"A": FAILS, "B": NOT_REACHED, "C": NOT_REACHED, "D": HOLDS}
    assert [v.message for v in told] == ["a", *["A fails, and this depends on it"] * 2, ""]
    assert [v.examples for v in told] == [7, 0, 0, 7]


def test_the_real_chain() -> None:
    """LOOP-03 comes after LOOP-01, READ-07 does not."""
    found = [verdict("LOOP-01", FAILS), verdict("LOOP-03", HOLDS), verdict("LOOP-04", FAILS), verdict("READ-07", FAILS)]
    assert list(words(fold(found, load())).values()) == [FAILS, NOT_REACHED, NOT_REACHED, FAILS]


def test_the_middle_of_a_chain_may_be_missing() -> None:
    """A property that was not asked for does not hide what stands before it."""
    assert words(fold([verdict("A", FAILS), verdict("C", HOLDS)], ABC)) == {"A": FAILS, "C": HOLDS}
    both = chain(A=(), B=(), C=("gone", "A"))
    assert words(fold([verdict("A", FAILS), verdict("C", HOLDS)], both)) == {"A": FAILS, "C": NOT_REACHED}
    told = fold([verdict("A", FAILS), verdict("B", NOT_APPLICABLE), verdict("C", HOLDS)], ABC)
    assert words(told) == {"A": FAILS, "B": NOT_APPLICABLE, "C": NOT_REACHED}


def test_an_error_is_never_folded_away() -> None:
    """A fault of ours stays visible."""
    assert words(fold([verdict("A", FAILS), verdict("B", ERROR, "ours")], ABC)) == {"A": FAILS, "B": ERROR}


def test_a_circle_of_dependence_ends() -> None:
    """Each points to the other, neither vanishes for ever."""
    circle = chain(A=("B",), B=("A",))
    assert words(fold([verdict("A", HOLDS), verdict("B", HOLDS)], circle)) == {"A": HOLDS, "B": HOLDS}


def test_a_fault_is_told_at_its_owner() -> None:
    """If the owner fails as well; otherwise it stays where it was seen."""
    told = fold([verdict("D", FAILS, "d", owner="A"), verdict("A", FAILS, "a")], ABC)
    assert words(told) == {"D": NOT_REACHED, "A": FAILS}
    assert told[0].message == "A fails, and this depends on it"
    assert words(fold([verdict("D", FAILS, owner="A"), verdict("A", HOLDS)], ABC)) == {"D": FAILS, "A": HOLDS}
    assert words(fold([verdict("D", FAILS, owner="Z")], ABC)) == {"D": FAILS}


def test_owners_of_owners() -> None:
    """The last owner that fails tells it; of those that own each other's the first does."""
    free = chain(A=(), B=(), C=())
    told = fold([verdict("A", FAILS, owner="B"), verdict("B", FAILS, owner="C"), verdict("C", FAILS)], free)
    assert words(told) == {"A": NOT_REACHED, "B": NOT_REACHED, "C": FAILS}
    assert [v.message for v in told[:2]] == ["C fails, and this depends on it"] * 2
    told = fold([verdict("A", FAILS, owner="B"), verdict("B", FAILS, owner="A")], free)
    assert words(told) == {"A": FAILS, "B": NOT_REACHED}
    told = fold([verdict("C", FAILS, owner="A"), verdict("B", FAILS, owner="A"), verdict("A", FAILS, owner="B")], free)
    assert words(told) == {"C": NOT_REACHED, "B": FAILS, "A": NOT_REACHED}
    assert words(fold([verdict("A", FAILS, owner="A")], free)) == {"A": FAILS}


def test_an_owner_that_was_not_reached_passes_it_on() -> None:
    """The fault is told where the owner's own root is told."""
    found = [
        verdict("CUT-04", FAILS, "characters"), verdict("READ-03", HOLDS),
        verdict("BILL-01", FAILS, "too heavy", owner="READ-03"),
    ]  # fmt: skip
    told = fold(found, load())
    assert [v.verdict for v in told] == [FAILS, NOT_REACHED, NOT_REACHED]
    assert told[2].message == "CUT-04 fails, and this depends on it"


def test_of_one_cause_the_first_is_told() -> None:
    """The others point to it; no key is no common cause."""
    told = fold([verdict("A", FAILS, key="k"), verdict("D", FAILS, key="k")], ABC)
    assert words(told) == {"A": FAILS, "D": NOT_REACHED}
    assert words(fold([verdict("A", FAILS), verdict("D", FAILS)], ABC)) == {"A": FAILS, "D": FAILS}
    assert told[1].message == "A fails, and this depends on it"
    free = chain(A=(), B=(), C=(), D=())
    found = [verdict("A", HOLDS, key="k"), verdict("B", FAILS), verdict("C", FAILS, key="k"), verdict("D", FAILS, key="k")]
    told = fold(found, free)
    assert words(told) == {"A": HOLDS, "B": FAILS, "C": FAILS, "D": NOT_REACHED}
    assert told[3].message == "C fails, and this depends on it"


def test_what_a_fresh_process_does_not_show_is_blamed() -> None:
    """The blamed property fails with what was seen, the one that saw it is not reached."""
    free = {**chain(A=(), B=()), **chain(**{"LOOP-14": ()})}
    seen = verdict("A", FAILS, "only after another run", blame="LOOP-14", owner="B")
    told = fold([verdict("B", HOLDS), seen, Verdict("LOOP-14", "field", HOLDS, examples=100)], free)
    assert words(told) == {"B": HOLDS, "A": NOT_REACHED, "LOOP-14": FAILS}
    blamed = told[2]
    assert (blamed.message, blamed.examples, blamed.owner, blamed.blame) == ("only after another run", 100, "", "")
    assert blamed.tier == "field"
    assert told[1].message == "LOOP-14 fails, and this depends on it"


def test_blame_stays_where_nobody_can_take_it() -> None:
    """The blamed property was not asked for, is the very same, or could not be judged."""
    assert words(fold([verdict("A", FAILS, blame="LOOP-14")], ABC)) == {"A": FAILS}
    itself = chain(**{"LOOP-14": ()})
    assert words(fold([verdict("LOOP-14", FAILS, blame="LOOP-14")], itself)) == {"LOOP-14": FAILS}
    both = {**ABC, **itself}
    told = fold([verdict("A", FAILS, blame="LOOP-14"), verdict("LOOP-14", ERROR)], both)
    assert words(told) == {"A": FAILS, "LOOP-14": ERROR}
    told = fold([verdict("A", FAILS, "x", blame="LOOP-14"), verdict("LOOP-14", FAILS, "own")], both)
    assert words(told) == {"A": NOT_REACHED, "LOOP-14": FAILS}
    assert told[1].message == "own"


def test_the_first_failure_ends_it_if_asked() -> None:
    """What was judged after it is not reached; what does not apply stays as it is."""
    found = [verdict("A", HOLDS), verdict("D", FAILS), verdict("E", HOLDS), verdict("F", NOT_APPLICABLE)]
    told = fold(found, chain(A=(), D=(), E=(), F=()), stop_at_first=True)
    assert [v.verdict for v in told] == [HOLDS, FAILS, NOT_REACHED, NOT_APPLICABLE]
    assert told[2].message == "stopped at the first failure, D"
    assert [v.verdict for v in fold(found, chain(A=(), D=(), E=(), F=()))] == [HOLDS, FAILS, HOLDS, NOT_APPLICABLE]


@pytest.mark.parametrize(("hung", "last"), [(2, HOLDS), (3, NOT_REACHED)])
def test_three_hangs_end_it(hung: int, last: str) -> None:
    """Two do not."""
    found = [verdict(str(n), FAILS, hung=n < hung) for n in range(3)] + [verdict("9", HOLDS)]
    told = fold(found, chain(**{v.id: () for v in found}))
    assert told[-1].verdict == last
    assert told[-1].message == ("3 properties hung before this one" if last == NOT_REACHED else "")
    assert [v.verdict for v in told[:3]] == [FAILS] * 3


def test_what_is_not_reached_keeps_nothing_of_its_failure() -> None:
    """No counterexample, key, owner or blame is left to mislead."""
    seen = Counterexample("B", "course", 0, {}, "", "", "")
    failure = verdict("B", FAILS, key="k", hung=True, owner="D", blame="LOOP-14", counterexample=seen)
    told = fold([verdict("A", FAILS), failure], ABC)[1]
    assert (told.counterexample, told.key, told.owner, told.blame, told.hung) == (None, "", "", "", False)


def test_settled_before_it_runs() -> None:
    """Only a failure that is certainly its own settles what comes after it, in any number of steps."""
    assert settled("C", {"A": verdict("A", FAILS), "B": verdict("B", HOLDS)}, ABC)
    assert not settled("D", {"A": verdict("A", FAILS)}, ABC)
    assert not settled("B", {"A": verdict("A", HOLDS)}, ABC)
    assert not settled("B", {"A": verdict("A", FAILS, owner="D")}, ABC)
    assert not settled("B", {"A": verdict("A", FAILS, blame="LOOP-14")}, ABC)
    assert not settled("unknown", {"A": verdict("A", FAILS)}, ABC)
