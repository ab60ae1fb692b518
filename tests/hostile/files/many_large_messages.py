"""Sends messages that are each within the limit, without end."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    for number in range(10_000):
        model._run.ask({"event": "busy", "queued": [], "more": str(number % 10) * (1 << 19)})
