"""Finds out whether a rung works on this machine: by what it needs, then by starting a child in it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from adapters.contract import AdapterError, HarnessFault
from adapters.wall import Wall
from adapters.worker import Worker
from grading.isolation.bubblewrap import PROGRAM
from grading.isolation.inside import landlock as kernel
from grading.isolation.inside import sieve
from grading.isolation.submission import Submission

SECONDS = 20.0  # of CPU time or of silence, after which a probe is given up

# What the probe's harness finds out from inside; each key is a promise of at least one rung.
SOURCE = b'''
import os, socket

def _able(act):
    try:
        act()
    except OSError:
        return False
    return True

def _connect():
    socket.socket().bind(("127.0.0.1", 0))

def found(outside):
    open(os.path.join(os.environ["TMPDIR"], "probe"), "w").close()
    return {
        "reads": _able(lambda: open(outside).close()),
        "network": _able(lambda: socket.socket().close()),
        "others": _able(lambda: os.kill(os.getppid(), 0)) and os.getppid() > 1,
    }
'''
SUBMISSION = Submission("probe.py", (("probe.py", SOURCE),))
PROMISES = {
    "process": {},
    "landlock": {"reads": False, "network": False, "others": False},
    "namespace": {"reads": False, "network": False},
    "container": {"reads": False},
}  # fmt: skip
ADVICE = {
    "process": "",
    "landlock": "use a machine or container that allows landlock and seccomp, or --isolation namespace",
    "namespace": "allow this user to create namespaces (in a container: --privileged, or use "
                 "--isolation landlock)",
    "container": "see that the engine runs and that the image has Python",
}  # fmt: skip


def process() -> str:
    """What the rung process lacks here."""
    return "" if sys.platform == "linux" else "it needs Linux"


def landlock() -> str:
    """What the rung landlock lacks here."""
    if process():
        return process()
    if not sieve.supported():
        return "its filter knows x86_64 and aarch64 only; use --isolation namespace"
    if not kernel.version():
        return ("this kernel has no landlock, or it is switched off; use Linux 5.13 or later, with landlock "
                "in the boot option `lsm=`, or --isolation namespace")  # fmt: skip
    return ""


def namespace() -> str:
    """What the rung namespace lacks here."""
    if process():
        return process()
    if shutil.which(PROGRAM) is None:
        return f"{PROGRAM} is not installed; install it with `apt-get install bubblewrap`"
    if not sieve.supported():
        return "its filter knows x86_64 and aarch64 only; use --isolation container"
    return ""


def started(wall: Wall, rung: str) -> str:
    """Start a child behind this wall and compare what it is able to do with what the rung promises.

    Returns what went wrong and what to do about it, "" if nothing did.
    """
    driver = Path(__file__).with_name("probing.py")
    worker = Worker(Path("probe.py"), cpu_seconds=SECONDS, idle_seconds=SECONDS, driver=driver, wall=wall)
    try:
        worker.start()
        able: Any = worker.run({"outside": str(Path(__file__))}, lambda _: {}, cpu_seconds=SECONDS)
    except (AdapterError, HarnessFault) as error:
        said = " ".join(str(error).split())[-300:]
        return "; ".join(filter(None, (f"a child could not be started in it ({said})", ADVICE[rung])))
    finally:
        worker.close()
    broken = [what for what, expected in PROMISES[rung].items() if able.get(what) is not expected]
    if broken:
        return f"a child in it could reach what it must not ({', '.join(broken)}); {ADVICE[rung]}"
    return ""
