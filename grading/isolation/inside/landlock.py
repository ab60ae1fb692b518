"""Landlock: this process may touch the files it is given and no others. Standard library only."""

from __future__ import annotations

import ctypes
import os
import stat

from .calls import syscall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_ASK_VERSION = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REMOVE = (1 << 4) | (1 << 5)  # folders, files
_MAKE = (1 << 7) | (1 << 8) | (1 << 12)  # folders, files, links; no devices, sockets, pipes
_TRUNCATE = 1 << 14
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_FIRST_ABI = (1 << 13) - 1
_BIND_AND_CONNECT, _SOCKETS_AND_SIGNALS = 3, 3


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The kernel's landlock ABI, 0 if it has none or it is switched off."""
    try:
        return syscall(_CREATE, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def _handled(abi: int) -> int:
    """All rights to files that this ABI knows: what is not allowed is forbidden."""
    return _FIRST_ABI | (1 << 13) * (abi >= 2) | _TRUNCATE * (abi >= 3) | (1 << 15) * (abi >= 5)


def confine(read: Iterable[str], listed: Iterable[str], write: Iterable[str]) -> None:
    """Allow reading what lies at or below `read`, listing `listed`, and all in `write`; no more.

    Network and signals to processes outside are forbidden where the kernel can. Holds for this
    thread and all that comes from it; no_new_privs must be set. Paths that do not exist are
    passed over. Raises OSError if the kernel refuses.
    """
    abi = version()
    handled = _handled(abi)
    ruleset = _Ruleset(handled, _BIND_AND_CONNECT * (abi >= 4), _SOCKETS_AND_SIGNALS * (abi >= 6))
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    rules = syscall(_CREATE, ctypes.byref(ruleset), size, 0)
    try:
        reading = _READ_FILE | _READ_DIR
        writing = reading | _WRITE_FILE | _TRUNCATE | _REMOVE | _MAKE
        for paths, rights in ((read, reading), (listed, _READ_DIR), (write, writing)):
            for path in paths:
                _allow(rules, path, rights & handled)
        syscall(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_FILES
        syscall(_ADD, rules, 1, ctypes.byref(_Beneath(rights, place)), 0)
    finally:
        os.close(place)
