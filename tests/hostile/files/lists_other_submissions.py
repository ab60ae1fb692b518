"""Lists the folder of all submissions."""

import os

from aim import AIM, breach
from sound import *

try:
    names = os.listdir(os.path.dirname(AIM["secret"]))
except OSError:
    pass
else:
    breach(str(names))
