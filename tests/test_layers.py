"""The layer rule: who may import whom."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("harness_ref", "strategies", "adapters", "properties", "grading", "tests")
FORBIDDEN = {
    "harness_ref": {"strategies", "adapters", "properties", "grading", "tests"},
    "strategies": {"harness_ref", "adapters", "properties", "grading", "tests"},
    "adapters": {"properties", "grading", "tests"},
    "properties": {"harness_ref", "grading", "tests"},
    "grading": {"harness_ref", "tests"},
}


def imported(path: Path) -> set[str]:
    """The top-level names that a file imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


def sources(part: str) -> list[Path]:
    """The Python files of a part; those that came with a JavaScript library are not its own."""
    return [path for path in (ROOT / part).rglob("*.py") if "node_modules" not in path.parts]


@pytest.mark.parametrize("part", FORBIDDEN)
def test_a_part_imports_only_what_it_may(part: str) -> None:
    """Data flows one way: strategies know no adapter, adapters no property, nobody the grading."""
    for path in sources(part):
        wrong = imported(path) & FORBIDDEN[part]
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


def test_only_the_reference_adapter_imports_the_reference() -> None:
    """The reference harness is one more implementation: a single adapter reaches it."""
    users = [
        path.relative_to(ROOT).as_posix()
        for part in PARTS[1:]
        for path in sources(part)
        if "harness_ref" in imported(path)
    ]
    assert not users, f"these import harness_ref by name: {users}"
    assert '"harness_ref"' in (ROOT / "adapters" / "reference.py").read_text()


def test_the_child_knows_nothing_of_the_suite() -> None:
    """What runs in the harness's process imports the standard library and nothing else."""
    inside = ROOT / "grading" / "isolation" / "inside"
    for path in (*(ROOT / "adapters" / "child").glob("*.py"), *inside.glob("*.py")):
        assert not imported(path) & set(PARTS), path.name
