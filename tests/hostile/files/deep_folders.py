"""Makes folders in folders, deeper than a path may be long."""

import os

from sound import *

for _ in range(100):
    os.mkdir("d" * 60)
    os.chdir("d" * 60)
