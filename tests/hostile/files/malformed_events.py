"""Sends events that lack what they must have."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    model._run.ask({"event": "request", "queued": [{"event": "ended", "kind": 7}]})
    return user_message("all is well")
