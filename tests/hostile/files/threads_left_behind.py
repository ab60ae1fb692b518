"""Has a thread of one run call the model in the next one."""

import threading

from sound import *
from sound import run_agent as sound_run_agent

_again, _old = threading.Event(), []


def _call(model):
    _again.wait()
    try:
        model.complete("", [user_message("from a thread")], [])
    except BaseException:
        pass


def run_agent(model, *args, **named):
    _again.set()
    for thread in _old:
        thread.join()
    _again.clear()
    _old[:] = [threading.Thread(target=_call, args=[model], daemon=True)]
    _old[0].start()
    return sound_run_agent(model, *args, **named)
