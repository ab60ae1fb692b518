"""Every hostile file on every rung that this machine has: the cell of the table, and nothing left behind."""

import os
import re
import tempfile
from pathlib import Path

import pytest

from grading.isolation.gaps import gaps
from grading.isolation.ladder import NAMES, Rung, Unavailable, choose
from tests.hostile.limits import lower
from tests.hostile.run import Scene, play, scene, watching
from tests.hostile.table import ATTACKS, CELLS, COLUMNS, FILES, Attack

RUNGS = [name for name in NAMES if name not in ("auto", "container")]
AS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def place():
    """The scene of all attacks; what a child may take is little here, so that each is over soon."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="scene-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        for name in ("scene", "children"):
            Path(folder, name).mkdir()
        patch.setattr(tempfile, "tempdir", f"{folder}/children")
        lower(patch.setattr)
        patch.setenv("HOSTILE_SECRET", "of the grader")
        with watching(patch), scene(Path(folder, "scene")) as found:
            yield found


@pytest.fixture(scope="module")
def rungs() -> dict[str, Rung | str]:
    """Each rung, or why this machine does not have it."""
    found: dict[str, Rung | str] = {}
    for name in RUNGS:
        try:
            found[name] = choose(name)
        except Unavailable as reason:
            found[name] = str(reason)
    return found


def _cells():
    """Every cell; where all rungs say the same, the quick part of the tests asks the weakest alone."""
    for attack in ATTACKS:
        for rung in RUNGS:
            again = rung != "process" and len(set(attack.cells)) == 1
            yield pytest.param(attack, rung, id=f"{attack.name}-{rung}", marks=[pytest.mark.slow] * again)


@pytest.mark.parametrize(("attack", "rung"), [*_cells()])
def test_the_cell_is_as_the_table_says(attack: Attack, rung: str, place: Scene, rungs: dict[str, Rung | str]) -> None:
    """The verdict is the right one, nobody else is harmed, and no process and no file stays."""
    there = rungs[rung]
    if isinstance(there, str):
        pytest.skip(there)
    outcome = play(attack, there, place)
    expected = attack.cell(rung, as_root=AS_ROOT)
    assert outcome.cell == expected, (outcome.verdict.message, outcome.harm, outcome.left)
    assert outcome.verdict.verdict in ("holds", "fails"), outcome.verdict.message
    if expected == "D":
        assert re.search(attack.says, outcome.verdict.message), outcome.verdict.message
    if expected != "N":
        assert not outcome.left


def test_the_batch_goes_on(place: Scene, rungs: dict[str, Rung | str]) -> None:
    """After all of them a sound file is still judged as sound."""
    for there in rungs.values():
        if isinstance(there, Rung):
            assert play(Attack("reads_the_environment", "CCCCC"), there, place).verdict.verdict == "holds"


def test_every_file_is_in_the_table_once() -> None:
    """There are many of them, each says what it tries, and each cell is one of three letters."""
    names = [attack.name for attack in ATTACKS]
    assert sorted(names) == sorted(path.stem for path in FILES.glob("*.py"))
    assert len(names) >= 40
    for attack in ATTACKS:
        assert attack.tries.endswith(".")
        assert len(attack.cells) == len(COLUMNS)
        assert set(attack.cells) <= set(CELLS)


@pytest.mark.parametrize("as_root", [True, False])
@pytest.mark.parametrize("rung", NAMES[1:])
def test_a_rung_says_what_it_does_not_contain(rung: str, as_root: bool) -> None:
    """What gets through according to the table is among what a report says of the rung."""
    through = {attack.gap for attack in ATTACKS if attack.cell(rung, as_root=as_root) == "N"}
    assert through <= gaps(rung, as_root=as_root)
