"""The rung container: one command line for docker and podman."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from adapters.wall import Bounds, Room
from adapters.worker import MEMORY
from grading.isolation.rooms import DISK, IDLE, LIMITS, LINE, PROCESSES, TRAFFIC, furnish
from grading.isolation.submission import Submission

ENGINES = ("podman", "docker")
NOBODY = 65534
SECONDS = 20.0  # that an engine has to answer a question


def default_image() -> str:
    """The public image with this version of Python."""
    return f"docker.io/library/python:{sys.version_info.major}.{sys.version_info.minor}-slim"


def found() -> str | None:
    """The engine that is installed, podman rather than docker."""
    return next(filter(shutil.which, ENGINES), None)


def lacking(image: str) -> str:
    """What keeps containers of this image from working here and what to do; "" if nothing is seen."""
    engine = found()
    if engine is None:
        return "neither podman nor docker is installed; install one with `apt-get install podman`"
    problem = _asked(engine, "info")
    if problem:
        return f"{engine} does not run ({problem}); start it, or use --isolation namespace"
    if _asked(engine, "image", "inspect", image):
        return f"the image is not here; fetch it with `{engine} pull {image}`"
    return ""


def _asked(engine: str, *words: str) -> str:
    """Why the engine did not do this, its last line in short; "" if it did."""
    try:
        done = subprocess.run(
            [engine, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)[:200]
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return lines[-1][:200] if done.returncode else ""


@dataclass(frozen=True)
class Container:
    """A `Wall` that starts each child in a container of its own."""

    submission: Submission
    engine: str
    image: str

    def room(self, folder: Path) -> Room:
        """The room in this folder; see `adapters.wall.Wall`."""
        harness = furnish(folder, self.submission, None)
        folder.chmod(0o711)  # the container's user is not ours
        (folder / "program").chmod(0o755)
        return Room(
            str(harness), command(self.engine, self.image, folder), python="python3", streams=True,
            relayed=True, bounds=Bounds(idle_seconds=IDLE, line=LINE, traffic=TRAFFIC),
            leave=_Removal(self.engine, folder.name),
        )  # fmt: skip


def command(engine: str, image: str, folder: Path) -> list[str]:
    """The launcher of a child whose folder this is: the container bears the folder's name.

    Both engines take the same words. The channel is standard input and output.
    """
    home, scratch = folder / "home", folder / "tmp"
    space = f"rw,nosuid,nodev,noexec,size={DISK // 2},mode=1777"
    given = {"HOME": home, "TMPDIR": scratch, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    parts = [engine, "run", "--rm", "--interactive", "--pull", "never", "--name", folder.name, "--init"]
    parts += ["--network", "none", "--read-only", "--memory", str(MEMORY), "--memory-swap", str(MEMORY)]
    parts += ["--pids-limit", str(PROCESSES), "--cpus", "1", "--cap-drop", "ALL", "--ipc", "none"]
    parts += ["--security-opt", "no-new-privileges", "--user", f"{NOBODY}:{NOBODY}"]
    parts += ["--ulimit", f"nofile={LIMITS['files']}", "--ulimit", f"fsize={LIMITS['bytes']}"]
    parts += ["--ulimit", f"cpu={LIMITS['seconds']}", "--ulimit", "core=0", "--log-driver", "none"]
    for name in ("program", "submission"):
        parts += ["--volume", f"{folder / name}:{folder / name}:ro"]
    for place in (home, scratch):
        parts += ["--tmpfs", f"{place}:{space}"]
    for name, value in given.items():
        parts += ["--env", f"{name}={value}"]
    return [*parts, "--workdir", str(home), image]


@dataclass(frozen=True)
class _Removal:
    """Ends a container: killing the engine's client does not."""

    engine: str
    name: str

    def __call__(self) -> None:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                [self.engine, "rm", "--force", self.name], stdin=subprocess.DEVNULL, env=dict(os.environ),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False,
            )  # fmt: skip
