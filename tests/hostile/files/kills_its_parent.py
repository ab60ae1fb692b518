"""Kills the process that started it."""

import os
import signal

from aim import breach
from sound import *

if os.getppid() > 1:
    try:
        os.kill(os.getppid(), signal.SIGKILL)
    except PermissionError:
        pass
    else:
        breach("the parent was sent SIGKILL")
