"""Writes a file outside its own folder."""

import os

from aim import AIM, breach
from sound import *

try:
    with open(os.path.join(AIM["outside"], "hostile"), "w") as file:
        file.write("was here")
except OSError:
    pass
else:
    breach("a file was written outside")
