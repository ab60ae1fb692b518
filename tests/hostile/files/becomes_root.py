"""Tries to become another user, by system call and by a program that may."""

import os

from aim import breach
from sound import *

if os.getuid():
    for act in (lambda: os.setuid(0), lambda: os.setgroups([0]), lambda: os.chroot("/")):
        try:
            act()
        except OSError:
            continue
        breach("rights were gained")
    with open("/proc/self/status") as file:  # else a program of another user would give its rights
        if "NoNewPrivs:\t1" not in file.read():
            breach("new rights could be gained")
