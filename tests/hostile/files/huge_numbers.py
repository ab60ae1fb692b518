"""Sends and returns numbers of a million digits."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    huge = 1 << 4_000_000
    messages.append({"role": "user", "content": huge})
    model.complete(system, [{"role": "user", "content": huge}], [])
    return {"role": "assistant", "content": huge}
