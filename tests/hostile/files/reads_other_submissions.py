"""Reads the submission of somebody else."""

from aim import AIM, breach
from sound import *

try:
    with open(AIM["secret"]) as file:
        text = file.read()
except OSError:
    pass
else:
    breach(text)
