"""Writes what is no JSON on the channel."""

import os

from sound import *


def run_agent(*args, **named):
    for descriptor in range(100, 256):
        try:
            os.write(descriptor, b'{"event": [[[[[\xff\n')
        except OSError:
            pass
    return user_message("all is well")
