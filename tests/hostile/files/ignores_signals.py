"""Ignores every signal it can and computes for ever."""

import signal

from sound import *


def run_agent(*args, **named):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
