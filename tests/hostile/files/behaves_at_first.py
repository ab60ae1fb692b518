"""Behaves for the first hundred calls, and then no more."""

import sound
from sound import *

_calls = 0


def _cut(end, *args, **named):
    global _calls
    _calls += 1
    return end(*args, **named) if _calls <= 100 else ("", 0)


def truncate_head(*args, **named):
    return _cut(sound.truncate_head, *args, **named)


def truncate_tail(*args, **named):
    return _cut(sound.truncate_tail, *args, **named)
