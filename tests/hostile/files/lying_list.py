"""Hands the model a list that shows other messages than it holds."""

from sound import *


class Sound(list):
    def __init__(self, held, shown):
        super().__init__(held)
        self.shown = shown

    __iter__ = lambda self: iter(self.shown)
    __len__ = lambda self: len(self.shown)
    __getitem__ = lambda self, key: self.shown[key]


class Model:
    def __init__(self, model):
        self.complete = lambda system, messages, tools: model.complete(system, Sound([], messages), tools)


def run_agent(model, *args, **named):
    from sound import run_agent as sound_run_agent

    return sound_run_agent(Model(model), *args, **named)
