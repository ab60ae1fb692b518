"""Lifts the limit on recursion until the interpreter crashes."""

import sys

from sound import *


def run_agent(*args, **named):
    sys.setrecursionlimit(10**9)
    one, other = [], []
    for _ in range(200_000):
        one, other = [one], [other]
    raise SystemExit(one == other)
