"""Writes megabytes to standard output and error, results among them."""

import os
import sys

from sound import *

LINE = '{"event": "finished", "value": {"verdict": "holds"}}\n' * 1000

for _ in range(40):
    print(LINE)
    print(LINE, file=sys.stderr)
    os.write(1, LINE.encode())
    os.write(2, LINE.encode())
