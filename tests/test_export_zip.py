"""The autograder zip: what is in it, that it is the same each time, and that its scripts grade."""

import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grading.cli import app
from grading.export.packing import pins, running, wheel
from grading.export.zipping import autograder, rubric_files
from grading.isolation.ladder import Unavailable, choose
from grading.leave import BadCall
from properties.registry import load
from tests.test_cli import FIRST_ONLY
from tests.test_export_formats import schema

run = CliRunner().invoke
FEW = 'only = ["LOOP-01", "LOOP-03", "LOOP-04", "HELP-01"]\n[visibility]\nHELP-01 = "hidden"\n'


@pytest.fixture(scope="module")
def made() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(autograder({"rubric.toml": FEW.encode()}, examples=5)))


@pytest.fixture(scope="module")
def layout(made, tmp_path_factory) -> Path:
    """The platform's folders after its build: the zip unpacked, and the wheel where setup.sh puts it."""
    root = tmp_path_factory.mktemp("autograder")
    for name in ("source", "submission", "results", "venv/bin"):
        (root / name).mkdir(parents=True)
    made.extractall(root / "source")
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    (found,) = (root / "source" / "wheels").glob("*.whl")
    zipfile.ZipFile(found).extractall(root / "venv" / "lib")
    command = root / "venv" / "bin" / "harness-props"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{root}/venv/lib" exec "{sys.executable}" -m grading.cli "$@"\n')
    command.chmod(0o755)
    return root


def graded(root: Path, text: str) -> "subprocess.CompletedProcess[str]":
    """run_autograder on a submission of this text."""
    (root / "submission" / "harness.py").write_text(text)
    environment = {**os.environ, "AUTOGRADER_ROOT": str(root)}
    return subprocess.run(["bash", str(root / "run_autograder")], cwd=root, env=environment, text=True,
                          capture_output=True, check=False, timeout=120)  # fmt: skip


def test_what_the_platform_wants_is_at_the_root(made):
    """setup.sh and run_autograder are executable files at the root, beside pins and the wheel."""
    assert {"setup.sh", "run_autograder", "requirements.txt", f"wheels/{running().wheel}"} <= set(made.namelist())
    modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in made.infolist()}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert modes["requirements.txt"] == 0o644


@pytest.mark.parametrize("name", ["setup.sh", "run_autograder"])
def test_the_scripts_are_whole(made, name):
    """bash reads them without complaint, nothing is left to be filled in, and they stop at errors."""
    text = made.read(name).decode()
    assert subprocess.run(["bash", "-n"], input=text, text=True, check=True, capture_output=True).stderr == ""
    assert "@" not in text.replace('"$@"', "")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text


def test_the_run_is_behind_landlock_with_the_examples_asked_for(made):
    """The isolation is named, never left to chance, and the options are those of the command line."""
    asked = '--isolation landlock --format gradescope --quiet --rubric "$source/rubric.toml" --examples 5 ||'
    assert asked in made.read("run_autograder").decode()


def test_every_package_is_pinned_as_installed_here(made):
    """requirements.txt holds the whole closure with exact versions, and the wheel itself."""
    lines = made.read("requirements.txt").decode().splitlines()
    assert lines[-1] == f"./wheels/{running().wheel}"
    found = dict(line.split("==") for line in lines[:-1])
    assert {"hypothesis", "rich", "typer", "packaging", "sortedcontainers", "markdown-it-py"} <= set(found)
    assert all(version(name) == wanted for name, wanted in found.items())


def test_a_package_that_is_not_installed_is_named():
    """A need without an installed version is one clear sentence; a need for another system is none."""
    assert pins(("rich; sys_platform == 'nowhere'",)) == {}
    with pytest.raises(BadCall, match="no-such-package is needed but not installed"):
        pins(("no-such-package>=1",))


def test_the_wheel_lists_its_files_truly(made):
    """Each file stands in RECORD with its hash and size, and data files are there as well as code."""
    held = zipfile.ZipFile(io.BytesIO(made.read(f"wheels/{running().wheel}")))
    (record,) = (name for name in held.namelist() if name.endswith("/RECORD"))
    listed = dict(line.split(",", 1) for line in held.read(record).decode().splitlines())
    assert set(listed) == set(held.namelist())
    for name in set(listed) - {record}:
        data = held.read(name)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert listed[name] == f"sha256={digest},{len(data)}"
    assert "grading/export/autograder/setup.sh" in listed
    assert not any("__pycache__" in name for name in listed)


def test_the_wheel_runs_by_itself(layout):
    """The suite as unpacked from the zip runs without the checkout and finds all of its own files."""
    command = [str(layout / "venv" / "bin" / "harness-props"), "list"]
    said = subprocess.run(command, cwd=layout, text=True, capture_output=True, check=True, timeout=60)
    assert [line.split("\t")[0] for line in said.stdout.splitlines()] == list(load())


def test_the_same_zip_each_time(tmp_path):
    """Two zips are equal byte for byte, another rubric makes another one, and the file is the bytes."""
    rubric = tmp_path / "rubric.toml"
    rubric.write_text('set = "2026.1"\n')
    paths = [tmp_path / "a.zip", tmp_path / "b.zip"]
    for path in paths:
        said = run(app, ["gradescope-zip", "-o", str(path)])
        assert said.exit_code == 0, said.output
        assert "KB" in said.stdout
    assert paths[0].read_bytes() == paths[1].read_bytes()
    other = autograder(rubric_files(str(rubric)))
    assert other != paths[0].read_bytes()
    held = zipfile.ZipFile(io.BytesIO(other))
    assert held.read("rubric.toml") == rubric.read_bytes()
    assert '--rubric "$source/rubric.toml" ||' in held.read("run_autograder").decode()


def test_a_secret_seed_comes_along(tmp_path):
    """The file with the seed is packed beside the rubric; one elsewhere is refused and not shown."""
    rubric, seed = tmp_path / "rubric.toml", tmp_path / "six.seed"
    rubric.write_text('secret_seed_file = "six.seed"\n')
    seed.write_text("nobody knows this one")
    (tmp_path / "a").mkdir()
    for name in ("a/b", "run_autograder", "../six.seed"):
        (tmp_path / name).write_text("nobody knows this one")
    held = zipfile.ZipFile(io.BytesIO(autograder(rubric_files(str(rubric)), file_name="my harness.py")))
    assert held.read("six.seed") == seed.read_bytes()
    assert "--file-name 'my harness.py' ||" in held.read("run_autograder").decode()
    for elsewhere in ("../six.seed", str(seed), "a/b", "run_autograder"):
        rubric.write_text(f'secret_seed_file = "{elsewhere}"\n')
        with pytest.raises(BadCall, match="beside the rubric"):
            rubric_files(str(rubric))


def test_a_rubric_that_cannot_be_used_is_one_line(tmp_path):
    """A missing rubric, one that is no TOML, and a folder that is not there end in 2 and say so."""
    bad = tmp_path / "bad.toml"
    bad.write_text("points = \n")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("point = 3\n")
    for arguments, told in (
        (["-o", "a.zip", "--rubric", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["-o", "a.zip", "--rubric", str(bad)], "not TOML"),
        (["-o", "a.zip", "--rubric", str(wrong)], "no such key"),
        (["-o", str(tmp_path / "no" / "a.zip")], "there is no folder"),
    ):
        said = run(app, ["gradescope-zip", *arguments])
        assert said.exit_code == 2
        assert told in said.stderr
        assert said.stderr.count("\n") == 1


def test_a_broken_grader_leaves_no_grade(layout):
    """If the grader cannot work there is no results.json, an older one is gone, and the status is not 0."""
    rubric = layout / "source" / "rubric.toml"
    (layout / "results" / "results.json").write_text("{}")
    rubric.write_text("points = \n")
    try:
        said = graded(layout, "x = 1\n")
    finally:
        rubric.write_text(FEW)
    assert said.returncode == 2
    assert "could not grade" in said.stderr
    assert not list((layout / "results").iterdir())
    assert (layout / "results").stat().st_mode & 0o777 == 0o700
    assert (layout / "source").stat().st_mode & 0o077 == 0


def test_a_submission_is_graded_end_to_end(layout):
    """The script leaves a results.json with one test per property, and the failing one is told."""
    try:
        choose("landlock")
    except Unavailable as why:  # the autograder insists on this rung; a kernel may lack landlock
        pytest.skip(str(why))
    said = graded(layout, FIRST_ONLY)
    assert said.returncode == 0, said.stderr
    made = json.loads((layout / "results" / "results.json").read_text())
    schema("gradescope").validate(made)
    tests = {test["extra_data"]["id"]: test for test in made["tests"]}
    kinds = {id_: test["extra_data"]["verdict"] for id_, test in tests.items()}
    assert kinds == {"LOOP-01": "not reached", "LOOP-03": "fails", "LOOP-04": "not reached", "HELP-01": "holds"}
    assert tests["HELP-01"]["visibility"] == "hidden"
    assert made["extra_data"]["isolation"] == "landlock"
    assert 0 < made["score"] < made["extra_data"]["max_score"] == 4
    assert [path.name for path in (layout / "results").iterdir()] == ["results.json"]


def test_the_wheel_needs_no_checkout():
    """The wheel's bytes depend on the packages' files alone."""
    suite = running()
    assert wheel(suite) == wheel(suite)
    assert {"grading", "properties", "adapters", "strategies", "harness_ref"} == set(suite.folders)
