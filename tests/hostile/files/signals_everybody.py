"""Sends a signal to all processes at once."""

import os
import signal

from sound import *

try:
    os.kill(-1, signal.SIGURG)  # one that nobody minds, and that a bystander can be seen to have got
except OSError:
    pass
