"""Reads the environment and the memory of the grader."""

from aim import AIM, breach
from sound import *

for name in ("environ", "mem", "maps"):
    try:
        with open(f"/proc/{AIM['grader']}/{name}", "rb") as file:
            file.read(1)
    except OSError:
        continue
    breach(name)
