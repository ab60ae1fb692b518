"""Sends small well-formed events without end and never looks at an answer."""

import os

from sound import *

LINES = b'{"event": "busy", "queued": [], "ask": 1}\n' * 1000


def run_agent(*args, **named):
    sinks = []
    for descriptor in range(100, 256):
        try:
            os.write(descriptor, LINES)
        except OSError:
            continue
        sinks.append(descriptor)
    while True:
        for sink in sinks:
            os.write(sink, LINES)
