"""Each property bites: it catches its miniature, and the miniature is well but for its fault."""

import pytest

from grading.engine import examine
from grading.fold import fold
from grading.verdicts import ERROR, FAILS, HOLDS, Options
from properties.registry import COURSE, FIELD, load
from tests.miniatures.planting import GOOD, Miniature, all_miniatures, in_process
from tests.wire_agents.broken import AGENTS

PROPERTIES = load()
MINIATURES = all_miniatures()
NAMES = [m.name for m in MINIATURES]


def test_every_property_has_a_miniature() -> None:
    """No claim without a small broken harness that it catches; for what only programs have it is a program."""
    inside = {id_ for id_, prop in PROPERTIES.items() if in_process(prop)}
    assert {m.property for m in MINIATURES} == inside
    assert {agent.property for agent in AGENTS} >= set(PROPERTIES) - inside


def test_names_are_unique() -> None:
    """A miniature is addressed by its name."""
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("miniature", MINIATURES, ids=NAMES)
def test_the_property_catches_its_miniature(miniature: Miniature) -> None:
    """A hundred examples find the fault, and the message is a sentence."""
    verdict = examine(PROPERTIES[miniature.property], miniature.harness(), Options(tier=FIELD))
    assert verdict.verdict == FAILS, verdict.message
    assert verdict.message
    assert verdict.counterexample is not None


@pytest.mark.slow
@pytest.mark.parametrize("miniature", MINIATURES, ids=NAMES)
def test_the_miniature_is_well_elsewhere(miniature: Miniature) -> None:
    """Outside its chapter no course property fails: what depends on its fault is not reached."""
    harness = miniature.harness()
    options = Options(tier=COURSE, examples=20)
    found = []
    for prop in PROPERTIES.values():
        if prop.tier > COURSE:
            continue
        harness.restart()
        found.append(examine(prop, harness, options))
    chapter = miniature.property.partition("-")[0]
    wrong = {
        v.id: v.message
        for v in fold(found, PROPERTIES)
        if v.verdict in (FAILS, ERROR) and v.id.partition("-")[0] != chapter
    }
    assert not wrong


@pytest.mark.parametrize("miniature", GOOD, ids=[m.name for m in GOOD])
def test_the_good_one_of_a_pair_holds(miniature: Miniature) -> None:
    """A capability that the course shape lacks is shown by a harness that has it and is right."""
    verdict = examine(PROPERTIES[miniature.property], miniature.harness(), Options(tier=FIELD))
    assert verdict.verdict == HOLDS, verdict.message
