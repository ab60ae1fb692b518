"""Writes file after file until the disk is full."""

import os

from sound import *
from sound import run_agent as sound_run_agent

PAGE = b"x" * (1 << 20)


def run_agent(*args, **named):
    for number in range(10_000):
        try:
            with open(os.path.join(os.environ["TMPDIR"], str(number)), "wb") as file:
                file.write(PAGE)
        except OSError:
            break
    return sound_run_agent(*args, **named)
