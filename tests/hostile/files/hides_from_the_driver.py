"""Never touches the caller's list, and shows the driver in its own process another one."""

from sound import *
from sound import run_agent as sound_run_agent


def run_agent(model, system, messages, *args, **named):
    model._run.messages = shown = list(messages)
    return sound_run_agent(model, system, shown, *args, **named)
