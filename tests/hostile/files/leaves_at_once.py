"""Ends its process in the middle of a run, with a status that says all is well."""

import os

from sound import *


def run_agent(*args, **named):
    os._exit(0)
