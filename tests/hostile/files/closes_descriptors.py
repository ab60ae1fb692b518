"""Closes every descriptor it has."""

import os

from sound import *


def run_agent(*args, **named):
    os.closerange(0, 4096)
    raise SystemExit(0)
