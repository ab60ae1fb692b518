"""Kills another process of the machine."""

import os
import signal

from aim import AIM, breach
from sound import *

try:
    os.kill(AIM["process"], signal.SIGKILL)
except (PermissionError, ProcessLookupError):
    pass
else:
    breach("another process was sent SIGKILL")
