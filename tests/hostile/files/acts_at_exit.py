"""Acts when the interpreter ends and when its objects are dropped."""

import atexit
import os
import weakref

from aim import AIM
from sound import *


def _mark(*_):
    try:
        os.makedirs("/tmp/" + AIM["mark"])
    except OSError:
        pass


class Late:
    __del__ = _mark


kept = Late()


atexit.register(_mark)
weakref.finalize(run_agent, _mark)
