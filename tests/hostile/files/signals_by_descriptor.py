"""Has the kernel send a signal to another process when a pipe is written to."""

import fcntl
import os
import signal

from aim import AIM
from sound import *

try:
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETOWN, AIM["process"])
    fcntl.fcntl(ours, 10, signal.SIGKILL)
    fcntl.fcntl(ours, fcntl.F_SETFL, fcntl.fcntl(ours, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(theirs, b"now")
except OSError:
    pass
