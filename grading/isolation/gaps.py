"""What each rung does not contain, in sentences for a report. The table of attacks refers to them."""

from __future__ import annotations

import os

from grading.isolation.inside import landlock as kernel

READS = "reads"
NETWORK = "network"
WRITES = "writes"
SIGNALS = "signals"
PROCESSES = "processes"
METADATA = "metadata"
OBSERVER = "observer"

_SAID = {
    READS: "it can read every file that the grader can read, other submissions among them",
    NETWORK: "it can use the network",
    WRITES: "it can write wherever the grader can",
    SIGNALS: "it can stop or kill the grader and other processes of the same user",
    PROCESSES: "its processes count with all others of the same user, so a fork bomb can block the grader",
    OBSERVER: "code that patches the suite's observer in its own process can misreport its own record "
              "(not what the model was asked, nor a wrong answer as right)",
    METADATA: "it can find out that a file exists and how large it is, though not what is in it",
}
_GAPS = {
    "process": (READS, NETWORK, WRITES, SIGNALS, PROCESSES, OBSERVER),
    "landlock": (METADATA, OBSERVER),
    "namespace": (OBSERVER,),
    "container": (OBSERVER,),
}
ROOT_CLOSES = frozenset({WRITES, SIGNALS, PROCESSES})  # by a user of its own for each child
_SHARED = "it can write into folders open to all; what it leaves in /tmp, /var/tmp and /dev/shm is removed"


def gaps(rung: str, *, as_root: bool | None = None) -> frozenset[str]:
    """What gets through on this rung, by key; `as_root` is whether the grader is root (default: as it is)."""
    root = os.geteuid() == 0 if as_root is None else as_root
    return frozenset(_GAPS[rung]) - (ROOT_CLOSES if root else frozenset())


def said(rung: str, *, as_root: bool | None = None) -> tuple[str, ...]:
    """What gets through on this rung, in sentences without capitals and full stops."""
    open_ = gaps(rung, as_root=as_root)
    told = [_SAID[key] for key in _GAPS[rung] if key in open_]
    if rung == "process" and WRITES not in open_:
        told.append(_SHARED)
    return tuple(told)


def sentences(rung: str) -> tuple[str, ...]:
    """What gets through on this rung, on this machine, for this user."""
    told = list(said(rung))
    if rung == "landlock" and 0 < kernel.version() < 3:
        told.append("this kernel's landlock knows no truncation: files the user may write can be emptied")
    return tuple(told)
