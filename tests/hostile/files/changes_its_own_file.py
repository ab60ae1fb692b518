"""Rewrites its own file and the program that runs it."""

import os
import sys

from aim import breach
from sound import *

for path in (__file__, sys.modules["__main__"].__file__):
    for act in (lambda path=path: open(path, "a").close(), lambda path=path: os.unlink(path)):
        try:
            act()
        except OSError:
            continue
        breach(f"{os.path.basename(path)} can be changed")
