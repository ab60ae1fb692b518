"""Opens a connection over the network."""

import socket

from aim import AIM, breach
from sound import *

try:
    socket.create_connection(("127.0.0.1", AIM["port"]), timeout=2).close()
except OSError:
    pass
else:
    breach("connected")
