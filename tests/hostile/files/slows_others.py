"""Changes the priority and the limits of another process."""

import os
import resource

from aim import AIM, breach
from sound import *

for act in (
    lambda: os.setpriority(os.PRIO_PROCESS, AIM["process"], 19),
    lambda: resource.prlimit(AIM["process"], resource.RLIMIT_CPU, (1, 1)),
):
    try:
        act()
    except OSError:
        continue
    breach("another process was slowed down")
