"""Sends a message that holds itself, in many ways."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    loop = {"role": "user"}
    loop["content"] = [loop, [loop], {"again": loop}]
    messages.append(loop)
    model.complete(system, messages, [])
    return loop
