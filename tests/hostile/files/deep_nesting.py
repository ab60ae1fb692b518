"""Sends and returns lists in lists, a hundred thousand deep."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    messages.append({"role": "user", "content": deep})
    model.complete(system, [{"role": "user", "content": deep}], [])
    return {"role": "assistant", "content": deep}
