"""Where programs are, and how they come there."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from adapters.contract import Unusable
from adapters.programs.described import Program, filled

FOLDER = "HARNESS_PROPS_PROGRAMS"


def root() -> Path:
    """The folder below which programs are installed."""
    return Path(os.environ.get(FOLDER) or Path.home() / ".cache" / "harness-props" / "programs")


def home_of(program: Program) -> Path:
    """Where a program is installed."""
    return root() / (program.install.folder or program.name)


def visible(program: Program) -> list[str]:
    """What a room has to show of the machine: the program, what it needs, the Python of its environment."""
    values = _values(program)
    paths = [values["prefix"], *(filled(path, values) for path in program.install.needs)]
    settings = Path(values["prefix"]) / "pyvenv.cfg"
    if settings.exists():
        found = re.search(r"^home *= *(.+)$", settings.read_text(encoding="utf-8"), re.MULTILINE)
        paths += [str(Path(found[1].strip()).resolve().parent)] if found else []
    return [path for path in paths if Path(path).exists() and not path.startswith("/usr")]


def _values(program: Program) -> dict[str, str]:
    return {"prefix": str(home_of(program)), "here": str(Path(program.source).resolve().parent)}


def lacking(program: Program) -> str:
    """The file that has to be there and is not; "" if the program can be run."""
    check = filled(program.install.check, _values(program))
    return "" if not check or Path(check).exists() else check


def commands(program: Program) -> list[str]:
    """The commands that install it, ready for a shell."""
    return [filled(command, _values(program)) for command in program.install.commands]


def install(program: Program) -> None:
    """Install it. Raises Unusable with the command that failed."""
    home_of(program).mkdir(parents=True, exist_ok=True)
    for command in commands(program):
        done = subprocess.run(["sh", "-c", command], cwd=home_of(program), check=False)
        if done.returncode:
            raise Unusable(f"{program.name}: `{command}` ended with status {done.returncode}")
    missing = lacking(program)
    if missing:
        raise Unusable(f"{program.name}: all commands went well, but {missing} is not there")
