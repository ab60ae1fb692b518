"""Sample student harnesses: the good ones hold, each bad one fails the right property.

The samples lie outside the repository, in the folder that HARNESS_PROPS_ZOO names.
"""

import json
import os
from pathlib import Path

import pytest

from grading.run import Target, check
from grading.verdicts import ERROR, FAILS, Options, Report
from properties.registry import COURSE, load
from strategies.printing import from_json
from strategies.sizes import weight

ZOO = Path(os.environ.get("HARNESS_PROPS_ZOO", "/nowhere"))
EXPECTED: dict[str, list[str]] = json.loads((Path(__file__).parent / "zoo.json").read_text())
GOOD = sorted(ZOO.glob("good/*.py"))
BAD = sorted(ZOO.glob("bad/*.py"))
SEEDS = [int(s) for s in os.environ.get("HARNESS_PROPS_ZOO_SEEDS", "0").split(",")]
pytestmark = pytest.mark.skipif(not BAD, reason="HARNESS_PROPS_ZOO names no folder with samples")


def judged(path: Path, seed: int, only: tuple[str, ...] = ()) -> Report:
    return check(Target(str(path)), Options(tier=COURSE, seed=seed, examples=100, only=only))


def with_all_before(ids: list[str]) -> tuple[str, ...]:
    """These properties and all that they come after, in any number of steps."""
    known, found, waiting = load(), set[str](), list(ids)
    while waiting:
        id_ = waiting.pop()
        if id_ not in found:
            found.add(id_)
            waiting += known[id_].after
    return tuple(sorted(found))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_a_good_sample_holds(path: Path, seed: int) -> None:
    """No false alarm: every course property holds."""
    report = judged(path, seed)
    assert not {v.id: v.message for v in report.verdicts if v.verdict in (FAILS, ERROR)}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_a_bad_sample_fails_the_right_property(path: Path, seed: int) -> None:
    """Each bug fails a property that is about it, and nothing breaks on our side.

    Judged are the expected properties and what they depend on; with HARNESS_PROPS_ZOO_WHOLE all.
    """
    whole = os.environ.get("HARNESS_PROPS_ZOO_WHOLE")
    report = judged(path, seed, () if whole else with_all_before(EXPECTED[path.stem]))
    failing = {v.id: v.message for v in report.verdicts if v.verdict == FAILS}
    assert not report.totals()[ERROR]
    assert set(failing) & set(EXPECTED[path.stem]), failing


@pytest.mark.slow
# Takes as long as all other tests of samples together, so it is asked for by name.
@pytest.mark.skipif(not os.environ.get("HARNESS_PROPS_ZOO_SIZES"), reason="judges all samples a second time")
def test_counterexamples_are_small() -> None:
    """For at least 34 of 40 samples: at most 3 replies, 3 calls and 4 file lines."""
    large = {}
    for path in BAD:
        shown = [v.counterexample for v in judged(path, 0).verdicts if v.counterexample and v.id in EXPECTED[path.stem]]
        best = min((weight(from_json(c.script)) for c in shown), key=sum)
        if best[0] > 3 or best[1] > 3 or best[2] > 4:
            large[path.stem] = best
    assert len(large) <= 6, large
