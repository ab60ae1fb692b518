"""Attaches to another process with ptrace."""

import ctypes

from aim import AIM, breach
from sound import *

if ctypes.CDLL(None, use_errno=True).ptrace(16, AIM["process"], None, None) == 0:
    breach("another process was attached to")
