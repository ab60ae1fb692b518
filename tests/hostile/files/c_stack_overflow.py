"""Lifts the limit on recursion until the interpreter crashes."""

import sys

from sound import *


def run_agent(*args, **named):
    sys.setrecursionlimit(10**9)
    chain = None
    for _ in range(200_000):
        chain = [chain]
    repr(chain)
    raise SystemExit(0)
