"""Puts data into memory that outlives its process and counts for nobody."""

import ctypes

from sound import *

ctypes.CDLL(None, use_errno=True).shmget(0, 1 << 20, 0o1666)
