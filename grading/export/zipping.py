"""`harness-props gradescope-zip`: an autograder zip that is ready to be uploaded."""

from __future__ import annotations

import platform
import shlex
import tomllib
from pathlib import Path

from grading.export.packing import archive, pins, running, wheel
from grading.export.storing import write_bytes
from grading.leave import OK, BadCall

SCRIPTS = Path(__file__).with_name("autograder")
PROGRAMS = frozenset({"setup.sh", "run_autograder"})


def gradescope_zip(output: str, *, rubric: str | None, examples: int | None) -> int:
    """Write the zip to `output` and say what is in it. Raises BadCall or Unwritable."""
    made = autograder(rubric=_read(rubric) if rubric else None, examples=examples)
    write_bytes(output, made)
    print(f"{output}: {len(made) // 1024:,} KB; upload it under Configure Autograder")  # noqa: T201
    return OK


def autograder(*, rubric: bytes | None, examples: int | None) -> bytes:
    """The zip's bytes: the same suite, versions, rubric and examples give the same ones."""
    suite = running()
    options = []
    files = {"README.txt": _ABOUT.encode(), f"wheels/{suite.wheel}": wheel(suite)}
    if rubric is not None:
        files["rubric.toml"] = rubric
        options += ["--rubric", '"$source/rubric.toml"']
    if examples is not None:
        options += ["--examples", shlex.quote(str(examples))]
    minor = ".".join(platform.python_version_tuple()[:2])
    fill = {"@PYTHON@": minor, " @OPTIONS@": "".join(f" {option}" for option in options)}
    for name in PROGRAMS:
        text = (SCRIPTS / name).read_text(encoding="utf-8")
        for mark, value in fill.items():
            text = text.replace(mark, value)
        files[name] = text.encode()
    needed = "".join(f"{name}=={version}\n" for name, version in pins(suite.needs).items())
    files["requirements.txt"] = f"{needed}./wheels/{suite.wheel}\n".encode()
    return archive(files, PROGRAMS)


_ABOUT = """\
An autograder for Gradescope, made by harness-props gradescope-zip.

setup.sh          installs Python and the suite when the image is built
run_autograder    grades one submission and writes results.json
requirements.txt  the exact versions that are installed
wheels/           the suite itself
rubric.toml       the rubric, if one was given; keep this zip to yourself if it holds a secret seed
"""


def _read(path: str) -> bytes:
    """The rubric's bytes. Raises BadCall if it cannot be read or is no TOML."""
    try:
        data = Path(path).read_bytes()
        tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise BadCall(f"{path}: cannot be read, {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadCall(f"{path}: not TOML: {error}") from error
    return data
