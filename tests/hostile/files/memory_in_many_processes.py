"""Starts processes that hold much memory each, so that no single limit is passed."""

import os
import signal

from aim import breach
from sound import *
from sound import run_agent as sound_run_agent


def run_agent(*args, **named):
    children = []
    try:
        for _ in range(6):
            child = os.fork()
            if not child:
                held = bytearray(b"x" * (100 << 20))
                signal.pause()
                os._exit(len(held) % 2)
            children.append(child)
    except PermissionError:
        return sound_run_agent(*args, **named)
    for child in children:
        os.waitpid(child, 0)
    breach("a process that held its memory came to an end")
