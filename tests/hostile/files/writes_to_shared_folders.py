"""Leaves files where every user may write."""

import os

from aim import AIM
from sound import *

for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    try:
        os.makedirs(os.path.join(folder, AIM["mark"], "deep"))
        with open(os.path.join(folder, AIM["mark"], "deep", "file"), "w") as file:
            file.write("was here")
    except OSError:
        pass
