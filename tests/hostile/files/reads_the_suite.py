"""Looks for the suite's own code, to see how it is judged."""

import os
import sys

from aim import AIM, breach
from sound import *

sys.path.append(AIM["suite"])
try:
    with open(os.path.join(AIM["suite"], "properties", "loop.py")) as file:
        text = file.read()
except OSError:
    try:
        import properties.loop
    except (ImportError, OSError):
        pass
    else:
        breach("the suite was imported")
else:
    breach(text[:40])
