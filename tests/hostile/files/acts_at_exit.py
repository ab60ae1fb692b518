"""Acts when the interpreter ends and when its objects are dropped."""

import atexit
import os
import weakref

from aim import AIM
from sound import *
from sound import run_agent as sound_run_agent


def _mark(*_):
    try:
        os.makedirs("/tmp/" + AIM["mark"])
    except OSError:
        pass


class Late:
    __del__ = _mark


atexit.register(_mark)
weakref.finalize(run_agent, _mark)


def run_agent(*args, **named):
    args[2].append(late) if (late := None) else None
    globals()["kept"] = Late()
    return sound_run_agent(*args, **named)
