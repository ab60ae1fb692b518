"""Puts this process behind walls for good, as its plan says. Standard library only.

The process that was started can stay behind as a *keeper*: it goes on in a child of its own,
collects every process that loses its parent, and ends them all when the child ends or when its
standard input, the grader's leash, is closed. What it then reports of itself is how the child ended.
"""

from __future__ import annotations

import os
import resource
import select
import signal

from . import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_LIMITS = {
    "processes": resource.RLIMIT_NPROC, "files": resource.RLIMIT_NOFILE, "bytes": resource.RLIMIT_FSIZE,
    "seconds": resource.RLIMIT_CPU, "core": resource.RLIMIT_CORE,
}  # fmt: skip


def raise_walls(plan: dict[str, Any], channel: tuple[int, int]) -> None:
    """Do what `plan` asks, in the order that leaves each step the rights it needs.

    Its members, all optional: `keeper`, `uid` (also the group), `reads` (keep the right to read
    every file), `limits`, `landlock` (`read`, `list`, `write`), `sieve` ("outward" or "alone").
    Raises OSError if something cannot be put in force.
    """
    uid = plan.get("uid")
    keeper = os.getpid() if plan.get("keeper") else 0
    if keeper:
        _keep(uid, channel)
    for name, most in plan.get("limits", {}).items():
        hard = resource.getrlimit(_LIMITS[name])[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(_LIMITS[name], (most, most))
    calls.prctl(calls.PR_SET_NO_NEW_PRIVS, 1)
    walls = plan.get("landlock")
    if walls:
        from . import landlock

        landlock.confine([*walls["read"], f"/proc/{os.getpid()}"], walls["list"], walls["write"])
    if uid is not None:
        _become(uid, bool(plan.get("reads")))
    if keeper:
        calls.prctl(calls.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper:
            os._exit(0)
    if "sieve" in plan:
        from . import sieve

        sieve.install(plan["sieve"] == "alone")


def _become(uid: int, reads: bool) -> None:
    if reads:
        calls.prctl(calls.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if reads:
        calls.keep_only(calls.CAP_DAC_READ_SEARCH)


def _keep(uid: int | None, channel: tuple[int, int]) -> None:
    """Go on in a child; this process becomes its keeper and does not return from here."""
    calls.prctl(calls.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        os.setsid()
        silent = os.open(os.devnull, os.O_RDONLY)
        os.dup2(silent, 0)
        os.close(silent)
        return
    try:
        for descriptor in channel:
            os.close(descriptor)
        status = _watched(child)
        _end_all(uid)
    except BaseException:
        _end_all(uid)
        os._exit(70)
    _end_like(status)


def _watched(child: int) -> int | None:
    """Wait until the child has ended (its status) or the leash is closed (None)."""
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(woken, select.POLLIN)
    while True:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == child:
                return status
            if not pid:
                break
        if any(descriptor == 0 for descriptor, _ in poll.poll()):
            return None
        try:
            os.read(woken, 4096)
        except BlockingIOError:
            pass


def _end_all(uid: int | None) -> None:
    """Kill every process that came from the child, however it hid, and wait for the last."""
    while True:
        if uid is not None:
            _end_user(uid)
        for pid in _descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _end_user(uid: int) -> None:
    """Kill all processes of this user at once, which no race of forks can outrun."""
    helper = os.fork()
    if not helper:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        except OSError:
            pass
        finally:
            os._exit(0)
    os.waitpid(helper, 0)


def _descendants(root: int) -> list[int]:
    """The living processes below this one, zombies aside."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
            except OSError:
                continue
            if state != b"Z":
                children.setdefault(int(parent), []).append(int(name))
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _end_like(status: int | None) -> NoReturn:
    """End as the child did; the first process of a namespace can only say so by its exit status."""
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if os.getpid() == 1:
            os._exit(128 + number)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status) if status is not None else 0)
