"""Starts hundreds of processes that wait, so that nobody else can start any."""

import os
import signal

from aim import breach
from sound import *

try:
    for _ in range(300):
        if not os.fork():
            signal.pause()
            os._exit(0)
except OSError:
    pass
else:
    breach("300 processes were started")
