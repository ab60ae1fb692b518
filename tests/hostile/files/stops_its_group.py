"""Stops its process group, with whoever is in it."""

import os
import signal

from sound import *
from sound import run_agent as sound_run_agent


def run_agent(*args, **named):
    try:
        os.kill(0, signal.SIGSTOP)
    except PermissionError:
        return sound_run_agent(*args, **named)
    raise SystemExit(0)
