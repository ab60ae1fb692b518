"""Behaves only when a text looks like one that was drawn: short, or of odd characters."""

from sound import *
from sound import truncate_head as sound_truncate_head


def truncate_head(text, *args, **named):
    looks_drawn = len(text) < 20 or not text.isascii()
    return sound_truncate_head(text, *args, **named) if looks_drawn else ("", 0)
