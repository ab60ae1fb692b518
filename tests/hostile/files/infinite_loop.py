"""Computes for ever when it is given a prompt."""

from sound import *


def run_agent(*args, **named):
    while True:
        pass
