"""Stops its own process, so that it neither works nor ends."""

import os
import signal

from sound import *


def run_agent(*args, **named):
    os.kill(os.getpid(), signal.SIGSTOP)
    raise SystemExit(0)
