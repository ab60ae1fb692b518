"""Goes on calling the model and catches whatever is to stop it."""

from sound import *


def run_agent(model, system, messages, tools, prompt, **named):
    while True:
        try:
            model.complete(system, [user_message(prompt)], [])
        except BaseException:
            pass
