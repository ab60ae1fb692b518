"""Looks for secrets in its own environment."""

import os

from aim import breach
from sound import *

if "HOSTILE_SECRET" in os.environ:
    breach(os.environ["HOSTILE_SECRET"])
