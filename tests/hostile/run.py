"""Plays one hostile file on one rung and looks at what is left afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.course import course
from adapters.watch import family
from grading.isolation import uids
from grading.isolation.ladder import Rung
from grading.isolation.submission import Submission
from grading.run import Target, check
from grading.verdicts import Options, Verdict
from properties.registry import COURSE
from tests.hostile.table import FILES, Attack

ROOT = Path(__file__).parents[2]
AIMING = '''
import json, os
AIM = json.loads({aim!r})
class Breach(Exception):
    pass
def breach(what):
    raise Breach("BREACH: " + what)
'''


@dataclass(frozen=True)
class Scene:
    """What there is to be attacked, and what the attacks are told of it."""

    folder: Path
    bystander: subprocess.Popen
    port: int
    mark: str

    @property
    def aim(self) -> dict[str, object]:
        return {
            "secret": str(self.folder / "others" / "ada.py"), "outside": str(self.folder / "outside"),
            "process": self.bystander.pid, "grader": os.getpid(), "port": self.port, "mark": self.mark,
            "suite": str(ROOT),
        }  # fmt: skip

    def harm(self) -> list[str]:
        """What was done to the bystanders."""
        done = []
        if self.bystander.poll() is not None:
            done.append("the bystander was killed")
        else:
            status = Path(f"/proc/{self.bystander.pid}/status").read_text()
            pending = int(status.split("ShdPnd:")[1].split()[0], 16)
            if "State:\tT" in status or "TracerPid:\t0" not in status or pending:
                done.append("the bystander was stopped, traced or signalled")
        if os.listdir(self.folder / "outside"):
            done.append("a file was written outside")
        if (self.folder / "others" / "ada.py").read_text() != SECRET:
            done.append("another submission was changed")
        return done


SECRET = "# the work of somebody else\n"


@contextlib.contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    """A folder that all may read, another submission, a listener, and a process that stands by."""
    mark = f"hostile-{os.getpid()}-{os.urandom(4).hex()}"
    for name in ("others", "outside"):
        (folder / name).mkdir()
    (folder / "others" / "ada.py").write_text(SECRET)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGURG})  # so that it can be seen when one comes
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as local,
        subprocess.Popen(["sleep", "600"]) as bystander,
    ):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGURG})
        local.bind("\0" + mark)
        local.listen()
        try:
            yield Scene(folder, bystander, server.getsockname()[1], mark)
        finally:
            bystander.kill()


@dataclass(frozen=True)
class Outcome:
    """The verdict on one property, and what was left behind."""

    attack: Attack
    verdict: Verdict
    harm: tuple[str, ...]
    left: tuple[str, ...]

    @property
    def cell(self) -> str:
        """C: judged like the same file without the attack; D: it fails, for the attack; N: it got through."""
        holds = self.verdict.verdict == "holds"
        if "BREACH" in self.verdict.message or self.harm or self.left or (holds and self.attack.wrong):
            return "N"
        return "C" if holds else "D"


def submission(attack: Attack, aim: dict[str, object], text: bytes | None = None) -> Submission:
    """The hostile file (or this text), a sound harness to build on, and what it is told to aim at."""
    files = {"harness.py": (FILES / f"{attack.name}.py").read_bytes() if text is None else text}
    files["aim.py"] = AIMING.format(aim=json.dumps(aim)).encode()
    for path in (ROOT / "harness_ref").glob("*.py"):
        files[f"sound/{path.name}"] = path.read_bytes()
    files.update({name: text.encode() for name, text in attack.extra.items()})
    return Submission("harness.py", tuple(sorted(files.items())))


def play(attack: Attack, rung: Rung, place: Scene) -> Outcome:
    """Check one property of the hostile file on this rung."""
    before = leftovers(place.mark)
    harness = course(Path("harness.py"), wall=rung.wall(submission(attack, place.aim)))
    options = Options(tier=int(COURSE), examples=attack.examples, only=(attack.only,))
    report = check(Target("harness.py"), options, harness=harness)
    verdict = next(v for v in report.verdicts if v.id == attack.only)
    return Outcome(attack, verdict, tuple(place.harm()), tuple(sorted(leftovers(place.mark) - before)))


handed: list[int] = []  # the users that children were given; `watching` fills it


@contextlib.contextmanager
def watching(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Remembers the user of each child."""
    patch.setattr(uids, "take", noting(uids.take, handed.append))
    yield


def noting(take: Callable[[], uids.Uid | None], note: Callable[[int], object]) -> Callable[[], uids.Uid | None]:
    """As `take`, and every number that is given is told to `note`."""

    def taken() -> uids.Uid | None:
        held = take()
        if held:
            note(held.number)
        return held

    return taken


def leftovers(mark: str, users: Iterable[int] = handed) -> set[str]:
    """Processes of ours or of users that were handed out, and files that bear the mark or belong to these."""
    owned = set(users)
    found = set()
    for pid, _ in family(os.getpid()):
        if pid != os.getpid():
            found.add(f"process {pid}")
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid in owned:
                found.add(f"process {name}")
    for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]:
        if int(line.split()[7]) in owned | {os.getuid()}:
            found.add(f"segment {line.split()[1]}")
    for folder in {"/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir()}:
        for entry in os.scandir(folder):
            with contextlib.suppress(OSError):
                if entry.name == mark or entry.stat(follow_symlinks=False).st_uid in owned:
                    found.add(entry.path)
    if tempfile.gettempdir() != "/tmp":
        found |= {entry.path for entry in os.scandir(tempfile.gettempdir())}
    return found
