"""Sends one message without an end."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    model.complete(system, [user_message("x" * (3 << 20))], [])
    return user_message("all is well")
