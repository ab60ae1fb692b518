"""The mutation gate: judged from result files, strict about runs that prove nothing."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.mutation import judge
from tests.mutation.work import JOBS, PURE, REFERENCE, ROOT, SUITE, configuration, part, shard

OWN = ROOT / "docs" / "mutation-suite.json"
RESULTS = {"harness_ref.text.x_sendable__mutmut_1": 1, "harness_ref.text.x_clipped__mutmut_2": 0}


def folder_with(tmp_path: Path, codes: dict[str, int | None]) -> Path:
    """A folder as mutmut leaves it."""
    meta = tmp_path / "mutants" / "harness_ref" / "text.py.meta"
    meta.parent.mkdir(parents=True)
    meta.write_text(json.dumps({"exit_code_by_key": codes}))
    return tmp_path


def test_results_are_read_from_the_files(tmp_path: Path) -> None:
    """Exit codes of the test runs decide."""
    first, second = judge.results(folder_with(tmp_path, dict(RESULTS)))
    assert (first.status, first.function, first.module) == ("killed", "sendable", "harness_ref.text")
    assert (second.status, second.function) == ("survived", "clipped")
    assert [m.name for m in judge.results(tmp_path, ["*clipped*"])] == [second.name]


@pytest.mark.parametrize("code", [None, 3, 5, 33, 34, 35, -11])
def test_a_mutant_that_was_not_judged_is_no_evidence(tmp_path: Path, code: int | None) -> None:
    """Not checked, broken by the suite, no tests, skipped, suspicious: the run counts for nothing."""
    with pytest.raises(judge.NoResult, match="x_reason__mutmut_1"):
        judge.results(folder_with(tmp_path, {**RESULTS, "harness_ref.text.x_reason__mutmut_1": code}))


def test_an_empty_run_is_no_evidence(tmp_path: Path) -> None:
    """A run that was aborted before its first mutant leaves nothing."""
    with pytest.raises(judge.NoResult, match="no result"):
        judge.results(tmp_path)


def test_who_killed_whom(tmp_path: Path) -> None:
    """The first property in the list counts."""
    folder_with(tmp_path, dict(RESULTS))
    (tmp_path / "mutants" / "killers.tsv").write_text("a\tLOOP-01\t3\na\tLOOP-02\t1\nb\tCUT-01\t2\n")
    assert judge.killers(tmp_path) == {"a": "LOOP-01", "b": "CUT-01"}


def test_logical_lines_leave_out_what_does_nothing() -> None:
    """Imports and doc strings are no lines."""
    assert judge.logical_lines('"""Doc."""\nimport os\n\n\ndef f():\n    """Doc."""\n    return 1\n') == 2


def test_every_listed_equivalent_names_a_function_and_a_reason() -> None:
    """An entry is keyed by function and words, never by number, and still matches the source."""
    for (function, before, _), reason in judge.listed().items():
        module, _, name = function.partition(".")
        source = (ROOT / "harness_ref" / f"{module}.py").read_text()
        assert any(n.name == name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef))
        assert all(line in source for line in before.splitlines()), function
        assert len(reason) > 20, function


def test_shards_are_the_whole_together() -> None:
    """Each module with functions is in one of them."""
    whole = part(REFERENCE, 1, 1)
    assert "harness_ref.loop.*" in whole
    assert sorted(p for k in range(1, 5) for p in part(REFERENCE, k, 4)) == sorted(whole)
    assert shard("2/4") == (2, 4)
    with pytest.raises(ValueError, match="too few"):
        part(REFERENCE, 1, 99)


@pytest.mark.parametrize("text", ["0/4", "5/4", "2", "a/b", ""])
def test_what_is_no_shard(text: str) -> None:
    """It is refused before anything is run."""
    with pytest.raises(ValueError, match=r"."):
        shard(text)


def test_nothing_keeps_mutmut_out() -> None:
    """No pragma, no decorator in the reference, and no exclusion in the configuration."""
    for path in (ROOT / "harness_ref").glob("*.py"):
        source = path.read_text()
        assert "pragma" not in source
        functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
        assert not any(f.decorator_list for f in functions), path.name
    for job in JOBS.values():
        assert "do_not_mutate" not in configuration(job)
    assert 'source_paths = ["harness_ref"]' in configuration(REFERENCE)


@pytest.mark.skipif(not OWN.exists(), reason="not measured yet: tox -e mutants-suite")
def test_the_shipped_figures_of_our_own_code_meet_the_gate() -> None:
    """Every pure module was measured, all of it was judged, and enough of it was killed."""
    data = json.loads(OWN.read_text())
    assert set(data["modules"]) == {file.removesuffix(".py").replace("/", ".") for file in PURE}
    assert data["mutants"] == sum(row["killed"] + row["survived"] for row in data["modules"].values())
    assert len(data["survivors"]) == sum(row["survived"] for row in data["modules"].values())
    assert not data["equivalent"]
    assert 1 - len(data["survivors"]) / data["mutants"] >= SUITE.score == 0.95


def test_what_judges_our_own_code_is_there() -> None:
    """Each file that is mutated and each that judges exists; a run of the tests draws the same each time."""
    assert all((ROOT / file).is_file() for file in (*SUITE.only, *SUITE.tests))
    assert "--hypothesis-profile=mutation" in configuration(SUITE)


def test_what_timed_out_gets_more_time() -> None:
    """The second run differs from the first in nothing else."""
    first, second = (configuration(SUITE, again=again).splitlines() for again in (False, True))
    [(before, after)] = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    assert before == f"timeout_multiplier = {SUITE.patience}"
    assert after == f"timeout_multiplier = {3 * SUITE.patience}"
