"""Looks through frames and all objects for replies that were not asked for yet, and for a judge."""

import gc
import sys

from aim import breach
from sound import *
from sound import run_agent as sound_run_agent


def _texts(value, found, depth=0):
    if isinstance(value, str):
        found.add(value)
    elif isinstance(value, dict) and depth < 12:
        for item in list(value.values()):
            _texts(item, found, depth + 1)
    elif isinstance(value, (list, tuple)) and depth < 12:
        for item in value:
            _texts(item, found, depth + 1)


_given = set()  # what was asked for before, in this run or an earlier one: no secret any more


class Spy:
    def __init__(self, model, told):
        self.model, self.told = model, told

    def complete(self, *args, **named):
        ahead = set(self.told)
        frame = sys._getframe()
        while frame:
            _texts(dict(frame.f_locals), ahead)
            frame = frame.f_back
        reply = self.model.complete(*args, **named)
        for block in reply["content"]:
            text = block.get("text", "")
            if len(text) > 12 and text in ahead and text not in _given and text not in str(args):
                breach(f"the reply {text!r} was there before it was asked for")
            _given.add(text)
        return reply


def run_agent(model, *args, **named):
    told = set()
    for one in gc.get_objects():
        if type(one) is dict and ("reply" in one or "replies" in one or "expected" in one):
            _texts(one, told)
    for name in list(sys.modules):
        if name.split(".")[0] in ("strategies", "properties", "grading", "hypothesis", "pytest"):
            breach(name)
    return sound_run_agent(Spy(model, told), *args, **named)
