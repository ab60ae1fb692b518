"""Hostile files in one class: every cell of the table, nobody harmed, nothing left, to the end.

The whole collection takes a minute or two of CPU time on each rung, so it is graded if HARNESS_PROPS_HOSTILE is
set; else every sixth of them is.
"""

import os
import re

import pytest

from grading.batch.record import ERROR, GRADED
from grading.isolation.ladder import Unavailable, choose
from tests.hostile.table import ATTACKS, Attack
from tests.hostile.together import ADA, SOUND, Graded, cell, grade, told

AS_ROOT = os.geteuid() == 0
CHOSEN = ATTACKS if os.environ.get("HARNESS_PROPS_HOSTILE") else ATTACKS[::6]


def _in_the_class(attack: Attack, rung: str) -> bool:
    """Whether it can be part of a class: not where the table says that it harms whoever it meets."""
    return attack.cell(rung, as_root=AS_ROOT) != "N" or attack.gap not in ("signals", "writes")


@pytest.mark.slow
@pytest.mark.parametrize("rung", ["process", "landlock", "namespace"])
def test_a_class_of_enemies_is_graded_to_its_end(rung: str) -> None:
    """Each file is judged as the table says, none has full marks it does not earn, and nothing is left behind."""
    try:
        choose(rung)
    except Unavailable as reason:
        pytest.skip(str(reason))
    attacks = [attack for attack in CHOSEN if _in_the_class(attack, rung)]
    graded = grade(attacks, rung, *["--trust"] * (rung == "process"))
    assert graded.status == 1, graded.said  # some do not load, and nothing worse
    assert not graded.harm
    assert not graded.left
    assert set(graded.results) == {*SOUND, ADA, *(attack.name for attack in attacks)}
    assert not [name for name, result in graded.results.items() if result.status == ERROR]
    assert {result.isolation.rung for result in graded.results.values()} == {rung}
    _as_asserted(attacks, rung, graded)
    print(f"{len(attacks)} attacks under {rung}: {graded.seconds:.0f} s of CPU time")


def _as_asserted(attacks: list[Attack], rung: str, graded: Graded) -> None:
    """Every cell, what it says, and what the others get."""
    full = graded.results[SOUND[0]].max_score
    for name in SOUND:
        assert (graded.results[name].status, graded.results[name].score) == (GRADED, full), told(graded.results[name])
    assert graded.results[ADA].score == 0
    wrong = {}
    for attack in attacks:
        result, expected = graded.results[attack.name], attack.cell(rung, as_root=AS_ROOT)
        found = cell(attack, result)
        if found != expected or (found == "D" and not re.search(attack.says, told(result))):
            wrong[attack.name] = (expected, found, told(result)[:300])
    assert not wrong
