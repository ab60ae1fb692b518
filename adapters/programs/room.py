"""The room of a program: namespaces without a network, a throw-away home, a supervisor that speaks lines.

`bwrap` builds it. Inside there is loopback and nothing else, no process of the machine, no file but the
system's, the program's and the suite's, all read-only; what is written lies in memory and ends with the room.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.contract import AdapterError, Died, Hung, Unusable

ROOT = Path(__file__).resolve().parents[2]  # where the suite's own packages lie
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc", "/opt")
HOME, WORK, STEPS, OUT = "/room/home", "/room/work", "/room/steps", "/room/out"
INSTALL = "apt-get install bubblewrap, or its like"


def builder() -> str:
    """What builds rooms. Raises Unusable where it is missing."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise Unusable(f"a program runs in a room of its own, which bubblewrap builds; {INSTALL} brings it")
    return bwrap


def launcher(bwrap: str, visible: Sequence[str | Path], etc: Path) -> list[str]:
    """The command that builds a room in which these folders can be read.

    The user is number 0 in there and nobody outside, which is what lets the name server have its port.
    """
    parts = [
        bwrap, "--unshare-user", "--uid", "0", "--gid", "0", "--unshare-net", "--unshare-pid",
        "--unshare-ipc", "--unshare-uts", "--hostname", "room", "--die-with-parent", "--new-session",
        "--cap-add", "CAP_NET_BIND_SERVICE", "--clearenv", "--proc", "/proc", "--dev", "/dev",
    ]  # fmt: skip
    for folder in SYSTEM:
        parts += ["--ro-bind-try", folder, folder]
    parts += ["--ro-bind", str(etc / "resolv.conf"), _real("/etc/resolv.conf")]
    parts += ["--ro-bind", str(etc / "hosts"), _real("/etc/hosts")]
    parts += ["--tmpfs", "/tmp", "--tmpfs", "/var/tmp"]
    for path in dict.fromkeys(str(Path(path).resolve()) for path in (ROOT, *_python(), *visible)):
        parts += ["--ro-bind", path, path]
    for folder in (HOME, WORK, STEPS, OUT):
        parts += ["--dir", folder]
    return parts


def _real(path: str) -> str:
    """Where a file of the system really lies: a link cannot be covered."""
    return str(Path(path).resolve())


def _python() -> list[str]:
    """Where this Python and its packages lie."""
    bases = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(sys.executable).resolve().parent.parent)]
    return [base for base in dict.fromkeys(bases) if not base.startswith(("/usr", "/bin"))]


class Room:
    """A supervisor in a room of its own; `ask` gives it one job and waits for what came of it."""

    def __init__(self, visible: Sequence[str | Path] = ()) -> None:
        self._visible = list(visible)
        self._process: subprocess.Popen[str] | None = None
        self._etc: tempfile.TemporaryDirectory[str] | None = None

    @property
    def open(self) -> bool:
        """Whether there is a supervisor now."""
        return self._process is not None

    def _start(self) -> subprocess.Popen[str]:
        bwrap = builder()
        self._etc = tempfile.TemporaryDirectory(prefix="harness-props-")
        etc = Path(self._etc.name)
        (etc / "resolv.conf").write_text("nameserver 127.0.0.1\noptions attempts:1 timeout:2\n")
        (etc / "hosts").write_text("127.0.0.1 localhost room\n::1 localhost\n")
        inside = [sys.executable, "-m", "adapters.programs.inside.supervisor"]
        settings = {"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8",
                    "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "TZ": "UTC"}  # fmt: skip
        given = [part for key, value in settings.items() for part in ("--setenv", key, value)]
        command = [*launcher(bwrap, self._visible, etc), *given, "--chdir", "/room", *inside]
        with open(etc / "words", "wb") as words:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, encoding="utf-8"
            )
        return self._process

    def ask(self, job: dict[str, Any]) -> Any:
        """What came of one job. Raises Hung for a program without end, AdapterError for a broken room."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise AdapterError(f"the program's room ended: {self._last_words()}")
        done = json.loads(line)
        if "hung" in done:
            raise Hung(done["hung"])
        if "died" in done:
            raise Died(done["died"])
        if "broke" in done:
            raise AdapterError(f"the supervisor broke: {done['broke']}")
        return done["done"]

    def _last_words(self) -> str:
        said = b""
        if self._process is not None and self._etc is not None:
            self._process.wait()
            said = (Path(self._etc.name) / "words").read_bytes()[-2000:]
        self.close()
        return said.decode("utf-8", "replace").strip() or "it said nothing"

    def close(self) -> None:
        """End the room and everything in it."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
        if self._etc is not None:
            self._etc.cleanup()
            self._etc = None
