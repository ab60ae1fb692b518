"""Sends well-formed events that tell of things that never happened."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    run = model._run
    run.queue.append({"event": "execute", "tool": "t", "arguments": {}, "call": 99, "record": {"odd": None}})
    run.queue += [{"event": "ended", "kind": "returned", "record": {"odd": []}}] * 5
    model.complete(system, [user_message(prompt)], [])
    return user_message("all is well")
