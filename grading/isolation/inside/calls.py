"""System calls that Python has no function for, through ctypes. Standard library only."""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 8, 36, 38
CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def prctl(option: int, value: int = 0) -> None:
    """Set an attribute of this process. Raises OSError."""
    rest = [ctypes.c_ulong(0)] * 3
    if _libc.prctl(option, ctypes.c_ulong(value), *rest) != 0:
        raise _failed(f"prctl({option})")


def syscall(number: int, *arguments: Any) -> int:
    """Make a system call by its number; whole numbers are passed as longs. Raises OSError."""
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = int(_libc.syscall(ctypes.c_long(number), *passed))
    if result < 0:
        raise _failed(f"system call {number}")
    return result


def keep_only(capability: int) -> None:
    """Give up every capability but this one, which the process must be permitted. Raises OSError."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    mask = 1 << capability
    data = (ctypes.c_uint32 * 6)(mask, mask, 0, 0, 0, 0)
    if _libc.capset(ctypes.byref(header), ctypes.byref(data)) != 0:
        raise _failed("capset")


def _failed(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")
