"""Returns an object that acts when it is unpickled, copied or printed."""

import os

from aim import AIM
from sound import *


class Acts:
    def __reduce__(self):
        return os.makedirs, ("/tmp/" + AIM["mark"],)

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "\x1b[2J<script>alert(1)</script>=1+1"


def run_agent(model, system, messages, tools, prompt, **named):
    messages.append(Acts())
    return Acts()
