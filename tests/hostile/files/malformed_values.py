"""Sends encoded values that nobody can have encoded."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    value = {"keep": 5, "add": [[]], "new": {"$": ["graph", [["list", [7]]]]}}
    model._run.ask({"event": "request", "aliased": False, "messages": value, "record": value})
    return user_message("all is well")
