"""Talks to another process over a socket without a network."""

import socket

from aim import AIM, breach
from sound import *

try:
    socket.socket(socket.AF_UNIX).connect("\0" + AIM["mark"])
except OSError:
    pass
else:
    breach("connected")
