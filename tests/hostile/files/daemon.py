"""Leaves a process behind in a session of its own, adopted by nobody it knows."""

import os
import signal

from sound import *

try:
    if not os.fork():
        os.setsid()
        if not os.fork():
            os.closerange(0, 256)
            for number in range(1, 32):
                if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM):
                    signal.signal(number, signal.SIG_IGN)
            signal.alarm(60)
            signal.pause()
        os._exit(0)
except OSError:
    pass
