"""`harness-props gradescope-zip`: an autograder zip that is ready to be uploaded."""

from __future__ import annotations

import platform
import shlex
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from grading.batch.points import plan
from grading.batch.rubric import read
from grading.export.packing import archive, pins, running, wheel
from grading.formats import writable, write
from grading.leave import OK, BadCall
from properties.registry import load

SCRIPTS = Path(__file__).with_name("autograder")
PROGRAMS = frozenset({"setup.sh", "run_autograder"})
RUBRIC = "rubric.toml"  # its name in the zip
TAKEN = ("README.txt", "requirements.txt", "wheels")  # other names there
_ABOUT = """\
An autograder for Gradescope, made by harness-props gradescope-zip.

setup.sh          installs Python and the suite when the image is built
run_autograder    grades one submission and writes results.json
requirements.txt  the exact versions that are installed
wheels/           the suite itself
rubric.toml       the rubric, if one was given; with a secret seed, keep this zip to yourself
"""


def gradescope_zip(output: str, *, rubric: str | None, examples: int | None, file_name: str | None) -> int:
    """Write the zip to `output` and say how large it is. Raises BadCall or Unwritable."""
    writable(output)
    files = rubric_files(rubric) if rubric else {}
    made = autograder(files, examples=examples, file_name=file_name)
    write(output, made)
    sys.stdout.write(f"{output}: {len(made) // 1024:,} KB, ready to be uploaded as a Gradescope autograder\n")
    return OK


def autograder(
    files: Mapping[str, bytes], *, examples: int | None = None, file_name: str | None = None
) -> bytes:
    """The zip's bytes: the same suite, versions, files and options give the same ones.

    `files` are the rubric, under the name that RUBRIC is, and what belongs to it; none for the
    suite's own rubric.
    """
    suite = running()
    options = ['--rubric "$source/rubric.toml"'] if RUBRIC in files else []
    options += [f"--examples {examples}"] if examples is not None else []
    options += [f"--file-name {shlex.quote(file_name)}"] if file_name is not None else []
    fill = {
        "@PYTHON@": ".".join(platform.python_version_tuple()[:2]),
        " @OPTIONS@": "".join(f" {option}" for option in options),
    }
    needed = "".join(f"{name}=={version}\n" for name, version in pins(suite.needs).items())
    packed = {
        **files, "README.txt": _ABOUT.encode(), f"wheels/{suite.wheel}": wheel(suite),
        "requirements.txt": f"{needed}./wheels/{suite.wheel}\n".encode(),
    }  # fmt: skip
    for name in PROGRAMS:
        text = (SCRIPTS / name).read_text(encoding="utf-8")
        for mark, value in fill.items():
            text = text.replace(mark, value)
        packed[name] = text.encode()
    return archive(packed, PROGRAMS)


def rubric_files(path: str) -> dict[str, bytes]:
    """The rubric and the file with its secret seed, by their names in the zip.

    Raises BadCall if grading could not use the rubric, or if the seed's file would not lie beside
    it in the zip as well.
    """
    plan(read(path), load())
    content = Path(path).read_bytes()
    files = {RUBRIC: content}
    seed = tomllib.loads(content.decode()).get("secret_seed_file")
    if seed is not None:
        if PurePosixPath(seed).name != seed or seed in (RUBRIC, *TAKEN, *PROGRAMS):
            raise BadCall(f"{path}: secret_seed_file: {seed!r} is not the name of a file beside the rubric, "
                          "and only such a file can be packed with it")  # fmt: skip
        files[seed] = (Path(path).parent / seed).read_bytes()
    return files
