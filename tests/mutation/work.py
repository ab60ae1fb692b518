"""The folder that mutmut works in: a copy with a configuration of its own, made afresh each time."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("harness_ref", "properties", "strategies", "adapters", "grading", "tests", "docs", "examples",
         "benchmarks", "conftest.py", "README.md", "tox.ini")  # fmt: skip


LONGER = 3  # times the time of the first run, for a mutant that seems never to end


@dataclass(frozen=True)
class Job:
    """What is mutated (files and folders, glob patterns within them) and which tests judge it."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    score: float = 1.0  # the share that has to be killed
    reviewed: bool = True  # whether survivors may be listed as equivalent
    only: tuple[str, ...] = ()
    options: str = ""  # of pytest's, beside those that every job has
    patience: float = 10.0  # a mutant may take this many times the tests' own time, and five seconds

    @property
    def folder(self) -> Path:
        """Where mutmut runs."""
        return ROOT / ".mutation" / self.name


REFERENCE = Job("reference", ("harness_ref",), ("properties",))
PURE = ("adapters/strict.py", "adapters/normal.py", "adapters/child/codec.py", "adapters/child/decoding.py",
        "adapters/child/pool.py", "strategies/notices.py", "grading/fold.py", "grading/verdicts.py")  # fmt: skip
SUITE = Job(
    "suite", ("adapters", "strategies", "grading"),
    ("tests/test_strict.py", "tests/test_codec.py", "tests/test_wire.py", "tests/test_wire_graphs.py",
     "tests/test_decoding.py", "tests/test_pool.py", "tests/test_pure.py", "tests/test_fold.py", "tests/test_verdicts.py"),
    score=0.95, reviewed=False, only=PURE, options="--hypothesis-profile=mutation", patience=4.0,
)  # fmt: skip
JOBS = {job.name: job for job in (REFERENCE, SUITE)}


def shard(text: str) -> tuple[int, int]:
    """K and N of "K/N", from 1 on. Raises ValueError for anything else."""
    number, _, of = text.partition("/")
    if not 1 <= int(number) <= int(of):
        raise ValueError(f"{text!r} is no K/N")
    return int(number), int(of)


def part(job: Job, number: int, of: int) -> list[str]:
    """Patterns for the mutants of every `of`-th module that has functions, the `number`-th one first."""
    files = [file for source in job.sources for file in sorted((ROOT / source).rglob("*.py"))]
    files = [file for file in files if not job.only or str(file.relative_to(ROOT)) in job.only]
    modules = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files if _functions(file)]
    if of > len(modules):
        raise ValueError(f"{job.name} has {len(modules)} modules, too few for {of} parts")
    return [f"{module}.*" for module in modules[number - 1 :: of]]


def _functions(file: Path) -> bool:
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(file.read_text())))


def prepare(job: Job) -> Path:
    """A fresh copy of the project for this job; what an earlier run left there is deleted."""
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True)
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc", ".*_cache", "node_modules")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, job.folder / part, ignore=ignore)
        else:
            shutil.copy2(source, job.folder / part)
    (job.folder / "pyproject.toml").write_text(configuration(job))
    return job.folder


def configuration(job: Job, *, again: bool = False) -> str:
    """The project file of the copy: mutmut's settings, and pytest without options of ours.

    What timed out runs `again` with more time: on a busy machine a slow mutant is no endless one.
    """
    copied = [part for part in PARTS if part not in job.sources]
    settings = {
        "source_paths": list(job.sources), "only_mutate": list(job.only),
        "pytest_add_cli_args_test_selection": list(job.tests), "also_copy": copied,
        "process_isolation": "forkserver", "timeout_multiplier": job.patience * (LONGER if again else 1), "timeout_constant": 5.0,
    }  # fmt: skip
    kept = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    options = f"-p no:cacheprovider {job.options}".strip()
    sections = {"mutmut": settings, "pytest.ini_options": {**kept, "addopts": options}}
    return "\n".join(
        f"[tool.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in section.items())
        for name, section in sections.items()
    )


def run_mutmut(folder: Path, *arguments: str, log: Path) -> int:
    """Run mutmut in the folder, what it says going to `log`; its exit status, which says little."""
    with log.open("ab") as said:
        command = [sys.executable, "-m", "mutmut", "run", *arguments]
        return subprocess.run(command, cwd=folder, stdout=said, stderr=said, check=False).returncode
