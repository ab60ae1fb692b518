"""Sends a message byte by byte, with a rest after each."""

import os
import time

from sound import *


def run_agent(*args, **named):
    while True:
        for descriptor in range(100, 256):
            try:
                os.write(descriptor, b" ")
            except OSError:
                pass
        time.sleep(0.02)
