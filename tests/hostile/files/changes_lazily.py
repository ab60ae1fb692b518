"""Sends messages that become right only when they are looked at again."""

from sound import *


class Lazy(dict):
    looks = 0

    def items(self):
        self.looks += 1
        return dict.items(self) if self.looks > 1 else {}.items()


class Model:
    def __init__(self, model):
        self.model = model

    def complete(self, system, messages, tools):
        lazy = [Lazy(message) for message in messages]
        for message in lazy:
            dict.__setitem__(message, "content", "not yet")
        reply = self.model.complete(system, lazy, tools)
        for message, right in zip(lazy, messages):
            message.update(right)
        return reply


def run_agent(model, *args, **named):
    from sound import run_agent as sound_run_agent

    return sound_run_agent(Model(model), *args, **named)
