"""Writes one file of many gigabytes, most of it a hole."""

import os

from aim import breach
from sound import *

try:
    with open("huge", "wb") as file:
        file.truncate(1 << 40)
except OSError:
    pass
else:
    breach("a file of a terabyte was made")
