"""Replaces functions that everybody uses, to make everything equal and of no length."""

import builtins

from sound import *
from sound import run_agent as sound_run_agent


def run_agent(*args, **named):
    builtins.isinstance = lambda *_: True
    builtins.len = lambda *_: 0
    builtins.list = builtins.dict = builtins.type = None
    return sound_run_agent(*args, **named)
