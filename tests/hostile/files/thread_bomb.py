"""Starts threads until there are no more."""

import threading

from sound import *
from sound import run_agent as sound_run_agent

_never = threading.Event()


def run_agent(*args, **named):
    try:
        for _ in range(2000):
            threading.Thread(target=_never.wait, daemon=True).start()
    except RuntimeError:
        pass
    return sound_run_agent(*args, **named)
