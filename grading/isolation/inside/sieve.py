"""A seccomp filter: the system calls that a harness has no honest use for are refused.

Two widths. `OUTWARD` are calls by which a process reaches the network, the kernel's rarer corners,
other processes' memory or files' modes. `ALONE` adds new programs, new processes and signals to others;
threads stay. Standard library only.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from .calls import syscall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# name: number on x86_64, number on aarch64; None where there is no such call
OUTWARD: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "kcmp": (312, 272), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "fsopen": (430, 430), "fsmount": (432, 432),
    "fsconfig": (431, 431), "fspick": (433, 433), "move_mount": (429, 429), "open_tree": (428, 428),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "bpf": (321, 280), "perf_event_open": (298, 241), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "userfaultfd": (323, 282), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116), "acct": (163, 89),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "personality": (135, 92), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "setpriority": (141, 140),
    "ioprio_set": (251, 30), "sched_setattr": (314, 274), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "mbind": (237, 235), "set_mempolicy": (238, 237), "chmod": (90, None),
    "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "lchown": (94, None), "fchown": (93, 55), "fchownat": (260, 54), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "utime": (132, None), "utimes": (235, None), "utimensat": (280, 88),
    "futimesat": (261, None), "sethostname": (170, 161), "setdomainname": (171, 162),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "vhangup": (153, 58),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "truncate": (76, 45),
    "mknod": (133, None), "mknodat": (259, 33),
}  # fmt: skip
ALONE: dict[str, tuple[int | None, int | None]] = {
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
}  # fmt: skip
_LOOKED_INTO = {
    "socketpair": (53, 199), "prlimit64": (302, 261), "ioctl": (16, 29), "fcntl": (72, 25),
    "kill": (62, 129), "tgkill": (234, 131), "clone": (56, 220), "clone3": (435, 435),
}  # fmt: skip
_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}
_X32 = 0x40000000  # calls of a second table that x86_64 kernels may have
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # places in the data that the filter looks at
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AF_UNIX, _CLONE_THREAD, _TIOCSTI, _TIOCLINUX = 1, 0x00010000, 0x5412, 0x541C
_SEND_SIGNALS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: a signal by way of a descriptor

Step = tuple[int, int, int, int]


def supported() -> bool:
    """Whether the call numbers of this machine are known here."""
    return os.uname().machine in _MACHINES


def program(alone: bool) -> bytes:
    """The filter for this process, on this machine; raises KeyError if it is not `supported`."""
    column, architecture, _ = _MACHINES[os.uname().machine]
    refused = {**OUTWARD, **(ALONE if alone else {})}
    numbers = {name: both[column] for name, both in {**refused, **_LOOKED_INTO}.items()}
    steps: list[Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), _returns(_KILL),
        (_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), _returns(_REFUSE | errno.ENOSYS),
    ]  # fmt: skip
    for name, looks in _looks(alone):
        steps += [(_EQUAL, 0, len(looks), numbers[name] or 0), *looks]
    for name in refused:
        if numbers[name] is not None:
            steps += [(_EQUAL, 0, 1, numbers[name] or 0), _returns(_REFUSE | errno.EPERM)]
    steps.append(_returns(_ALLOW))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _looks(alone: bool) -> Iterator[tuple[str, list[Step]]]:
    """The calls that are refused or not by what they are given, and how to tell."""
    me = os.getpid()
    refuse, allow = _returns(_REFUSE | errno.EPERM), _returns(_ALLOW)
    yield "socketpair", [_argument(0), (_EQUAL, 0, 1, _AF_UNIX), allow, refuse]
    yield "prlimit64", [_argument(0), (_EQUAL, 1, 0, 0), (_EQUAL, 0, 1, me), allow, refuse]
    yield "ioctl", [_argument(1), (_EQUAL, 1, 0, _TIOCSTI), (_EQUAL, 0, 1, _TIOCLINUX), refuse, allow]
    first, second, third = _SEND_SIGNALS
    yield "fcntl", [
        _argument(1), (_EQUAL, 2, 0, first), (_EQUAL, 1, 0, second), (_EQUAL, 0, 1, third), refuse, allow,
    ]  # fmt: skip
    if alone:
        for name in ("kill", "tgkill"):
            yield name, [_argument(0), (_EQUAL, 0, 1, me), allow, refuse]
        yield "clone", [_argument(0), (_ANY_OF, 0, 1, _CLONE_THREAD), allow, refuse]
        yield "clone3", [_returns(_REFUSE | errno.ENOSYS)]  # the C library falls back to clone


def _argument(number: int) -> Step:
    """Load the lower half of an argument; both architectures are little-endian."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * number


def _returns(what: int) -> Step:
    return _RETURN, 0, 0, what


def install(alone: bool) -> None:
    """Put the filter in force for this thread and all that comes from it, for good.

    no_new_privs must be set. Raises OSError if the kernel refuses, KeyError if not `supported`.
    """
    steps = program(alone)
    held = ctypes.create_string_buffer(steps, len(steps))
    whole = struct.pack("HxxxxxxP", len(steps) // 8, ctypes.addressof(held))
    syscall(_MACHINES[os.uname().machine][2], 1, 0, ctypes.create_string_buffer(whole, len(whole)))
