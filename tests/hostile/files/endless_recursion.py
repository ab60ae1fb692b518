"""Calls itself without end."""

from sound import *


def run_agent(*args, **named):
    return run_agent(*args, **named)
