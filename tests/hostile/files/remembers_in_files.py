"""Keeps count in files, so that a fresh process behaves as if it were not the first."""

import os

from aim import AIM, breach
from sound import *

for folder in (".", os.environ["TMPDIR"], "/tmp", "/var/tmp", "/dev/shm"):
    path = os.path.join(folder, AIM["mark"])
    if os.path.exists(path):
        breach("a file of an earlier process is still there")
    try:
        open(path, "w").close()
    except OSError:
        pass
